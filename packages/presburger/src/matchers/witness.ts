/** Points that show why an assertion fails. */
import { withinSteps } from '../budget.ts';
import { lexminPoint } from '../lexmin.ts';
import { isPresburgerError } from '../presburger-error.ts';
import type { PresburgerUnion } from '../presburger-set.ts';
import { symbolsToDims } from '../relations.ts';
import type { Point } from '../sample.ts';
import { pointOf, sample } from '../sample.ts';

/** Steps that looking for the least point may take, once some point is known. */
const steps = 1e7;

/** A point, the least one where that is soon found; undefined if there is none. Errors: `presburger/undecided`. */
export function witness(of: PresburgerUnion): Point | undefined {
  const point = sample(of);
  if (point === undefined) return undefined;
  try {
    const least = withinSteps(() => lexminPoint(symbolsToDims(of)), steps);
    return least === undefined ? point : pointOf(of, least);
  } catch (error) {
    // There is none, or it is far.
    if (isPresburgerError(error)) return point;
    throw error;
  }
}
