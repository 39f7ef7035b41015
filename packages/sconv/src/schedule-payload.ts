/** The first step of compiling: a payload after the schedule that it is given, or that its target asks for. */
import type { CostModelName, Schedule as Dataflow } from '@sconv/csa';
import type { Diagnosed, Diagnostic, Location } from '@sconv/diagnostics';
import { andThen, filePosition, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { Edges } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import type { RunOptions, Schedule } from '@sconv/transform';
import type { ScheduledModule } from './observed-plans.ts';
import { runObserved } from './observed-plans.ts';
import { convolutionsOf, targetSchedule } from './target-schedule.ts';

/** A recorded schedule, a script, or what the target asks for with this one of its operands stationary. */
export type ScheduleChoice = Schedule | Module | Dataflow;

/** How a payload is scheduled: `CompileOptions`. */
export interface Scheduling {
  readonly target: Target;
  readonly schedule?: ScheduleChoice;
  readonly costModel?: CostModelName;
  readonly edges?: Edges;
}

/** Schedules a payload; its convolutions with their plans. */
export const schedulePayload = (
  payload: Module,
  { target, schedule, costModel, edges }: Scheduling,
  options: Pick<RunOptions, 'registry' | 'signal'>,
): Diagnosed<ScheduledModule> => {
  if (typeof schedule === 'object') {
    return runObserved('toMlir' in schedule ? schedule.module : schedule, payload, options);
  }
  if (convolutionsOf(payload).length === 0) return success({ module: payload, plans: [] });
  const planning = {
    ...(schedule === undefined ? {} : { schedule }),
    ...(costModel === undefined ? {} : { costModel }),
  };
  return andThen(targetSchedule(payload, target, edges, planning), ({ module: script }) => {
    const result = runObserved(script, payload, options);
    return { ...result, diagnostics: inPayload(result.diagnostics, script) };
  });
};

/** Diagnostics of a schedule that no person wrote, with what they say of the payload only. */
const inPayload = (diagnostics: readonly Diagnostic[], script: Module): readonly Diagnostic[] => {
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
