/** `sconv bench`: compares convolutions and matrix products with other libraries, or a payload under two schedules. */
import { basename } from 'node:path';
import { CsaError, parseShape } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, mapSuccess, success, unknownName } from '@sconv/diagnostics';
import type { InputSizes } from '@sconv/onnx';
import { wasmRelaxed } from '@sconv/targets';
import { Command, InvalidArgumentError } from 'commander';
import type { ClockName } from '../bench/clock.ts';
import { clockNames, clocks } from '../bench/clock.ts';
import type { Group } from '../bench/figures.ts';
import type { FilterUse, Implementation } from '../bench/implementation.ts';
import { measurePayload } from '../bench/measure-payload.ts';
import type { SideOptions } from '../bench/measure-sides.ts';
import { onnxruntimeNames } from '../bench/onnxruntime.ts';
import { ours } from '../bench/ours.ts';
import { modelTolerance } from '../model/compare-model.ts';
import { findPeers, peerNames } from '../bench/peers.ts';
import { drawBenchmark } from '../bench/picture.ts';
import type { Conditions, Report } from '../bench/report.ts';
import { jsonReport, markdownReport, textReport } from '../bench/report.ts';
import type { ShapeGroup } from '../bench/run-bench.ts';
import { expectedSeconds, runBench } from '../bench/run-bench.ts';
import type { NamedShape } from '../bench/shape-sets.ts';
import { productOf, shapeSet, shapeSetNames, usualSetNames } from '../bench/shape-sets.ts';
import { targetPeaks } from '../bench/target-peaks.ts';
import { thisMachine } from '../bench/this-machine.ts';
import { withPaddingIncluded } from '../bench/workload.ts';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, progressOf, readSource, reportAll } from '../console.ts';
import { plural } from '../run/report.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { version } from '../version.ts';
import { oursBlocked } from '../bench/blocked.ts';
import { schedulerNames, schedulerOf } from '../schedulers.ts';
import { writeFile } from '../write-file.ts';
import { parseCount } from './count-option.ts';
import { givenOption } from './given-option.ts';
import { codeUntilInterrupted } from './interrupt.ts';
import { nameOption } from './name-option.ts';
import { benchModelFiles } from './bench-models.ts';
import { peersFromOption } from './peer-options.ts';
import { loadPlanner, plannerOption } from './planner-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { parseShare } from './share-option.ts';
import { parseSizes } from './sizes-option.ts';
import { targetOf, targetOption } from './target-option.ts';
import { verboseOption } from './verbose-option.ts';

interface BenchCommandOptions {
  readonly shapes?: readonly string[];
  readonly models?: readonly string[];
  readonly sizes?: InputSizes;
  readonly starts: number;
  readonly tolerance?: number;
  readonly schedule?: string;
  readonly compare?: string;
  readonly planner?: string;
  readonly schedulers?: true;
  readonly function?: string;
  readonly filters: 'bound' | 'arguments' | 'both';
  readonly padding: Conditions['padding'];
  readonly peers?: readonly string[];
  readonly peersFrom: readonly string[];
  readonly target: string;
  readonly relaxed?: true;
  readonly threads?: number;
  readonly samples: number;
  readonly clock: ClockName;
  readonly json?: true;
  readonly markdown?: string;
  readonly svg?: string;
}

/** Collects names; undefined before the first. */
const parsePeer = (name: string, previous: readonly string[] | undefined = []): readonly string[] => {
  if (name === 'none') return previous;
  if (peerNames.includes(name)) return [...previous, name];
  throw new InvalidArgumentError(unknownName('peer', name, [...peerNames, 'none']));
};

/** The groups that the words name: one per set, one for all convolutions, and one for all matrix products. */
const parseGroups = (words: readonly string[], padding: Conditions['padding']): readonly ShapeGroup[] => {
  const adapted = ({ shape, ...rest }: NamedShape): NamedShape => ({
    ...rest,
    shape: padding === 'included' ? withPaddingIncluded(shape) : shape,
  });
  const given: NamedShape[] = [];
  const products: NamedShape[] = [];
  const groups: ShapeGroup[] = [];
  for (const word of words) {
    const set = shapeSet(word);
    const product = productOf(word);
    if (set !== undefined) groups.push({ set: word, shapes: set.map(adapted) });
    else if (product !== undefined) products.push(product);
    else given.push(adapted({ name: '', shape: shapeOf(word) }));
  }
  return [...groups, { set: '', shapes: given }, { set: '', shapes: products }].filter(
    ({ shapes }) => shapes.length > 0,
  );
};

