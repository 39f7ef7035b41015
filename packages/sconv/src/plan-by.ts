/** Calls a planner from outside, and checks what it gives. */
import type { ConvolutionShape, KernelChoice } from '@sconv/csa';
import { contractionOf } from '@sconv/csa';
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
import type { Operation } from '@sconv/ir';
import type { ContractionEpilogue, Planned, Planner } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import type { PlannedShape } from '@sconv/slicing';
import { contractionIn, planProblemIn } from '@sconv/slicing';

/** Where a shape is planned. */
interface PlannedIn {
  /** The convolution that it is a part of; NCHW if there is none. */
  readonly operation?: Operation;
  readonly epilogue?: ContractionEpilogue | undefined;
}

/**
 * The plan of a planner for a part of one group of a convolution, of this shape. Fails as the planner does, and with
 * `sconv/plan` where it gives something else than a result with a plan, or one that is inconsistent, for other extents,
 * or without code for where the operands lie.
 */
export const planBy = (
  planner: Planner<KernelChoice>,
  shape: ConvolutionShape,
  kernels: KernelChoice,
  { operation, epilogue }: PlannedIn = {},
): Diagnosed<PlannedShape> => {
  const contraction = operation === undefined ? contractionOf(shape) : contractionIn(operation, shape);
  const problem = epilogue === undefined ? contraction : { ...contraction, epilogue };
  const given: unknown = planner(problem, kernels);
  if (!isDiagnosed(given)) {
    const hint = given instanceof Promise ? 'a promise: planners are synchronous' : describeValue(given);
    return refused(`expected success({ tree }) or a failure from the planner, not ${hint}`);
  }
  return andThen(given, (plan) => {
    if (!isPlanned(plan)) return refused(`expected { tree } from the planner, not ${describeValue(plan)}`);
    const wrong =
      operation === undefined
        ? planProblems(plan.tree, { contraction }).map(({ path, message }) => `${path}: ${message}`)[0]
        : planProblemIn(operation, plan.tree, shape);
    return wrong === undefined ? success({ ...plan, shape }) : refused(wrong);
  });
};

const isPlanned = (plan: unknown): plan is Planned =>
  typeof plan === 'object' && plan !== null && 'tree' in plan;

const refused = (message: string) => definite(error('sconv/plan', message, unknownLocation));
