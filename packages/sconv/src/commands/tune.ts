/** `sconv tune`: measures plans for convolutions on this machine, and keeps records of them. */
import { CsaError, parseShape, printShape } from '@sconv/csa';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { andThen, success, unknownName } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule } from '@sconv/ir';
import type { Budget, Progress } from '@sconv/tuning';
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
import { specOfShape } from '../spec-of-shape.ts';
import type { NamedWorkload, TuneReport } from '../tune/report.ts';
import { drawTuning, jsonReport, textReport } from '../tune/report.ts';
import type { Strategy } from '../tune/strategies.ts';
import { strategyNames } from '../tune/strategies.ts';
import type { TuneOptions } from '../tune/tune.ts';
import { tune } from '../tune/tune.ts';
import { writeFile } from '../write-file.ts';
import { parseCount } from './count-option.ts';
import { codeUntilInterrupted } from './interrupt.ts';
import { nameOption } from './name-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { targetOf, targetOption } from './target-option.ts';
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
  readonly seed: number;
  readonly function?: string;
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

const stageNames: Readonly<Record<Progress['stage'], string>> = {
  compile: 'compiling',
  screen: 'measuring',
  confirm: 'measuring the best again',
  final: 'comparing the last ones',
};

/** One line of what is done, with the time that is left. */
const progressText = (name: string, { stage, done, of, best, secondsLeft }: Progress): string => {
  const count = of === undefined ? `${done}` : `${done}/${of}`;
  const gain = best < 1 ? `, best ${best.toFixed(3)} of untuned` : '';
  const left = secondsLeft === undefined ? '' : `, ${Math.ceil(secondsLeft)} s left`;
  return `${name}: ${stageNames[stage]} ${count}${gain}${left}`;
};

/** Tunes one after the other; returns the exit code. */
const execute = async (
  subjects: readonly Subject[],
  sources: readonly SourceFile[],
  options: TuneCommandOptions,
  output: Console,
  signal: AbortSignal,
): Promise<number> => {
  const target = targetOf(options.target);
  const progress = progressOf(output);
  const diagnostics: Diagnostic[] = [];
  const workloads: NamedWorkload[] = [];
  let report: TuneReport | undefined;
  let isResumed = options.resume === true;
  for (const { name, payload } of subjects) {
    if (signal.aborted) break;
    const settings: TuneOptions = {
      target,
      budget: options.budget,
      strategy: options.strategy,
      temperature: options.warm === true ? 'warm' : 'cold',
      filters: options.filters,
      clock: options.clock,
      jobs: options.jobs,
      seed: options.seed,
      signal,
      ...(options.function === undefined ? {} : { functionName: options.function }),
      ...(options.output === undefined ? {} : { records: { path: options.output, isResumed } }),
      onProgress: (step) => progress.say(progressText(name, step)),
    };
    const given = payload();
    const tuned = given.status === 'success' ? await tune(given.value, settings) : given;
    progress.end();
    reportAll(output, tuned.diagnostics, sources);
    diagnostics.push(...tuned.diagnostics);
    if (tuned.status !== 'success') return failed;
    // The next one adds to the file that this one has begun.
    isResumed = true;
    const { fingerprint, protocol, core, workloads: found } = tuned.value;
    workloads.push(
      ...found.map((each, i) => ({ ...each, name: found.length === 1 ? name : `${name} #${i}` })),
    );
    report = { target: target.name, fingerprint, protocol, core, workloads, isInterrupted: signal.aborted };
  }
  if (report === undefined) return failed;
  const drawn =
    options.svg === undefined ? success(undefined) : writeFile(options.svg, drawTuning(workloads));
  reportAll(output, drawn.diagnostics, []);
  output.out(
    options.json === true ? jsonReport(report, [...diagnostics, ...drawn.diagnostics]) : textReport(report),
  );
  return drawn.status === 'success' ? 0 : failed;
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
    .option('--jobs <n>', 'plans compiled at once, before times are taken', parseCount, 1)
    .option('--seed <n>', 'of the search', parseCount, 1)
    .option('--function <name>', 'the function of a file to tune, if there are several')
    .option('-o, --output <file>', 'a new file for the records, one line of JSON each')
    .option('--resume', 'add to the file: what its records know is not measured again')
    .option(...verboseOption)
    .option('--json', 'one JSON document')
    .option('--svg <file>', 'draw measured times against predictions too');
  command.action(async (words: readonly string[], options: TuneCommandOptions) => {
    const usage = (message: string): never => command.error(`error: ${message}`, { exitCode: badUsage });
    checkStandardInput(command, words);
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
