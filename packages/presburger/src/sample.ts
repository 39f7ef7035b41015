/** Whether a set has points, and one of them. */
import { withinSteps } from './budget.ts';
import type { Int } from './int.ts';
import { pointOfPiece } from './point-of-piece.ts';
import type { PresburgerUnion } from './presburger-set.ts';

/** A point of a set or relation, for some values of the symbols. */
export interface Point {
  readonly inputs: readonly Int[];
  readonly dims: readonly Int[];
  readonly symbols: readonly Int[];
}

/** Some point, with values of the symbols; undefined if there is none. Errors: `presburger/undecided`. */
export const sample = (of: PresburgerUnion): Point | undefined =>
  withinSteps(() => {
    for (const piece of of.pieces) {
      const values = pointOfPiece(piece);
      if (values !== undefined) return pointOf(of, values);
    }
    return undefined;
  });

/** Whether there is no point, for any values of the symbols. Errors: `presburger/undecided`. */
export const isEmpty = (of: PresburgerUnion): boolean =>
  withinSteps(() => of.pieces.every((piece) => pointOfPiece(piece) === undefined));

/** The point with these values, in the order of the columns. */
export function pointOf({ space }: PresburgerUnion, values: readonly Int[]): Point {
  const [inputs, dims] = [space.inputs.length, space.inputs.length + space.dims.length];
  return {
    inputs: values.slice(0, inputs),
    dims: values.slice(inputs, dims),
    symbols: values.slice(dims, dims + space.symbols.length),
  };
}
