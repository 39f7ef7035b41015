/** Which specifiers are a microkernel: what is unrolled and vectorized, and the loops that sum up around it. */
import type { Step } from './nest.ts';
import type { Specifier } from './scheme.ts';

/**
 * Where the microkernel of a nest without sequences begins: at the outermost of the loops that sum up, in the order of
 * `reduced`, directly above what is unrolled and vectorized. Its sums are in registers over these. Without vectors
 * there is none.
 */
export const leafFrom = (steps: readonly (Step | Specifier)[], reduced: readonly string[]): number => {
  if (!steps.some(({ kind }) => kind === 'V')) return steps.length;
  /** The place of the outermost loop so far, and of the outermost unrolled step, in the order of all. */
  let [loop, unrolled] = [Infinity, Infinity];
  let from = steps.length;
  for (const step of steps.toReversed()) {
    if (step.kind === 'P' || step.kind === 'lambda' || step.kind === 'Seq') break;
    const at = 2 * reduced.indexOf(step.dimension);
    if (step.kind === 'V') from -= 1;
    else if (step.kind === 'U' && at < 0) {
      // Above a loop, unrolled code of several results would have to contain it.
      if (loop < Infinity) break;
      from -= 1;
    } else if (step.kind === 'U') {
      if (at + 1 > loop) break;
      unrolled = Math.min(unrolled, at + 1);
      from -= 1;
    } else {
      if (at < 0 || at > loop || at > unrolled) break;
      loop = at;
      from -= 1;
    }
  }
  return from;
};
