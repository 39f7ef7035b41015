/** `sconv tune`: measures plans for convolutions on this machine, and keeps records of them. */
import { CsaError, parseShape, printShape } from '@sconv/csa';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { andThen, success, unknownName } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule } from '@sconv/ir';
import type { Budget, WorkUnit } from '@sconv/tuning';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ClockName } from '../bench/clock.ts';
import { clockNames } from '../bench/clock.ts';
import type { NamedShape } from '../bench/shape-sets.ts';
import { shapeSet, shapeSetNames } from '../bench/shape-sets.ts';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, progressOf, readSource, reportAll } from '../console.ts';
import { convolutionPayload } from '../convolution-payload.ts';
import { defaultRegistry } from '../default-registry.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { parseSchedule } from '../parse-schedule.ts';
import { specOfShape } from '../spec-of-shape.ts';
import { drawTuning, jsonReport, namedWorkloads, textReport } from '../tune/report.ts';
import type { Strategy } from '../tune/strategies.ts';
import { strategyNames } from '../tune/strategies.ts';
import type { TuneOptions } from '../tune/tune.ts';
import { tune } from '../tune/tune.ts';
import { tuneByWorkers } from '../tune/tune-by-workers.ts';
import type { TuneSettings, TuneTaskOutcome } from '../tune/work-units.ts';
import { tuneUnit } from '../tune/work-units.ts';
import { writeFile } from '../write-file.ts';
import { parseCount } from './count-option.ts';
import { givenOption } from './given-option.ts';
import { codeUntilInterrupted } from './interrupt.ts';
import { nameOption } from './name-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { targetOf, targetOption } from './target-option.ts';
import { progressText } from './tune-progress.ts';
import { tuneExportCommand } from './tune-export.ts';
import { tuneWorkCommand } from './tune-work.ts';
import { verboseOption } from './verbose-option.ts';

interface TuneCommandOptions {
  readonly set?: string;
  readonly target: string;
  readonly budget: Budget;
  readonly strategy: Strategy;
  readonly warm?: true;
  readonly filters: 'arguments' | 'bound';
  readonly clock: ClockName;
  readonly jobs: number;
  readonly work?: string;
  readonly seed: number;
  readonly function?: string;
  readonly schedule?: string;
  readonly output?: string;
  readonly resume?: true;
  readonly json?: true;
  readonly svg?: string;
}

/** `200` candidates, or `60s`. */
const parseBudget = (text: string): Budget => {
  const found = /^([1-9]\d{0,5})(s?)$/.exec(text);
  if (found === null) throw new InvalidArgumentError('a number of candidates, or of seconds as in 60s');
  const [, digits, unit] = found;
  return unit === 's'
    ? { kind: 'seconds', seconds: Number(digits) }
    : { kind: 'candidates', count: Number(digits) };
};

/** What is tuned by itself. */
interface Subject {
  readonly name: string;
  readonly payload: () => Diagnosed<Module>;
}

const shapeSubject = ({ name, shape }: NamedShape): Subject => ({
  name: [name, printShape(shape)].filter((part) => part !== '').join(' '),
  // What is tuned overwrites its output, as layers of models do.
  payload: () => success(convolutionPayload({ ...specOfShape(shape), accumulate: false })),
});

/** The words of the command line; a malformed one throws a `CsaError` or a `RangeError`. */
const subjectsOf = (
  words: readonly string[],
  set: string | undefined,
  sources: SourceFile[],
): readonly Subject[] => {
  const ofSet = set === undefined ? [] : shapeSet(set);
  if (ofSet === undefined) throw new RangeError(unknownName('set of shapes', set!, shapeSetNames));
  const given = words.map((word): Subject => {
    // Shapes begin with a number.
    if (/^\d+x/.test(word)) return shapeSubject({ name: '', shape: parseShape(word) });
    return {
      name: word,
      payload: () =>
        andThen(readSource(word), (source) => {
          sources.push(source);
          return parseModule(source.text, { registry: defaultRegistry, fileName: source.name });
        }),
    };
  });
  return [...ofSet.filter(({ isProduct }) => isProduct !== true).map(shapeSubject), ...given];
};

/** What came of a subject. */
interface Tuned {
  readonly name: string;
  readonly outcome: TuneTaskOutcome;
}

/** What was tuned, as far as it went: what failed is reported. */
interface AllTuned {
  readonly tuned: readonly Tuned[];
  readonly hasFailed: boolean;
}