const shapeOf = (word: string): NamedShape['shape'] => {
  // Shapes begin with a number.
  if (!/^\d/.test(word)) throw new RangeError(unknownName('set of shapes', word, shapeSetNames));
  const shape = parseShape(word);
  if (shape.elementType !== 'f32') throw new RangeError(`'${word}': only f32 is measured`);
  return shape;
};

const conditionsOf = (
  options: BenchCommandOptions,
  sides: Conditions['sides'],
  missing: Conditions['missing'],
): Conditions => ({
  ...thisMachine(),
  sides,
  missing,
  clock: options.clock,
  samples: options.samples,
  padding: options.padding,
});

/** Writes the report in the requested form; returns the exit code. */
const deliver = (report: Report, options: BenchCommandOptions, output: Console): number => {
  const files = [
    { path: options.markdown, text: () => markdownReport(report) },
    { path: options.svg, text: () => drawBenchmark(report.groups) },
  ];
  const written = collect(files, ({ path, text }) =>
    path === undefined ? success(undefined) : writeFile(path, text()),
  );
  reportAll(output, written.diagnostics, []);
  output.out(options.json === true ? jsonReport(report, written.diagnostics) : textReport(report));
  if (written.status !== 'success') return failed;
  return report.groups.some(({ rows }) => rows.some((row) => row.failed.length > 0)) ? failed : 0;
};

/** Measures convolutions next to the peers; returns the exit code. */
const benchShapes = async (
  groups: readonly ShapeGroup[],
  options: BenchCommandOptions,
  output: Console,
  signal: AbortSignal,
): Promise<number> => {
  const progress = progressOf(output);
  const target = targetOf(options.target);
  const planning = await loadPlanner(options.planner);
  if (planning.status !== 'success') {
    reportAll(output, planning.diagnostics, []);
    return failed;
  }
  const planner = planning.value;
  const found = await findPeers(options.peers, options.peersFrom, target);
  const name = options.target === 'wasm' ? 'sconv' : `sconv ${options.target}`;
  const { threads = 1 } = options;
  const implementations: readonly Implementation[] = [
    ours(name, target),
    ...(planner === undefined ? [] : [ours(`${name}, ${basename(options.planner!)}`, target, { planner })]),
    ...(options.schedulers === true
      ? schedulerNames.map((each) => ours(`${name}, ${each}`, target, { schedule: schedulerOf(each) }))
      : []),
    ...(options.schedulers === true ? [oursBlocked(`${name}, own layouts`, target)] : []),
    ...(threads > 1 ? [ours(`${name}, ${threads} threads`, target, { threads, planner })] : []),
    ...(options.relaxed === true ? [ours('sconv relaxed', wasmRelaxed)] : []),
    ...found.flatMap((each) => ('peer' in each ? [each.peer] : [])),
  ];
  const filters: readonly FilterUse[] =
    options.filters === 'both' ? ['bound', 'arguments'] : [options.filters];
  const clock = clocks[options.clock];
  const peaks = await targetPeaks(target, clock);
  const request = { groups, filters, implementations, onProgress: progress.say };
  const seconds = expectedSeconds(request, options.samples, (peaks.native ?? peaks['mul+add'])());
  const count = groups.reduce((sum, { shapes }) => sum + shapes.length, 0);
  output.err(
    `${plural(count, 'shape')}, ${plural(implementations.length, 'side')}: about ` +
      `${Math.ceil(seconds / 60)} min\n`,
  );
  const measured = await runBench(request, { samples: options.samples, clock, peaks, signal });
  progress.end();
  const missing = found.flatMap((each) =>
    'missing' in each ? [{ name: each.name, reason: each.missing }] : [],
  );
  const conditions = conditionsOf(options, implementations, missing);
  return deliver({ conditions, groups: measured, interrupted: signal.aborted }, options, output);
};

