/** The schedule that a machine asks for: each convolution of a module planned for it, and sliced. */
import type { Plan, PlanOptions } from '@sconv/csa';
import { planForTarget } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, mapSuccess } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { Edges, SconvOptions } from '@sconv/slicing';
import { planOperation, sconvOp } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import { lineBytes } from '@sconv/targets';
import type { Schedule } from '@sconv/transform';
import { match, opHandleType, schedule, splitHandle } from '@sconv/transform';

/** The named op that is sliced. */
export const convolutionName = 'linalg.conv_2d_nchw_fchw';

/** The convolutions on tensors of a module, in the order in which they stand; those on buffers cannot be sliced. */
export const convolutionsOf = (module: Module): readonly Operation[] =>
  [...walk(module.root)].filter(({ name, results }) => name === convolutionName && results.length > 0);

/** What is said of the plans: a schedule that is forced, another cost model. */
export type Planning = Pick<PlanOptions, 'schedule' | 'costModel'>;

/**
 * Records a `transform.structured.sconv` for each convolution of the module, with the machine of the target and the one
 * of its microkernels that suits the convolution. Fails at a convolution that cannot be sliced.
 */
export const targetSchedule = (
  module: Module,
  target: Target,
  edges: Edges = 'small',
  planning: Planning = {},
): Diagnosed<Schedule> =>
  mapSuccess(
    collect(convolutionsOf(module), (operation) =>
      // The shape is all that is wanted of this plan: with it, a microkernel can be chosen.
      mapSuccess(planOperation(operation, target), ({ shape }) => planForTarget(shape, target, planning)),
    ),
    (plans) => recordPlans(plans, target, edges),
  );

const recordPlans = (plans: readonly Plan[], target: Target, edges: Edges): Schedule =>
  schedule(({ root }) => {
    const { results: all } = match({ target: root }, { ops: [convolutionName] });
    const resultTypes = plans.map(() => opHandleType(convolutionName));
    const { results: each } = splitHandle({ handle: all }, {}, { resultTypes });
    plans.forEach((plan, i) => sconvOp({ target: each[i]! }, attributesOf(plan, target, edges)));
    return undefined;
  });

const attributesOf = ({ microkernel, schedule }: Plan, { machine }: Target, edges: Edges): SconvOptions => {
  const { l1, l2, l3 } = machine.cache;
  return {
    mkInfo: [microkernel.windows, microkernel.filters],
    archInfo: [l1?.bytes ?? 0, l2?.bytes ?? 0, l3?.bytes ?? 0, lineBytes(machine)],
    latency: [l1?.latency ?? 0, l2?.latency ?? 0, l3?.latency ?? 0, machine.memoryLatency],
    schedule,
    edges,
  };
};