/** What all subjects are tuned with. */
const settingsOf = (options: TuneCommandOptions, jobs: number): TuneSettings => ({
  budget: options.budget,
  strategy: options.strategy,
  temperature: options.warm === true ? 'warm' : 'cold',
  filters: options.filters,
  clock: options.clock,
  jobs,
  seed: options.seed,
  ...(options.function === undefined ? {} : { functionName: options.function }),
});

type Report = (diagnostics: readonly Diagnostic[]) => void;

/** The schedule of `--schedule`, if it is given. */
const scriptOf = (file: string | undefined, sources: SourceFile[]): Diagnosed<Module | undefined> =>
  file === undefined
    ? success(undefined)
    : andThen(readSource(file), (source) => {
        sources.push(source);
        return parseSchedule(source, defaultRegistry);
      });

/** Tunes one after the other, in this process. */
const tuneInTurn = async (
  subjects: readonly Subject[],
  options: TuneCommandOptions,
  progress: ReturnType<typeof progressOf>,
  report: Report,
  signal: AbortSignal,
  sources: SourceFile[],
): Promise<AllTuned> => {
  const tuned: Tuned[] = [];
  const script = scriptOf(options.schedule, sources);
  if (script.status !== 'success') {
    report(script.diagnostics);
    return { tuned, hasFailed: true };
  }
  let isResumed = options.resume === true;
  for (const { name, payload } of subjects) {
    if (signal.aborted) break;
    const settings: TuneOptions = {
      ...settingsOf(options, options.jobs),
      target: targetOf(options.target),
      signal,
      ...(script.value === undefined ? {} : { schedule: script.value }),
      ...(options.output === undefined ? {} : { records: { path: options.output, isResumed } }),
      onProgress: (step) => progress.say(progressText(name, step)),
    };
    const given = payload();
    const result = given.status === 'success' ? await tune(given.value, settings) : given;
    report(result.diagnostics);
    if (result.status !== 'success') return { tuned, hasFailed: true };
    // The next one adds to the file that this one has begun.
    isResumed = true;
    tuned.push({ name, outcome: result.value });
  }
  return { tuned, hasFailed: false };
};

/** Has processes tune, each another subject. */
const tuneAtOnce = async (
  subjects: readonly Subject[],
  options: TuneCommandOptions,
  progress: ReturnType<typeof progressOf>,
  report: Report,
  signal: AbortSignal,
): Promise<AllTuned> => {
  const { work, jobs, output } = options;
  const settings = settingsOf(options, Math.max(1, Math.floor(jobs / subjects.length)));
  const units: WorkUnit[] = [];
  for (const { name, payload } of subjects) {
    const given = payload();
    report(given.diagnostics);
    if (given.status !== 'success') return { tuned: [], hasFailed: true };
    units.push(await tuneUnit(name, given.value, options.target, settings));
  }
  const results = await tuneByWorkers(units, {
    work,
    workers: jobs,
    output: output === undefined ? undefined : { path: output, isResumed: options.resume === true },
    signal,
    onProgress: ({ done, of, claimed, waiting }) =>
      progress.say(`${done}/${of} done, ${claimed} at work, ${waiting} waiting`),
  });
  report(results.diagnostics);
  if (results.status !== 'success') return { tuned: [], hasFailed: true };
  const tuned = results.value.flatMap((result, i) => {
    report(result?.diagnostics ?? []);
    return result?.outcome === undefined ? [] : [{ name: subjects[i]!.name, outcome: result.outcome }];
  });
  return { tuned, hasFailed: results.value.some((each) => each !== undefined && each.outcome === undefined) };
};

