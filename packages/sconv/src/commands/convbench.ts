/** `sconv convbench`: compiles, runs, checks and times the convolutions of ConvBench. */
import { cpus } from 'node:os';
import type { Diagnosed, Diagnostic, Failed } from '@sconv/diagnostics';
import { andThen, diagnosticDocument, mapSuccess, success } from '@sconv/diagnostics';
import { Command, InvalidArgumentError } from 'commander';
import type { Console } from '../console.ts';
import { badUsage, failed, progressOf, reportAll } from '../console.ts';
import type { DatasetRow } from '../convbench/datasets.ts';
import { datasetNames, readDatasets } from '../convbench/datasets.ts';
import { drawRecords } from '../convbench/picture.ts';
import type { Entry, Header, Records } from '../convbench/records.ts';
import { inOrder, mergeRecords, newRecords, noFile, resumedRecords } from '../convbench/record-files.ts';
import type { RecordFile } from '../convbench/record-files.ts';
import { printEntry, printHeader } from '../convbench/records.ts';
import { printProblems, printSummary, summarise } from '../convbench/summary.ts';
import { survey } from '../convbench/survey.ts';
import { jsonDocument } from '../json-document.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { version } from '../version.ts';
import { writeFile } from '../write-file.ts';
import { parseCount } from './count-option.ts';
import { givenOption } from './given-option.ts';
import { codeUntilInterrupted } from './interrupt.ts';
import { targetOption } from './target-option.ts';

/** Part `index` of `count`. */
interface Shard {
  readonly index: number;
  readonly count: number;
}

interface ConvbenchOptions {
  readonly target: string;
  readonly samples: number;
  readonly jobs: number;
  readonly shard?: Shard;
  readonly every: number;
  readonly output?: string;
  readonly resume?: string;
  readonly merge?: readonly string[];
  readonly svg?: string;
  readonly json?: true;
}

const parseShard = (text: string): Shard => {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new InvalidArgumentError('a part such as 1/4');
};

const parseSamples = (text: string): number => {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a number from 0');
};

/** The requested rows; rows with the same convolution go to the same shard. */
const chosenRows = (
  rows: readonly DatasetRow[],
  { every, shard }: ConvbenchOptions,
): readonly DatasetRow[] => {
  const asked = rows.filter((_, i) => i % every === 0);
  if (shard === undefined) return asked;
  const positions = new Map([...new Set(asked.map(({ text }) => text))].map((text, i) => [text, i]));
  return asked.filter(({ text }) => positions.get(text)! % shard.count === shard.index - 1);
};

/** Runs what is missing; returns the entries of all rows. Stops if an entry cannot be written. */
const runRows = async (
  rows: readonly DatasetRow[],
  options: ConvbenchOptions,
  file: RecordFile,
  output: Console,
  signal: AbortSignal,
): Promise<Diagnosed<readonly Entry[]>> => {
  const progress = progressOf(output);
  const names = new Set(rows.map(({ name }) => name));
  const entries = file.before.filter(({ row }) => names.has(row));
  const there = new Set(entries.map(({ row }) => row));
  const left = rows.filter(({ name }) => !there.has(name));
  const byShape = new Map<string, DatasetRow[]>();
  for (const row of left) byShape.set(row.text, [...(byShape.get(row.text) ?? []), row]);
  let done = 0;
  let lost: Failed | undefined;
  const stop = new AbortController();
  const { target, samples, jobs } = options;
  const running = { target, samples, jobs, signal: AbortSignal.any([signal, stop.signal]) };
  await survey([...byShape.keys()], running, (shape, outcome) => {
    for (const { name } of byShape.get(shape)!) {
      const entry = { row: name, shape, ...outcome };
      const written = file.write(entry);
      if (written.status === 'success') entries.push(entry);
      else {
        lost ??= written;
        stop.abort();
      }
    }
    done += 1;
    progress.say(`${done} of ${byShape.size} convolutions, ${shape}`);
  });
  progress.end();
  return lost ?? success(entries);
};

