/**
 * Affine expressions as closures over the number slots of a frame: what `compileMap` of `@sconv/affine` is for points
 * in arrays.
 */
import type { AffineExpr } from '@sconv/affine';
import type { Operation } from '@sconv/ir';
import type { Frame } from './context.ts';
import { safeIndex } from './integers.ts';
import { trap } from './trap.ts';

/** The value of an expression in a frame. */
export type IndexFunction = (frame: Frame) => number;

/** Quotients of integers below this are on the right side of every integer when rounded to double. */
const exactQuotients = 2 ** 52;

/**
 * The value of `expr`, whose dimensions and symbols stand in these slots. Traps at `operation` on a divisor that is not
 * positive and on values beyond 2^53.
 */
export const indexFunction = (
  operation: Operation,
  expr: AffineExpr,
  dims: readonly number[],
  symbols: readonly number[] = [],
): IndexFunction => {
  const compile = (inner: AffineExpr): IndexFunction => {
    switch (inner.kind) {
      case 'constant': {
        const { value } = inner;
        return () => value;
      }
      case 'dim':
        return readSlot(operation, dims[inner.position]);
      case 'symbol':
        return readSlot(operation, symbols[inner.position]);
      case 'add': {
        const [a, b] = [compile(inner.lhs), compile(inner.rhs)];
        return (frame) => a(frame) + b(frame);
      }
      case 'mul': {
        const [a, b] = [compile(inner.lhs), compile(inner.rhs)];
        return (frame) => a(frame) * b(frame);
      }
      case 'floordiv': {
        const [a, b] = [dividend(operation, compile(inner.lhs)), divisor(operation, compile(inner.rhs))];
        return (frame) => Math.floor(a(frame) / b(frame));
      }
      case 'ceildiv': {
        const [a, b] = [dividend(operation, compile(inner.lhs)), divisor(operation, compile(inner.rhs))];
        return (frame) => Math.ceil(a(frame) / b(frame));
      }
      case 'mod': {
        const [a, b] = [dividend(operation, compile(inner.lhs)), divisor(operation, compile(inner.rhs))];
        return (frame) => {
          const [x, y] = [a(frame), b(frame)];
          return x - y * Math.floor(x / y);
        };
      }
    }
  };
  const value = compile(expr);
  return expr.kind === 'constant' || expr.kind === 'dim' || expr.kind === 'symbol'
    ? value
    : (frame) => safeIndex(operation, value(frame));
};

const readSlot = (operation: Operation, slot: number | undefined): IndexFunction => {
  if (slot === undefined)
    return trap(operation, 'interpreter/invalid-ir', 'has a map of more operands than it has');
  return ({ numbers }) => numbers[slot]!;
};

const dividend =
  (operation: Operation, value: IndexFunction): IndexFunction =>
  (frame) => {
    const number = value(frame);
    if (Math.abs(number) > exactQuotients) {
      trap(operation, 'interpreter/overflow', `divides an index beyond 2^52: ${number}`);
    }
    return number;
  };

const divisor =
  (operation: Operation, value: IndexFunction): IndexFunction =>
  (frame) => {
    const number = value(frame);
    if (number <= 0) trap(operation, 'interpreter/division-by-zero', `divides by ${number} in its map`);
    return number;
  };