/** Tunes; returns the exit code. */
const execute = async (
  subjects: readonly Subject[],
  sources: SourceFile[],
  options: TuneCommandOptions,
  output: Console,
  signal: AbortSignal,
): Promise<number> => {
  const progress = progressOf(output);
  const diagnostics: Diagnostic[] = [];
  const report = (more: readonly Diagnostic[]): void => {
    progress.end();
    reportAll(output, more, sources);
    diagnostics.push(...more);
  };
  const isShared = options.work !== undefined || (options.jobs > 1 && subjects.length > 1);
  const { tuned, hasFailed } = await (isShared ? tuneAtOnce : tuneInTurn)(
    subjects,
    options,
    progress,
    report,
    signal,
    sources,
  );
  const last = tuned.at(-1);
  if (last === undefined || (hasFailed && !isShared)) return failed;
  const workloads = tuned.flatMap(({ name, outcome }) => namedWorkloads(name, outcome.workloads));
  const { fingerprint, protocol, core } = last.outcome;
  const target = targetOf(options.target).name;
  const whole = { target, fingerprint, protocol, core, workloads, isInterrupted: signal.aborted };
  const drawn =
    options.svg === undefined ? success(undefined) : writeFile(options.svg, drawTuning(workloads));
  report(drawn.diagnostics);
  output.out(options.json === true ? jsonReport(whole, diagnostics) : textReport(whole));
  return drawn.status === 'success' && !hasFailed ? 0 : failed;
};

/** The command `tune`; reports its exit code to `onExit`. */
export const tuneCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('tune')
    .description('measure plans for convolutions on this machine, and keep the fastest')
    .argument('[what...]', 'convolutions such as 1x64x58x58,64x64x3x3, or MLIR files')
    .option('--set <name>', `a set of convolutions: ${shapeSetNames.join(', ')}`)
    .addOption(targetOption())
    .addOption(
      new Option('--budget <n>', 'for each convolution: a number of candidates, or of seconds, as in 60s')
        .argParser(parseBudget)
        .default(parseBudget('100'), '100'),
    )
    .addOption(
      nameOption(
        '--strategy <name>',
        'tilings: changes of the best so far, the least predicted cost, or any; optimization schemes: ' +
          "those that move least, those by the paper's rule, or any",
        'strategy',
        strategyNames,
      ).default('evolve'),
    )
    .option('--warm', 'calls on the same tensors, in place of others in every run and flushed caches')
    .addOption(
      nameOption('--filters <use>', 'arguments of every call, or bound beforehand', 'use of filters', [
        'arguments',
        'bound',
      ]).default('arguments'),
    )
    .addOption(
      nameOption(
        '--clock <name>',
        'time that passes, or that the processor works for the process',
        'clock',
        clockNames,
      ).default('wall'),
    )
    .option(
      '--jobs <n>',
      'processes that compile at once, each for another convolution; nothing is compiled while times are taken, ' +
        'which one process does at a time',
      parseCount,
      1,
    )
    .option(
      '--work <folder>',
      'a folder for the work, or the URL of a Redis server (@sconv/tuning-bullmq), which processes of other machines ' +
        'like this one can share by sconv tune work; one that was interrupted is gone on with',
    )
    .option('--seed <n>', 'of the search', parseCount, 1)
    .option('--function <name>', 'the function of a file to tune, if there are several')
    .option(
      '--schedule <file>',
      'a transform script that leaves choices open (transform.tune.knob, transform.tune.alternatives): explore ' +
        'these, in place of plans',
    )
    .option('-o, --output <file>', 'a new file for the records, one line of JSON each')
    .option('--resume', 'add to the file: what its records know is not measured again')
    .option(...verboseOption)
    .option('--json', 'one JSON document')
    .option('--svg <file>', 'draw measured times against predictions too');
  command.addCommand(tuneWorkCommand(onExit, output));
  command.addCommand(tuneExportCommand(onExit, output));
  command.action(async (words: readonly string[], options: TuneCommandOptions) => {
    const usage = (message: string): never => command.error(`error: ${message}`, { exitCode: badUsage });
    checkStandardInput(command, words);
    const other = givenOption(command, ['strategy', 'jobs', 'work']);
    if (options.schedule !== undefined && other !== undefined)
      usage(`${other} is of plans: --schedule goes without it`);
    if (options.resume === true && options.output === undefined) usage('--resume goes with --output only');
    const sources: SourceFile[] = [];
    let subjects: readonly Subject[] = [];
    try {
      subjects = subjectsOf(words, options.set, sources);
    } catch (problem) {
      if (!(problem instanceof CsaError) && !(problem instanceof RangeError)) throw problem;
      usage(problem.message);
    }
    if (subjects.length === 0) usage('nothing to tune: give convolutions, files, or a set with --set');
    if (options.target === 'wasm-relaxed' && !enableRelaxedSimd())
      command.error('error: this engine has no relaxed SIMD', { exitCode: failed });
    onExit(await codeUntilInterrupted((signal) => execute(subjects, sources, options, output, signal)));
  });
  return command;
};
