/** Calls a planner from outside, and checks what it gives. */
import type { ConvolutionShape, KernelChoice } from '@sconv/csa';
import { contractionOf, extentsOfShape } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import {
  andThen,
  definite,
  describeValue,
  error,
  isDiagnosed,
  success,
  unknownLocation,
} from '@sconv/diagnostics';
import type { ContractionEpilogue, Planned, Planner } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import type { PlannedShape } from '@sconv/slicing';

/**
 * The plan of a planner for one group of a convolution. Fails as the planner does, and with `sconv/plan` where it gives
 * something else than a result with a plan, or one that is inconsistent or for other extents.
 */
export const planBy = (
  planner: Planner<KernelChoice>,
  shape: ConvolutionShape,
  kernels: KernelChoice,
  epilogue?: ContractionEpilogue,
): Diagnosed<PlannedShape> => {
  const contraction = contractionOf(shape);
  const problem = epilogue === undefined ? contraction : { ...contraction, epilogue };
  const given: unknown = planner(problem, kernels);
  if (!isDiagnosed(given)) {
    const hint = given instanceof Promise ? 'a promise: planners are synchronous' : describeValue(given);
    return refused(`expected success({ tree }) or a failure from the planner, not ${hint}`);
  }
  return andThen(given, (plan) => {
    if (!isPlanned(plan)) return refused(`expected { tree } from the planner, not ${describeValue(plan)}`);
    const [wrong] = planProblems(plan.tree, { extents: extentsOfShape(shape) });
    return wrong === undefined ? success({ ...plan, shape }) : refused(`${wrong.path}: ${wrong.message}`);
  });
};

const isPlanned = (plan: unknown): plan is Planned =>
  typeof plan === 'object' && plan !== null && 'tree' in plan;

const refused = (message: string) => definite(error('sconv/plan', message, unknownLocation));
