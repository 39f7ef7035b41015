/** How much work a question may take: some inputs would take longer than anyone waits. */
import { PresburgerError } from './presburger-error.ts';

/** Steps (operations on one coefficient in the inner loops) that a call may take unless told: a few seconds. */
export const defaultSteps = 5e7;

let stepsLeft = Infinity;

/** Counts work; a `presburger/undecided` error once the call that is under way has used up its steps. */
export function spend(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0)
    throw new PresburgerError('presburger/undecided', 'undecided within the steps that this call may take');
}

/**
 * The result of `compute`, which may take this many steps, at most as many as the call around it has left: the limit
 * holds for a whole call, whatever it calls in turn. Errors: `presburger/undecided`.
 */
export function withinSteps<T>(compute: () => T, steps: number = defaultSteps): T {
  const outer = stepsLeft;
  const granted = Math.min(steps, outer);
  stepsLeft = granted;
  try {
    return compute();
  } finally {
    stepsLeft = outer - (granted - stepsLeft);
  }
}
