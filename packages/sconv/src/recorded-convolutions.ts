/** What the other ways to compute convolutions share: steps on each convolution, before the target's own schedule. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, success } from '@sconv/diagnostics';
import type { Module, Operation, Registry } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { ConvolutionName } from '@sconv/slicing';
import { convolutionName, recordGroups, slicedAs } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import type { Handle, Recorder } from '@sconv/transform';
import { callSite, runSchedule, schedule, splitHandle } from '@sconv/transform';
import { defaultRegistry } from './default-registry.ts';
import type { Planning, ScheduleForm, TargetSchedule } from './target-schedule.ts';
import { planTarget } from './target-schedule.ts';

/** Records steps on a module. */
export type Script = Recorder<'builtin.module'>;

/** The location of generated ops. */
const here = callSite();

/** The ops of some names in a module, in program order. */
export const operationsOf = (module: Module, names: readonly string[]): readonly Operation[] =>
  [...walk(module.root)].filter(({ name }) => names.includes(name));

/** Records something for each of the ops of some names in a module, with the position of the op among them. */
export const matchEach = <N extends string>(
  $: Script,
  names: readonly [N, ...N[]],
  count: number,
  record: (target: Handle<N>, position: number) => void,
): void => {
  const { results } = splitHandle({ handle: $.match(...names) }, {}, { resultCount: count });
  results.forEach(record);
};

/** Records the loop over the groups of a convolution, if it has groups; returns one of these. */
export const recordOneGroup = (
  target: Handle<ConvolutionName>,
  operation: Operation,
): Handle<typeof convolutionName> => {
  const { form } = slicedAs(operation)!;
  return form.kind === 'dense'
    ? (target as Handle<typeof convolutionName>)
    : recordGroups(target, form).convolution;
};

/** Records the steps of a stage, once to make the next stage's module, then again in the whole schedule. */
export type Stage = readonly [name: string, record: ($: Script) => void];

/** What a schedule is made for, as a `Scheduler` is given it. */
export interface Scheduled {
  readonly payload: Module;
  readonly target: Target;
  readonly planning: Planning;
  readonly form: ScheduleForm;
}

const recordStage = ($: Script, [name, record]: Stage): void => {
  $.at(here, () => $.stage(name, () => record($)));
};

/** A module after a stage. */
export const runStage = (stage: Stage, module: Module, registry: Registry): Diagnosed<Module> => {
  const { module: script } = schedule(($) => {
    recordStage($, stage);
    return undefined;
  });
  return mapSuccess(runSchedule(script, module, { registry }), (result) => result.module);
};

/**
 * The target's own schedule behind stages that change the module, each made for what those before it leave; `after` is
 * recorded last. A stage that is undefined is left out.
 */
export const scheduleBehind = (
  { payload, target, planning, form }: Scheduled,
  stages: readonly ((module: Module) => Stage | undefined)[],
  after?: Stage,
): Diagnosed<TargetSchedule> => {
  const registry = planning.registry ?? defaultRegistry;
  const before: Stage[] = [];
  let changed: Diagnosed<Module> = success(payload);
  for (const make of stages)
    changed = andThen(changed, (module) => {
      const stage = make(module);
      if (stage === undefined) return success(module);
      before.push(stage);
      return runStage(stage, module, registry);
    });
  return andThen(changed, (module) =>
    mapSuccess(planTarget(module, target, planning, form), ({ plans, record }) => ({
      ...schedule(($) => {
        for (const stage of before) recordStage($, stage);
        record($);
        if (after !== undefined) recordStage($, after);
        return undefined;
      }),
      plans,
    })),
  );
};
