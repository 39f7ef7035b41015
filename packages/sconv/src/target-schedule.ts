/** The schedule that a machine asks for: each convolution of a module planned for it, and sliced. */
import type { ConvolutionPlan, PlanOptions, SlicingPlan } from '@sconv/csa';
import { planForTarget } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, mapSuccess } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { walk } from '@sconv/ir';
import { convolutionName, planOperation, recordPlan, sconv } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import type { Schedule } from '@sconv/transform';
import { callSite, schedule, splitHandle } from '@sconv/transform';

/** The convolutions on tensors of a module, in the order in which they stand; those on buffers cannot be sliced. */
export const convolutionsOf = (module: Module): readonly Operation[] =>
  [...walk(module.root)].filter(({ name, results }) => name === convolutionName && results.length > 0);

/** What is said of the plans: a schedule that is forced, another cost model, what becomes of edges. */
export type Planning = Pick<PlanOptions, 'schedule' | 'costModel' | 'edges'>;

/** A convolution as it was in the payload, and its plan. */
export interface PlannedConvolution<P extends SlicingPlan = SlicingPlan> {
  readonly operation: Operation;
  readonly plan: P;
}

/** A schedule, and what was planned for it. */
export interface TargetSchedule extends Schedule {
  readonly plans: readonly PlannedConvolution<ConvolutionPlan>[];
}

/** How a schedule is written: an op for each convolution, or the small ops that these stand for. */
export type ScheduleForm = 'sconv' | 'expanded';

/**
 * Plans each convolution of the module for the machine of the target, with the one of its microkernels that suits it and,
 * unless another kind is asked for, the edges that cost least, and records that. Fails at a convolution that cannot be
 * sliced.
 */
export const targetSchedule = (
  module: Module,
  target: Target,
  planning: Planning = {},
  form: ScheduleForm = 'sconv',
): Diagnosed<TargetSchedule> =>
  mapSuccess(
    collect(convolutionsOf(module), (operation) =>
      mapSuccess(
        planOperation(operation, (shape) =>
          withoutRepeated(planForTarget(shape, target, { edges: 'best', ...planning })),
        ),
        (plan) => ({ operation, plan }),
      ),
    ),
    (plans) => ({ ...recordPlans(module, plans, form), plans }),
  );

/** A plan without the warnings that come again when its sizes are used. */
const withoutRepeated = (plan: ConvolutionPlan): ConvolutionPlan => ({
  ...plan,
  warnings: plan.warnings.filter(({ code }) => code !== 'csa/fewer-than-a-tile'),
});

/** Where the ops stand that nobody wrote. */
const here = callSite();

const recordPlans = (module: Module, plans: readonly PlannedConvolution[], form: ScheduleForm): Schedule =>
  schedule(($) =>
    $.at(here, () => {
      const planOf = new Map(plans.map(({ operation, plan }) => [operation, plan]));
      const all = $.match(convolutionName);
      // Those on buffers are matched, too, and have no plan.
      const matched = [...walk(module.root)].filter(({ name }) => name === convolutionName);
      const { results: each } = splitHandle({ handle: all }, {}, { resultCount: matched.length });
      each.forEach((target, i) => {
        const plan = planOf.get(matched[i]!);
        if (plan === undefined) return;
        if (form === 'sconv') sconv({ target }, { plan });
        else recordPlan(target, plan.tree);
      });
      return undefined;
    }),
  );
