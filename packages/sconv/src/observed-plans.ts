/** Which plans a schedule made: what each of its `transform.structured.sconv` computed for each convolution. */
import type { Plan } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, unwrap } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { walk } from '@sconv/ir';
import { planOperation, sconvOp, targetOf } from '@sconv/slicing';
import type { RunOptions } from '@sconv/transform';
import { runSchedule } from '@sconv/transform';
import { convolutionsOf } from './target-schedule.ts';

/** A convolution as it was in the payload, and its plan. */
export interface PlannedConvolution {
  readonly operation: Operation;
  readonly plan: Plan;
}

/** A payload after its schedule. */
export interface ScheduledModule {
  readonly module: Module;
  readonly plans: readonly PlannedConvolution[];
}

/** Runs a schedule on a payload and notes the plan of each convolution that it slices. */
export const runObserved = (
  script: Module,
  payload: Module,
  options: RunOptions,
): Diagnosed<ScheduledModule> => {
  const plans: PlannedConvolution[] = [];
  let before = payload;
  const onStep = (step: Operation, after: Module): void => {
    if (sconvOp.definition.is(step)) plans.push(...plansOf(step, before, after));
    before = after;
    options.onStep?.(step, after);
  };
  return mapSuccess(runSchedule(script, payload, { ...options, onStep }), ({ module }) => ({
    module,
    plans,
  }));
};

/** The plans of one `sconv` that has succeeded: of the convolutions that were there before it and no longer are. */
const plansOf = (step: Operation, before: Module, after: Module): readonly PlannedConvolution[] => {
  const { mkInfo, referenceMkInfo, archInfo, latency, schedule } = sconvOp.definition.attributes(step);
  const target = targetOf({ mkInfo: mkInfo ?? referenceMkInfo, archInfo, latency });
  const left = new Set([...walk(after.root)].map(({ id }) => id));
  return convolutionsOf(before)
    .filter(({ id }) => !left.has(id))
    .map((operation) => ({ operation, plan: unwrap(planOperation(operation, target, schedule)) }));
};
