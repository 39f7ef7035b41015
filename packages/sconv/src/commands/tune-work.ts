/** `sconv tune work`: does the units of a folder of work, or of queues, that are for this machine. */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { andThen, diagnosticDocument, mapSuccess, success } from '@sconv/diagnostics';
import type { TuningSignal, WorkClaim, WorkUnit } from '@sconv/tuning';
import { doWork, openWorkFolder } from '@sconv/tuning';
import { Command } from 'commander';
import type { Console } from '../console.ts';
import { failed, progressOf, reportAll } from '../console.ts';
import { jsonDocument } from '../json-document.ts';
import { plural } from '../run/report.ts';
import { isQueueUrl, openQueues } from '../tune/open-queues.ts';
import type { TuneReport } from '../tune/report.ts';
import { namedWorkloads, reportDocument, textReport } from '../tune/report.ts';
import type { TuneTask, TuneTaskResult } from '../tune/work-units.ts';
import { doTuneTask, keysOfThisMachine, suitsThisMachine } from '../tune/work-units.ts';
import { codeUntilInterrupted } from './interrupt.ts';
import { verboseOption } from './verbose-option.ts';

/** What of a unit tuning takes, from a folder or a queue. */
interface UnitAtWork {
  readonly unit: WorkUnit;
  /** The file of its records. */
  readonly records: string;
  /** Files with the records of others. */
  readonly others: readonly string[];
  readonly say: (what: string) => void;
}

type DoUnit = (atWork: UnitAtWork, signal: TuningSignal) => Promise<TuneTaskResult>;

/** How much was done, and how much is left to others. */
interface Done {
  readonly count: number;
  readonly foreign: number;
}

/** Does the units of a folder that are for this machine. */
const workOnFolder = async (
  path: string,
  work: DoUnit,
  say: (what: string) => void,
  signal: AbortSignal,
): Promise<Diagnosed<Done>> => {
  const opened = openWorkFolder(path, { create: false });
  if (opened.status !== 'success') return opened;
  const folder = opened.value;
  const suits = await suitsThisMachine();
  const one = async ({ unit, records }: WorkClaim, ending: TuningSignal): Promise<TuneTaskResult> => {
    const others = folder.recordFiles();
    if (others.status !== 'success') return { diagnostics: others.diagnostics };
    return work({ unit, records, others: others.value, say }, ending);
  };
  return andThen(await doWork(folder, suits, one, { signal }), (count) =>
    mapSuccess(
      folder.look((unit) => !suits(unit)),
      ({ waiting }) => ({ count, foreign: waiting }),
    ),
  );
};

/** Does the units of the queues for this machine; those for others are in other queues. */
const workOnQueues = async (
  url: string,
  work: DoUnit,
  say: (what: string) => void,
  signal: AbortSignal,
): Promise<Diagnosed<Done>> => {
  const opened = await openQueues(url);
  if (opened.status !== 'success') return opened;
  const queues = opened.value;
  const both: DoUnit = (claim, ending) => {
    const sayBoth = (what: string): void => {
      say(what);
      claim.say(what);
    };
    return work({ ...claim, say: sayBoth }, ending);
  };
  const done = await queues.work(await keysOfThisMachine(), both, { signal });
  queues.close();
  return andThen(done, (count) => success({ count, foreign: 0 }, opened.diagnostics));
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
  const report = (more: readonly Diagnostic[]): void => {
    progress.end();
    reportAll(output, more, []);
    diagnostics.push(...more);
  };
  const reports: TuneReport[] = [];
  let failures = 0;
  const work: DoUnit = async ({ unit, records, others, say }, ending) => {
    const result = await doTuneTask(unit.task, { path: records, isResumed: true, others }, ending, say);
    report(result.diagnostics);
    if (result.outcome === undefined) failures += 1;
    else {
      const { name, target } = unit.task as TuneTask;
      const workloads = namedWorkloads(name, result.outcome.workloads);
      const whole = { ...result.outcome, target, workloads, isInterrupted: ending.aborted };
      reports.push(whole);
      if (json !== true) output.out(textReport(whole));
    }
    return result;
  };
  const done = await (isQueueUrl(path) ? workOnQueues : workOnFolder)(path, work, progress.say, signal);
  report(done.diagnostics);
  if (done.status !== 'success') return failed;
  const { count, foreign } = done.value;
  if (json === true)
    output.out(
      jsonDocument({
        done: count,
        foreign,
        units: reports.map(reportDocument),
        diagnostics: diagnostics.map(diagnosticDocument),
      }),
    );
  else
    output.out(
      `${plural(count, 'unit')} done` +
        (foreign === 0 ? '\n' : `, ${foreign} left to other machines, or other versions\n`),
    );
  return failures === 0 ? 0 : failed;
};

/** The command `tune work FOLDER`; reports its exit code to `onExit`. */
export const tuneWorkCommand = (onExit: (code: number) => void, output: Console): Command =>
  new Command('work')
    .description(
      'tune what there is for this machine in a folder of work, or in the queues of a Redis server, until nothing is ' +
        'left; any number of processes do that, on all machines that share it',
    )
    .argument('<folder>', 'the folder, or the URL, of --work')
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
