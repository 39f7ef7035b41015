/**
 * How an operand's element position moves through the iteration space: each result of the indexing map is a linear
 * part, with a stride per loop, plus non-linear terms, which are re-evaluated when the innermost dimension that they
 * use changes.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { usedDims } from '@sconv/affine';
import type { Operation } from '@sconv/ir';
import type { IndexFunction } from './affine-closure.ts';
import { indexFunction } from './affine-closure.ts';
import { affineSum } from './affine-sum.ts';

/** `factor * value`, which varies with loop `depth` and possibly those outside it. */
interface NonlinearTerm {
  readonly factor: number;
  readonly depth: number;
  readonly value: IndexFunction;
}

/** `constant + Σ coefficients[d] * d + Σ terms`: one dimension of an operand. */
export interface AccessFunction {
  readonly constant: number;
  readonly coefficients: readonly number[];
  readonly terms: readonly NonlinearTerm[];
}

/** The access functions of a map; `dims` are the slots of the induction variables. */
export const accessFunctions = (
  operation: Operation,
  map: AffineMap,
  dims: readonly number[],
): readonly AccessFunction[] => map.results.map((result) => accessFunction(operation, result, dims));

const accessFunction = (operation: Operation, expr: AffineExpr, dims: readonly number[]): AccessFunction => {
  const { constant, linear, nonlinear } = affineSum(expr);
  const coefficients = dims.map(() => 0);
  for (const { expr: variable, factor } of linear) coefficients[variable.position]! += factor;
  const terms = nonlinear.map(({ expr: term, factor }) => ({
    factor,
    depth: Math.max(0, ...usedDims(term)),
    value: indexFunction(operation, term, dims),
  }));
  return { constant, coefficients, terms };
};

/** The position of an operand's element in its array. */
export interface PositionFunction {
  /** The value at point 0, without the non-linear terms. */
  readonly base: number;
  /** The stride per loop. */
  readonly steps: readonly number[];
  readonly terms: readonly {
    readonly depth: number;
    readonly weight: number;
    readonly value: IndexFunction;
  }[];
}

/** The position in the array of an operand with this offset and these strides. */
export const positionFunction = (
  functions: readonly AccessFunction[],
  loops: number,
  offset: number,
  strides: readonly number[],
): PositionFunction => {
  let base = offset;
  const steps = new Array<number>(loops).fill(0);
  for (const [i, { constant, coefficients }] of functions.entries()) {
    const stride = strides[i]!;
    base += constant * stride;
    for (let d = 0; d < loops; d++) steps[d]! += coefficients[d]! * stride;
  }
  const terms = functions.flatMap((access, i) =>
    access.terms.map(({ factor, depth, value }) => ({ depth, weight: factor * strides[i]!, value })),
  );
  return { base, steps, terms };
};
