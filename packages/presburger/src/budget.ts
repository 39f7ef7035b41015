/** How much work a question may take: some inputs would take longer than anyone waits. */
import { isPresburgerError, PresburgerError } from './presburger-error.ts';

/** Steps (operations on one coefficient in the inner loops) that a call may take unless told: a few seconds. */
export const defaultSteps = 5e7;

/** Steps that the outermost call under way has taken. */
let taken = 0;

/** What `taken` may come to; undefined where no call is under way. */
let limit: number | undefined;

/** Counts work; a `presburger/undecided` error once the call that is under way has used up its steps. */
export function spend(steps: number): void {
  if (limit === undefined) return;
  taken += steps;
  if (taken > limit)
    throw new PresburgerError('presburger/undecided', `undecided after ${Math.round(limit)} steps`);
}

/**
 * The result of `compute`, which may take this many steps, `Infinity` for no limit, at most as many as the call around
 * it has left: the limit holds for a whole call, whatever it calls in turn. A call that sets none may take what the one
 * around it has left, or `defaultSteps` where there is none around it. Errors: `presburger/undecided`,
 * `presburger/invalid-argument` for no number of steps.
 */
export function withinSteps<T>(compute: () => T, steps?: number): T {
  if (steps !== undefined && !(steps >= 0))
    throw new PresburgerError('presburger/invalid-argument', `${steps} is no number of steps`);
  const outer = limit;
  if (outer === undefined) {
    taken = 0;
    limit = steps ?? defaultSteps;
  } else if (steps !== undefined) limit = Math.min(outer, taken + steps);
  try {
    return compute();
  } finally {
    limit = outer;
  }
}

/** `withinSteps`, but undefined where the steps do not suffice. */
export function ifDecided<T>(compute: () => T, steps?: number): T | undefined {
  try {
    return withinSteps(compute, steps);
  } catch (problem) {
    if (isPresburgerError(problem) && problem.code === 'presburger/undecided') return undefined;
    throw problem;
  }
}
