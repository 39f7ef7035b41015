/**
 * Compiles affine expressions to closures over a frame's number slots, as `compileMap` of `@sconv/affine` does for
 * points in arrays. A sum is a single closure, however many terms it has, since the body of a tiled convolution
 * evaluates one at every point.
 */
import type { AffineExpr } from '@sconv/affine';
import type { Operation } from '@sconv/ir';
import type { NonlinearExpr } from './affine-sum.ts';
import { affineSum } from './affine-sum.ts';
import type { Frame } from './context.ts';
import { safeIndex } from './integers.ts';
import { trap } from './trap.ts';

/** The value of an expression in a frame. */
export type IndexFunction = (frame: Frame) => number;

/** Up to this magnitude, rounding a quotient to double never crosses an integer. */
const exactQuotients = 2 ** 52;

/** `constant + Σ factors[i] * numbers[slots[i]]` */
export interface LinearSum {
  readonly constant: number;
  readonly slots: readonly number[];
  readonly factors: readonly number[];
}

/** `factor * value` */
export interface WeightedValue {
  readonly factor: number;
  readonly value: IndexFunction;
}

/**
 * The value of `expr`, whose dimensions and symbols are in these slots. Traps at `operation` on non-positive divisors
 * and on values beyond 2^53.
 */
export const indexFunction = (
  operation: Operation,
  expr: AffineExpr,
  dims: readonly number[],
  symbols: readonly number[] = [],
): IndexFunction => {
  const { constant, linear, nonlinear } = affineSum(expr);
  const slots = linear.map(
    ({ expr: { kind, position } }) =>
      (kind === 'dim' ? dims : symbols)[position] ??
      trap(operation, 'interpreter/invalid-ir', 'has a map of more operands than it has'),
  );
  const values = nonlinear.map(({ expr: term, factor }) => ({
    factor,
    value: nonlinearFunction(operation, term, dims, symbols),
  }));
  return sumFunction(operation, { constant, slots, factors: linear.map(({ factor }) => factor) }, values);
};

/** The value of a sum; see `indexFunction`. */
export const sumFunction = (
  operation: Operation,
  linear: LinearSum,
  terms: readonly WeightedValue[],
): IndexFunction => {
  const { constant, slots } = linear;
  const [slot] = slots;
  if (
    slot !== undefined &&
    slots.length === 1 &&
    linear.factors[0] === 1 &&
    constant === 0 &&
    terms.length === 0
  ) {
    return ({ numbers }) => numbers[slot]!;
  }
  if (terms.length === 0) return ({ numbers }) => safeIndex(operation, linearValue(numbers, linear));
  return (frame) => {
    let sum = linearValue(frame.numbers, linear);
    for (const { factor, value } of terms) sum += factor * value(frame);
    return safeIndex(operation, sum);
  };
};

const linearValue = (numbers: Float64Array, { constant, slots, factors }: LinearSum): number => {
  let value = constant;
  for (let i = 0; i < slots.length; i++) value += factors[i]! * numbers[slots[i]!]!;
  return value;
};

const nonlinearFunction = (
  operation: Operation,
  { kind, lhs, rhs }: NonlinearExpr,
  dims: readonly number[],
  symbols: readonly number[],
): IndexFunction => {
  const [a, b] = [indexFunction(operation, lhs, dims, symbols), indexFunction(operation, rhs, dims, symbols)];
  switch (kind) {
    case 'add':
      return (frame) => a(frame) + b(frame);
    case 'mul':
      return (frame) => a(frame) * b(frame);
    case 'floordiv':
      return (frame) => Math.floor(dividend(operation, a(frame)) / divisor(operation, b(frame)));
    case 'ceildiv':
      return (frame) => Math.ceil(dividend(operation, a(frame)) / divisor(operation, b(frame)));
    case 'mod':
      return (frame) => {
        const [x, y] = [dividend(operation, a(frame)), divisor(operation, b(frame))];
        return x - y * Math.floor(x / y);
      };
  }
};

const dividend = (operation: Operation, value: number): number => {
  if (Math.abs(value) > exactQuotients) {
    trap(operation, 'interpreter/overflow', `divides an index beyond 2^52: ${value}`);
  }
  return value;
};

const divisor = (operation: Operation, value: number): number => {
  if (value <= 0) trap(operation, 'interpreter/division-by-zero', `divides by ${value} in its map`);
  return value;
};