/** Measures a payload under its schedules; returns the exit code. */
const benchPayload = async (
  path: string,
  options: BenchCommandOptions,
  output: Console,
  signal: AbortSignal,
): Promise<number> => {
  const progress = progressOf(output);
  const sources: SourceFile[] = [];
  const read = (file: string): Diagnosed<SourceFile> =>
    mapSuccess(readSource(file), (source) => {
      sources.push(source);
      return source;
    });
  const planning = await loadPlanner(options.planner);
  const benchmark = andThen(planning, (planner) =>
    andThen(read(path), (payload) =>
      andThen(options.schedule === undefined ? success(undefined) : read(options.schedule), (schedule) =>
        mapSuccess(collect(options.compare === undefined ? [] : [options.compare], read), (others) => ({
          request: {
            payload,
            target: targetOf(options.target),
            edges: 'best' as const,
            planner,
            functionName: options.function,
            onProgress: progress.say,
          },
          schedules: [schedule, ...others] as const,
        })),
      ),
    ),
  );
  if (benchmark.status !== 'success') {
    reportAll(output, benchmark.diagnostics, sources);
    return failed;
  }
  const clock = clocks[options.clock];
  const settings: SideOptions = {
    samples: options.samples,
    clock,
    peaks: await targetPeaks(targetOf(options.target), clock),
    signal,
  };
  const result = await measurePayload(benchmark.value, settings);
  progress.end();
  reportAll(output, result.diagnostics, sources);
  if (result.status !== 'success') return failed;
  const groups: readonly Group[] =
    result.value === undefined ? [] : [{ set: '', filters: null, rows: [result.value] }];
  const conditions = conditionsOf(options, [{ name: 'sconv', version: version() }], []);
  return deliver({ conditions, groups, interrupted: signal.aborted }, options, output);
};

/** What is measured: the options that are of no use with others. */
const subjects = {
  shapes: {
    with: 'without a payload',
    options: ['shapes', 'filters', 'padding', 'peers', 'relaxed', 'schedulers', 'threads'],
  },
  payload: { with: 'with a payload', options: ['schedule', 'function'] },
  models: { with: 'with --models', options: ['sizes', 'starts', 'tolerance'] },
} as const;

/** Options of two subjects. */
const shared = [
  { with: 'without a payload', of: ['shapes', 'models'], option: 'peersFrom' },
  { with: 'with a payload or --models', of: ['payload', 'models'], option: 'compare' },
  { with: 'without --models', of: ['shapes', 'payload'], option: 'planner' },
  { with: 'without --models', of: ['shapes', 'payload'], option: 'clock' },
  { with: 'without --models', of: ['shapes', 'payload'], option: 'svg' },
] as const;

/** Refuses the options of other subjects. */
const checkOptions = (command: Command, subject: keyof typeof subjects): void => {
  const foreign = [
    ...Object.entries(subjects).map(([of, each]) => ({ ...each, isMeant: of === subject })),
    ...shared.map(({ with: where, of, option }) => ({
      with: where,
      options: [option],
      isMeant: of.some((each) => each === subject),
    })),
  ];
  for (const { with: where, options, isMeant } of foreign) {
    const wrong = isMeant ? undefined : givenOption(command, options);
    if (wrong !== undefined) command.error(`error: ${wrong} goes ${where} only`, { exitCode: badUsage });
  }
};

/** The requested shapes; a bad one is a usage error. */
const groupsArgument = (
  command: Command,
  { shapes = usualSetNames, padding }: BenchCommandOptions,
): readonly ShapeGroup[] => {
  try {
    return parseGroups(shapes, padding);
  } catch (problem) {
    if (!(problem instanceof CsaError) && !(problem instanceof RangeError)) throw problem;
    command.error(`error: --shapes: ${problem.message}`, { exitCode: badUsage });
  }
};

/** Refuses what is no runtime for models. */
const checkPeer = (command: Command, name: string | undefined): void => {
  const names: readonly string[] = onnxruntimeNames;
  if (name === undefined || names.includes(name)) return;
  command.error(`error: --compare: ${unknownName('runtime', name, names)}`, { exitCode: badUsage });
};

