/** The first step of compilation: applies the given schedule to a payload, or the target's own. */
import type { CostModelName, Dataflow, EdgeChoice, KernelChoice } from '@sconv/csa';
import type { Diagnosed, Diagnostic, Location } from '@sconv/diagnostics';
import { andThen, filePosition, mapSuccess, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { Planner } from '@sconv/plans';
import { isSlicingSchedule } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import type { RunOptions, Schedule } from '@sconv/transform';
import { expansionsIn, runSchedule } from '@sconv/transform';
import { epiloguesOf } from './epilogues.ts';
import type { Scheduler } from './scheduler.ts';
import type { PlannedConvolution } from './target-schedule.ts';
import type { TunedPlans } from './tuned-plan.ts';
import { sliceable, streamedProducts, targetSchedule } from './target-schedule.ts';

/** A scheduled payload, and how its convolutions were sliced. */
export interface ScheduledModule {
  readonly module: Module;
  readonly plans: readonly PlannedConvolution[];
}

/** A recorded schedule, a script, one that is made for the payload, or the target's with this operand stationary. */
export type ScheduleChoice = Schedule | Module | Scheduler | Dataflow;

/** How to schedule a payload: a part of `CompileOptions`. */
export interface Scheduling {
  readonly target: Target;
  readonly schedule?: ScheduleChoice;
  readonly costModel?: CostModelName;
  readonly edges?: EdgeChoice;
  readonly threads?: number;
  readonly planner?: Planner<KernelChoice>;
  readonly tuned?: TunedPlans;
}

/** Schedules a payload; returns its convolutions with their plans. */
export const schedulePayload = (
  payload: Module,
  { target, schedule, costModel, edges, threads, planner, tuned }: Scheduling,
  options: Pick<RunOptions, 'registry' | 'signal'>,
): Diagnosed<ScheduledModule> => {
  if (typeof schedule === 'object') {
    return runScript('toMlir' in schedule ? schedule.module : schedule, payload, options);
  }
  const isMade = typeof schedule === 'function';
  const sliced = sliceable(payload, target, planner);
  if (!isMade && sliced.length === 0 && streamedProducts(payload, target, sliced).size === 0)
    return success({ module: payload, plans: [] }, epiloguesOf(payload, [], options.registry).warnings);
  const planning = {
    registry: options.registry,
    ...(schedule === undefined || isMade ? {} : { schedule }),
    ...(costModel === undefined ? {} : { costModel }),
    ...(edges === undefined ? {} : { edges }),
    ...(threads === undefined ? {} : { threads }),
    ...(planner === undefined ? {} : { planner }),
    ...(tuned === undefined ? {} : { tuned }),
  };
  const make = isMade ? schedule : targetSchedule;
  return andThen(make(payload, target, planning, 'unchecked'), ({ module: script, plans }) => {
    const result = mapSuccess(runSchedule(script, payload, options), ({ module }) => ({ module, plans }));
    return { ...result, diagnostics: inPayload(result.diagnostics, script) };
  });
};

/** Runs a given schedule, and records its plans. */
const runScript = (
  script: Module,
  payload: Module,
  options: Pick<RunOptions, 'registry' | 'signal'>,
): Diagnosed<ScheduledModule> => {
  const plans: PlannedConvolution[] = [];
  let openSteps = 0;
  const result = runSchedule(script, payload, {
    ...options,
    trace: {
      enter: ({ kind }) => {
        if (kind === 'step') openSteps += 1;
      },
      leave: (node) => {
        if (node.kind === 'group') return;
        openSteps -= 1;
        // An enclosing step may still roll it back.
        if (openSteps > 0) return;
        for (const { target, schedule } of expansionsIn({ children: [node] })) {
          if (isSlicingSchedule(schedule)) plans.push({ operation: target, plan: schedule.plan });
        }
      },
    },
  });
  return mapSuccess(result, ({ module }) => ({ module, plans }));
};

/** Diagnostics of a generated schedule, reduced to what they say about the payload. */
const inPayload = (diagnostics: readonly Diagnostic[], script: Module): readonly Diagnostic[] => {
  if (diagnostics.length === 0) return diagnostics;
  const fileOf = ({ location }: { readonly location: Location }) => filePosition(location)?.file;
  const recordedIn = new Set([...walk(script.root)].map(fileOf).filter((file) => file !== undefined));
  return diagnostics.map((diagnostic) => {
    const isOfPayload = (part: { readonly location: Location }): boolean =>
      !recordedIn.has(fileOf(part) ?? '');
    const notes = diagnostic.notes.filter(isOfPayload);
    const [first] = notes;
    return isOfPayload(diagnostic) || first === undefined
      ? { ...diagnostic, notes }
      : { ...diagnostic, location: first.location, notes: notes.slice(1) };
  });
};