/** Prints, draws and writes the summary of records; returns the exit code. */
const deliver = (
  { header, entries }: Pick<Records, 'header' | 'entries'>,
  { svg, json }: ConvbenchOptions,
  output: Console,
  warnings: readonly Diagnostic[] = [],
): number => {
  const written = svg === undefined ? success(undefined) : writeFile(svg, drawRecords(entries));
  reportAll(output, written.diagnostics, []);
  const summaries = summarise(entries);
  output.out(
    json === true
      ? jsonDocument({
          header,
          datasets: summaries,
          rows: entries,
          diagnostics: [...warnings, ...written.diagnostics].map(diagnosticDocument),
        })
      : printSummary(summaries) + printProblems(entries),
  );
  return written.status === 'success' && entries.every(({ check }) => check === 'right') ? 0 : failed;
};

const runMerge = (paths: readonly string[], options: ConvbenchOptions, output: Console): number => {
  const merged = andThen(mergeRecords(paths), (records) => {
    if (options.output === undefined) return success(records);
    const text = printHeader(records.header) + records.entries.map(printEntry).join('');
    return mapSuccess(writeFile(options.output, text), () => records);
  });
  reportAll(output, merged.diagnostics, []);
  return merged.status === 'success' ? deliver(merged.value, options, output, merged.diagnostics) : failed;
};

const openRecords = (header: Header, { output, resume }: ConvbenchOptions): Diagnosed<RecordFile> => {
  if (resume !== undefined) return resumedRecords(resume, header);
  return output === undefined ? success(noFile) : newRecords(output, header);
};

const runSurvey = async (
  datasets: readonly string[],
  options: ConvbenchOptions,
  output: Console,
): Promise<number> => {
  const header: Header = {
    kind: 'sconv convbench',
    version: version(),
    target: options.target,
    samples: options.samples,
    cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
  };
  const prepared = andThen(readDatasets(datasets), (rows) =>
    mapSuccess(openRecords(header, options), (file) => ({ rows: chosenRows(rows, options), file })),
  );
  reportAll(output, prepared.diagnostics, []);
  if (prepared.status !== 'success') return failed;
  const { rows, file } = prepared.value;
  return codeUntilInterrupted(async (signal) => {
    try {
      const found = await runRows(rows, options, file, output, signal);
      reportAll(output, found.diagnostics, []);
      if (found.status !== 'success') return failed;
      return deliver({ header, entries: inOrder(found.value) }, options, output);
    } finally {
      file.close();
    }
  });
};

/** Options that say what is run, and how. */
const ofRuns = ['target', 'samples', 'jobs', 'shard', 'every', 'resume'];

/** The command `convbench [DATASET…]`; reports its exit code to `onExit`. */
export const convbenchCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('convbench')
    .description('run the convolutions of ConvBench: compile, execute, check every element, time')
    .argument(
      '[dataset...]',
      `some of ${datasetNames.join(', ')}, or CSV files of ConvBench's form (default: the first three)`,
    )
    .addOption(targetOption())
    .option(
      '--samples <n>',
      'timed samples of each convolution, of which the median counts; 0: none',
      parseSamples,
      3,
    )
    .option('--jobs <n>', 'processes at once, which disturb the times of each other', parseCount, 1)
    .option('--shard <i/n>', 'only this part of the convolutions, 1/4 for the first of four', parseShard)
    .option('--every <n>', 'only every n-th row', parseCount, 1)
    .option('--output <file>', 'write a record of each row to a new file, one line of JSON each')
    .option('--resume <file>', 'continue such a file, or begin it: its rows are not run again')
    .option('--merge <files...>', 'merge such files of several shards instead of running anything')
    .option('--svg <file>', 'draw speeds and predictions')
    .option('--json', 'one JSON document');
  command.action(async (datasets: readonly string[], options: ConvbenchOptions) => {
    const usage = (message: string): never => command.error(`error: ${message}`, { exitCode: badUsage });
    if (options.output !== undefined && options.resume !== undefined)
      usage('--output creates a new file and --resume continues one: give only one of them');
    if (options.merge !== undefined) {
      const surplus = datasets.length > 0 ? 'datasets' : givenOption(command, ofRuns);
      if (surplus !== undefined) usage(`--merge cannot be given with ${surplus}: it runs nothing`);
      onExit(runMerge(options.merge, options, output));
      return;
    }
    if (options.target === 'wasm-relaxed' && !enableRelaxedSimd())
      command.error('error: this engine has no relaxed SIMD', { exitCode: failed });
    onExit(await runSurvey(datasets.length === 0 ? datasetNames.slice(0, 3) : datasets, options, output));
  });
  return command;
};