/** The command `bench [PAYLOAD]`; reports its exit code to `onExit`. */
export const benchCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('bench')
    .description(
      'measure convolutions, matrix products and models beside other libraries, or a payload under two schedules',
    )
    .argument('[payload]', 'an MLIR file to measure, or - for the standard input; without one, shapes')
    .option(
      '--shapes <shapes...>',
      `sets (${shapeSetNames.join(', ')}), convolutions such as 1x32x152x152,256x32x3x3,s2, or matrix products MxNxK ` +
        `such as 128x64x256 (default: ${usualSetNames.join(' and ')})`,
    )
    .option(
      '--models <files...>',
      'ONNX models, beside the runtime that --compare names: load, first call, and calls after that, in processes ' +
        'of their own',
    )
    .option(
      '--sizes <input=sizes...>',
      'sizes of inputs that models leave open, of those that have them, as in x=1x3x320x320',
      parseSizes,
    )
    .option('--starts <n>', 'processes of each model, of which the medians count', parseCount, 3)
    .option(
      '--tolerance <t>',
      `how far outputs of models may be off, as a share of the largest element (default: ${modelTolerance})`,
      parseShare,
    )
    .addOption(
      nameOption(
        '--filters <use>',
        'bound beforehand on all sides, given as arguments of every call, or one after the other',
        'use of filters',
        ['bound', 'arguments', 'both'],
      ).default('bound'),
    )
    .addOption(
      nameOption('--padding <how>', 'in the input already, or added by every side', 'kind of padding', [
        'included',
        'applied',
      ]).default('included'),
    )
    .option(
      '--peers <names...>',
      `what to measure beside: none, or some of ${peerNames.join(', ')} (default: those that are ` +
        'installed and suit the target)',
      parsePeer,
    )
    .option(...peersFromOption)
    .addOption(targetOption())
    .option('--relaxed', 'measure relaxed SIMD too, whose multiply-adds may be fused')
    .option(
      '--schedulers',
      `measure the other ways to compute convolutions too: ${schedulerNames.join(', ')}, and this in its own layouts`,
    )
    .option('--threads <n>', 'measure on several threads too', parseCount)
    .option(
      '--schedule <file>',
      'a transform script for the payload; without one, the plan that suits the target',
    )
    .option(
      '--compare <other>',
      'with a payload, another script, measured in turns with the first; with models, ' +
        `${onnxruntimeNames.join(' or ')}, if that is installed`,
    )
    .option(...plannerOption)
    .option('--function <name>', 'the function to measure, if there are several')
    .option('--samples <n>', 'samples of each side, of which the median counts', parseCount, 7)
    .addOption(
      nameOption(
        '--clock <name>',
        'time that passes, or that processors work for this process',
        'clock',
        clockNames,
      ).default('wall'),
    )
    .option(...verboseOption)
    .option('--json', 'one JSON document')
    .option('--markdown <file>', 'write tables for a page too')
    .option('--svg <file>', 'draw the speeds too');
  command.action(async (payload: string | undefined, options: BenchCommandOptions) => {
    const { models } = options;
    if (models !== undefined && payload !== undefined) {
      command.error('error: --models goes without a payload only', { exitCode: badUsage });
    }
    checkOptions(command, models !== undefined ? 'models' : payload !== undefined ? 'payload' : 'shapes');
    if (models !== undefined) {
      checkPeer(command, options.compare);
      onExit(await codeUntilInterrupted((signal) => benchModelFiles({ ...options, models }, output, signal)));
      return;
    }
    if (options.schedule !== undefined && options.planner !== undefined) {
      command.error('error: --planner cannot be given with --schedule, which plans itself', {
        exitCode: badUsage,
      });
    }
    checkStandardInput(command, [payload, options.schedule, options.compare]);
    if ((options.threads ?? 1) > 1 && options.clock === 'processor') {
      command.error('error: --clock processor cannot time --threads: it adds up the time of all threads', {
        exitCode: badUsage,
      });
    }
    const isRelaxed = options.relaxed === true || options.target === 'wasm-relaxed';
    if (isRelaxed && !enableRelaxedSimd()) {
      command.error('error: this engine has no relaxed SIMD', { exitCode: failed });
    }
    const groups = payload === undefined ? groupsArgument(command, options) : [];
    onExit(
      await codeUntilInterrupted((signal) =>
        payload === undefined
          ? benchShapes(groups, options, output, signal)
          : benchPayload(payload, options, output, signal),
      ),
    );
  });
  return command;
};
