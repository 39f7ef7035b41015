/** What is known of the bounds of `scf.for` and `scf.forall`. */
import type { DraftOperation, Operation, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import type { MixedIndex } from './mixed-indices.ts';
import type { LoopBounds } from './scf.ts';
import { forall, forallBounds, forBounds, forOp } from './scf.ts';

/** A loop whose bounds are known. */
export interface CountedLoop {
  readonly variable: Value;
  readonly lower: number;
  readonly step: number;
  /** How often it iterates. */
  readonly trips: number;
}

/** The loops of an `scf.for` or `scf.forall`, outermost first; undefined if it is neither, or one is not known. */
export const countedLoops = (
  operation: Operation,
  numberOf: (index: MixedIndex) => number | undefined,
): readonly CountedLoop[] | undefined => {
  const bounds = boundsOfLoops(operation);
  if (bounds === undefined) return undefined;
  const loops = bounds.map((each, i): CountedLoop | undefined => {
    const known = knownBounds(each, numberOf);
    const variable = bodyOf(operation).arguments[i]!;
    return known && { variable, lower: known.lower, step: known.step, trips: tripCount(known) };
  });
  return loops.every((loop) => loop !== undefined) ? loops : undefined;
};

/** The bounds of an `scf.for`, or of each dimension of an `scf.forall`. */
export const boundsOfLoops = (operation: Operation): readonly LoopBounds[] | undefined => {
  if (forall.is(operation)) return forallBounds(operation);
  return forOp.is(operation) ? [forBounds(operation)] : undefined;
};

/**
 * The bounds as numbers; undefined unless all are known, the step is positive, and the length of the range and the
 * first number after the last iteration are exact.
 */
export const knownBounds = <T>(
  { lower, upper, step }: LoopBounds<T>,
  numberOf: (bound: T) => number | undefined,
): LoopBounds<number> | undefined => {
  const [from, to, by] = [numberOf(lower), numberOf(upper), numberOf(step)];
  if (from === undefined || to === undefined || by === undefined || by <= 0) return undefined;
  const isExact = to <= from || (Number.isSafeInteger(to - from) && Number.isSafeInteger(to + by));
  return isExact ? { lower: from, upper: to, step: by } : undefined;
};

/** How often a loop iterates; its step is positive. */
export const tripCount = ({ lower, upper, step }: LoopBounds<number>): number =>
  Math.max(0, Math.ceil((upper - lower) / step));

/** Whether a loop iterates at least once, as far as is known. */
export const runsAtLeastOnce = <T>(
  { lower, upper }: LoopBounds<T>,
  numberOf: (bound: T) => number | undefined,
): boolean => {
  const [from, to] = [numberOf(lower), numberOf(upper)];
  return from !== undefined && to !== undefined && from < to;
};

/** The `scf.for` that a value is the induction variable of. */
export const loopOfVariable = (rewriter: Rewriter, value: Value): DraftOperation | undefined => {
  const block = rewriter.owningBlock(value);
  const loop = block?.region.operation;
  return loop !== undefined && forOp.is(loop) && block?.arguments[0]?.id === value.id ? loop : undefined;
};

/** The bounds of the `scf.for` or the dimension of an `scf.forall` that a value is the induction variable of. */
export const boundsOfVariable = (rewriter: Rewriter, value: Value): LoopBounds | undefined => {
  const block = rewriter.owningBlock(value);
  const loop = block?.region.operation;
  const bounds = loop && boundsOfLoops(loop);
  return bounds?.[block!.arguments.findIndex(({ id }) => id === value.id)];
};
