/** `sconv schedule`: prints the target's schedule for a payload, as editable text. */
import { edgeChoices } from '@sconv/csa';
import type { EdgeChoice } from '@sconv/csa';
import { andThen, mapSuccess } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { Command } from 'commander';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, readSource, reportAll } from '../console.ts';
import { defaultRegistry } from '../default-registry.ts';
import { schedulerNames, schedulerOf } from '../schedulers.ts';
import { targetSchedule } from '../target-schedule.ts';
import { givenOption } from './given-option.ts';
import { nameOption } from './name-option.ts';
import { loadPlanner, plannerOption } from './planner-option.ts';
import { targetOf } from './target-option.ts';
import { targetNames } from './targets.ts';

interface ScheduleCommandOptions {
  readonly target: string;
  readonly edges: EdgeChoice;
  readonly schedule?: string;
  readonly planner?: string;
  readonly short?: true;
}

/** Prints the schedule; returns the exit code. */
const execute = async (path: string, options: ScheduleCommandOptions, output: Console): Promise<number> => {
  const sources: SourceFile[] = [];
  const form = options.short === true ? 'sconv' : 'expanded';
  const result = andThen(await loadPlanner(options.planner), (planner) =>
    andThen(readSource(path), (source) => {
      sources.push(source);
      const parsed = parseModule(source.text, { registry: defaultRegistry, fileName: source.name });
      const planning = planner === undefined ? { edges: options.edges } : { planner };
      const make = schedulerOf(options.schedule) ?? targetSchedule;
      return andThen(parsed, (module) => make(module, targetOf(options.target), planning, form));
    }),
  );
  const text = mapSuccess(result, (schedule) => schedule.toMlir(defaultRegistry));
  reportAll(output, text.diagnostics, sources);
  if (text.status !== 'success') return failed;
  output.out(text.value);
  return 0;
};

/** The command `schedule PAYLOAD`; reports its exit code to `onExit`. */
export const scheduleCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('schedule')
    .description('print the schedule that slices the convolutions of an MLIR file for a target')
    .argument('<payload>', 'a file, or - for the standard input')
    .addOption(
      nameOption('--target <name>', 'what to plan for', 'target', [...targetNames, 'host']).default('wasm'),
    )
    .addOption(
      nameOption('--edges <how>', 'how remainders are computed', 'kind of edges', edgeChoices).default(
        'best',
      ),
    )
    .addOption(
      nameOption('--schedule <name>', 'compute convolutions another way', 'schedule', schedulerNames),
    )
    .option(
      '--short',
      'one transform.structured.sconv per convolution, instead of the steps that it expands to',
    )
    .option(...plannerOption);
  command.action(async (payload: string, options: ScheduleCommandOptions) => {
    if (options.planner !== undefined && givenOption(command, ['edges']) !== undefined) {
      command.error('error: --edges cannot be given with --planner, which determines them', {
        exitCode: badUsage,
      });
    }
    onExit(await execute(payload, options, output));
  });
  return command;
};
