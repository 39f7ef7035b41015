/** Plans that were measured before, in place of those that would be made. */
import type { ConvolutionShape, KernelChoice } from '@sconv/csa';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { success, warning } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import type { AnyPlan, Contraction } from '@sconv/plans';
import type { PlannedShape } from '@sconv/slicing';
import { contractionIn } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import { planBy } from './plan-by.ts';

/** Tuned plans of a target: `readTuned` of `sconv/node` reads them, and `tune` makes them. */
export interface TunedPlans {
  readonly kind: 'tuned-plans';
  /** The name of the target that they were measured for. */
  readonly target: string;
  /** The plan of a contraction, if there is one that suits it. */
  readonly planOf: (problem: Contraction, kernels: KernelChoice) => Diagnosed<AnyPlan | undefined>;
}

/** The plans that have been warned of. */
const warnedOf = new WeakSet<TunedPlans>();

/** The tuned plans if they are of the target; if not, none, and once the warning `sconv/tuned-target`. */
export const tunedFor = (
  tuned: TunedPlans | undefined,
  target: Target,
  { location }: Pick<Operation, 'location'>,
): { readonly plans: TunedPlans | undefined; readonly warnings: readonly Diagnostic[] } => {
  if (tuned === undefined || tuned.target === target.name) return { plans: tuned, warnings: [] };
  if (warnedOf.has(tuned)) return { plans: undefined, warnings: [] };
  warnedOf.add(tuned);
  const message = `the tuned plans are for the target '${tuned.target}', not for '${target.name}', and not used`;
  return { plans: undefined, warnings: [warning('sconv/tuned-target', message, location)] };
};

/**
 * The tuned plan of a convolution, or of one of its groups or parts; undefined without one, and with the warning
 * `sconv/tuned-plan` for one that there is no code for where its operands lie.
 */
export const tunedPlanOf = (
  tuned: TunedPlans,
  operation: Operation,
  shape: ConvolutionShape,
  kernels: KernelChoice,
): Diagnosed<PlannedShape | undefined> => {
  const found = tuned.planOf(contractionIn(operation, shape), kernels);
  if (found.status !== 'success' || found.value === undefined) return found as Diagnosed<undefined>;
  const tree = found.value;
  const planned = planBy(() => success({ tree }), shape, kernels, { operation });
  if (planned.status === 'success') return success(planned.value, found.diagnostics);
  const why = planned.diagnostics.at(-1)?.message ?? '';
  const message = `the tuned plan does not fit, and is not used: ${why}`;
  return success(undefined, [...found.diagnostics, warning('sconv/tuned-plan', message, operation.location)]);
};
