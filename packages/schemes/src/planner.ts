/** A scheme as a planner. */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import type { Planned, Planner } from '@sconv/plans';
import { schemeProblems } from './check-scheme.ts';
import { planOfScheme } from './plan-of-scheme.ts';
import { printScheme } from './print-scheme.ts';
import type { Scheme } from './scheme.ts';

/** What a scheme has to know of a target; every `Target` of the targets package does. */
export interface VectorMachine {
  readonly machine?: { readonly vector?: { readonly bits: number } };
}

/** How many sums of a contraction a vector of a target has; undefined without vectors. */
export const lanesOf = (
  target: VectorMachine | undefined,
  { operands }: Parameters<Planner<VectorMachine>>[0],
): number | undefined => {
  const bits = target?.machine?.vector?.bits;
  return bits === undefined ? undefined : Math.max(1, Math.floor(bits / (8 * operands[2].bytes)));
};

/**
 * Plans each contraction by this scheme, as `compileModule({ planner })` takes it. A planner is given one group of a
 * convolution, and one product of a batch. Fails with the first problem of the scheme.
 */
export const schemePlanner =
  (scheme: Scheme): Planner<VectorMachine> =>
  (contraction, target): Diagnosed<Planned> => {
    const [problem] = schemeProblems(scheme, contraction, { lanes: lanesOf(target, contraction) });
    if (problem !== undefined) {
      const { code, path, message } = problem;
      return silenceable(error(code, `${path} of ${printScheme(scheme)}: ${message}`, unknownLocation));
    }
    return success({ tree: planOfScheme(scheme, contraction).tree });
  };
