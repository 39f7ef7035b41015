/** Static knowledge of loop bounds. */
import type { MixedIndex } from '@sconv/dialects';
import { createConstantValue, indexNumber } from '@sconv/dialects';
import { forOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Type, Value } from '@sconv/ir';
import { integerAttribute } from '@sconv/ir';

/** The bounds of a loop; known ones are numbers. */
export interface Bounds<T = MixedIndex> {
  readonly lower: T;
  readonly upper: T;
  readonly step: T;
}

/** The constant value of a bound, if known. */
export const numberOf = (rewriter: Rewriter, bound: MixedIndex): number | undefined =>
  indexNumber(rewriter, bound);

/** The bounds as numbers; undefined unless all are known and the step leads from the lower towards the upper one. */
export const constantBounds = (
  rewriter: Rewriter,
  { lower, upper, step }: Bounds,
): Bounds<number> | undefined => {
  const [from, to, by] = [lower, upper, step].map((bound) => numberOf(rewriter, bound));
  return from === undefined || to === undefined || by === undefined || by <= 0
    ? undefined
    : { lower: from, upper: to, step: by };
};

/** The trip count. */
export const tripCount = ({ lower, upper, step }: Bounds<number>): number =>
  Math.max(0, Math.ceil((upper - lower) / step));

/** The bounds of an `scf.for`. */
export const boundsOf = (loop: DraftOperation): Bounds<Value> => {
  const { lowerBound, upperBound, step } = forOp.operands(loop);
  return { lower: lowerBound, upper: upperBound, step };
};

/** The trip count of an `scf.for`, if known. */
export const tripCountOf = (rewriter: Rewriter, loop: DraftOperation): number | undefined => {
  const bounds = constantBounds(rewriter, boundsOf(loop));
  return bounds && tripCount(bounds);
};

/** A constant of an integer type or `index`, at the insertion point. */
export const createInteger = (rewriter: Rewriter, value: number, type: Type): Value => {
  if (type.kind !== 'index' && type.kind !== 'integer') throw new Error(`a bound of the type ${type.kind}`);
  return createConstantValue(rewriter, integerAttribute(value, type), type);
};
