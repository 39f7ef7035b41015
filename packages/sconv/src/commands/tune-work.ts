/** `sconv tune work`: does the units of a folder of work that are for this machine. */
import type { Diagnostic } from '@sconv/diagnostics';
import { andThen, success } from '@sconv/diagnostics';
import type { TuningSignal, WorkClaim, WorkFolder } from '@sconv/tuning';
import { doWork, openWorkFolder } from '@sconv/tuning';
import { Command } from 'commander';
import type { Console } from '../console.ts';
import { failed, progressOf, reportAll } from '../console.ts';
import { diagnosticDocument, jsonDocument } from '../json-document.ts';
import { plural } from '../run/report.ts';
import type { TuneReport } from '../tune/report.ts';
import { namedWorkloads, reportDocument, textReport } from '../tune/report.ts';
import type { TuneTask, TuneTaskResult } from '../tune/work-units.ts';
import { doTuneTask, suitsThisMachine } from '../tune/work-units.ts';
import { codeUntilInterrupted } from './interrupt.ts';
import { progressText } from './tune-progress.ts';
import { verboseOption } from './verbose-option.ts';

/** Tunes what a unit asks for, with what all others know. */
const doUnit = (
  folder: WorkFolder,
  { unit, records }: WorkClaim,
  signal: TuningSignal,
  say: (what: string) => void,
): Promise<TuneTaskResult> => {
  const task = unit.task as TuneTask;
  const others = folder.recordFiles();
  if (others.status !== 'success') return Promise.resolve({ diagnostics: others.diagnostics });
  return doTuneTask(
    task,
    { path: records, isResumed: true, others: others.value },
    {
      signal,
      onProgress: (step) => {
        say(progressText(task.name, step));
      },
    },
  );
};

/** Works until there is nothing left; returns the exit code. */
const execute = async (
  path: string,
  { json }: { readonly json?: true },
  output: Console,
  signal: AbortSignal,
): Promise<number> => {
  const progress = progressOf(output);
  const diagnostics: Diagnostic[] = [];
  const say = (more: readonly Diagnostic[]): void => {
    progress.end();
    reportAll(output, more, []);
    diagnostics.push(...more);
  };
  const reports: TuneReport[] = [];
  const opened = openWorkFolder(path);
  if (opened.status !== 'success') {
    say(opened.diagnostics);
    return failed;
  }
  const folder = opened.value;
  const suits = await suitsThisMachine();
  let failures = 0;
  const work = async (claim: WorkClaim, ending: TuningSignal): Promise<TuneTaskResult> => {
    const result = await doUnit(folder, claim, ending, progress.say);
    say(result.diagnostics);
    if (result.outcome === undefined) failures += 1;
    else {
      const { name, target } = claim.unit.task as TuneTask;
      const workloads = namedWorkloads(name, result.outcome.workloads);
      const report = { ...result.outcome, target, workloads, isInterrupted: ending.aborted };
      reports.push(report);
      if (json !== true) output.out(textReport(report));
    }
    return result;
  };
  const done = await doWork(folder, suits, work, { signal });
  const left = andThen(done, (count) =>
    andThen(
      folder.look((unit) => !suits(unit)),
      ({ waiting }) => success({ count, waiting }),
    ),
  );
  say(left.diagnostics);
  if (left.status !== 'success') return failed;
  const { count, waiting } = left.value;
  if (json === true)
    output.out(
      jsonDocument({
        done: count,
        foreign: waiting,
        units: reports.map(reportDocument),
        diagnostics: diagnostics.map(diagnosticDocument),
      }),
    );
  else
    output.out(
      `${plural(count, 'unit')} done` +
        (waiting === 0 ? '\n' : `, ${waiting} left to other machines, or other versions\n`),
    );
  return failures === 0 ? 0 : failed;
};

/** The command `tune work FOLDER`; reports its exit code to `onExit`. */
export const tuneWorkCommand = (onExit: (code: number) => void, output: Console): Command =>
  new Command('work')
    .description(
      'tune what a folder of work has for this machine, until nothing is left; any number of processes do that, on ' +
        'all machines that share the folder',
    )
    .argument('<folder>', 'the folder of --work')
    .option(...verboseOption)
    .option('--json', 'one JSON document')
    .action(async (folder: string, options: { readonly json?: true }) => {
      onExit(
        await codeUntilInterrupted((signal) => execute(folder, options, output, untilParentEnds(signal))),
      );
    });

/** With the end of the process that has started this one, if there is a channel to it. */
const untilParentEnds = (signal: AbortSignal): AbortSignal => {
  // Without a channel it is undefined.
  if (!('connected' in process)) return signal;
  const ended = new AbortController();
  if (process.connected) {
    process.once('disconnect', () => {
      ended.abort();
    });
    process.channel?.unref();
  } else ended.abort();
  return AbortSignal.any([signal, ended.signal]);
};
