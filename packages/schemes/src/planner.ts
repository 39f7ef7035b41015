/** A scheme as a planner. */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import type { Contraction, Planned, Planner } from '@sconv/plans';
import { schemeProblems } from './check-scheme.ts';
import { planOfScheme } from './plan-of-scheme.ts';
import { printScheme } from './print-scheme.ts';
import type { Scheme } from './scheme.ts';

/** What a scheme has to know of a target: the vectors of its machine, if it has any. */
export interface VectorMachine {
  readonly machine?: object;
}

/** How many sums of a contraction a vector of a target has; undefined for a machine that says nothing of vectors. */
export const lanesOf = (target: VectorMachine | undefined, { operands }: Contraction): number | undefined => {
  const machine: { readonly vector?: { readonly bits: number } } = target?.machine ?? {};
  return machine.vector && Math.max(1, Math.floor(machine.vector.bits / (8 * operands[2].bytes)));
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
