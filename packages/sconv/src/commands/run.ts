/** `sconv run`: executes a payload and reports its speed and correctness. */
import { basename } from 'node:path';
import type { EdgeChoice } from '@sconv/csa';
import { edgeChoices } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, fileLocation, mapSuccess, success } from '@sconv/diagnostics';
import type { InputSizes } from '@sconv/onnx';
import type { Target } from '@sconv/targets';
import { Command } from 'commander';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, progressOf, readBytes, readSource, reportAll } from '../console.ts';
import type { OnnxruntimeName } from '../bench/onnxruntime.ts';
import { modelTolerance } from '../model/compare-model.ts';
import { readModelFiles } from '../model/read-model-files.ts';
import { findModelPeer } from '../model/model-peer.ts';
import { drawProfile } from '../model/profile-picture.ts';
import type { LayoutsName } from '../compile-payload.ts';
import { nodeWorkers } from '../node-workers.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { jsonReport, textReport } from '../run/report.ts';
import type { ModelFile, RunOutcome, RunRequest, SourceBytes } from '../run/run-payload.ts';
import { runPayload } from '../run/run-payload.ts';
import { isProgram, runProgram } from '../run/run-program.ts';
import { schedulerOf, scheduleOption } from '../schedulers.ts';
import { readTuned } from '../tune/read-tuned.ts';
import { writeFile } from '../write-file.ts';
import { parseCount } from './count-option.ts';
import { parseShare } from './share-option.ts';
import { parseSizes } from './sizes-option.ts';
import { interruptedCode, untilInterrupted } from './interrupt.ts';
import { layoutsOption } from './layouts-option.ts';
import { nameOption } from './name-option.ts';
import { modelPeerOption, peersFromOption } from './peer-options.ts';
import { loadPlanner, plannerOption } from './planner-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { targetOf, targetOption } from './target-option.ts';
import { verboseOption } from './verbose-option.ts';

interface RunCommandOptions {
  readonly schedule?: string;
  readonly target: string;
  readonly edges?: EdgeChoice;
  readonly planner?: string;
  readonly layouts?: LayoutsName;
  readonly tuned?: readonly string[];
  readonly function?: string;
  readonly input?: readonly string[];
  readonly sizes?: InputSizes;
  readonly repeat: number;
  readonly threads: number;
  readonly emulate?: true;
  readonly check?: true;
  readonly profile?: true;
  readonly svg?: string;
  readonly tolerance?: number;
  readonly compare?: OnnxruntimeName;
  readonly peersFrom: readonly string[];
  readonly json?: true;
}

const readInput = (path: string): Diagnosed<SourceBytes> =>
  mapSuccess(readBytes(path), (bytes) => ({ name: path, bytes }));

const requestOf = (
  payload: SourceFile | ModelFile,
  schedule: RunRequest['schedule'],
  inputs: readonly SourceBytes[],
  target: Target,
  planner: RunRequest['planner'],
  tuned: RunRequest['tuned'],
  peer: RunRequest['peer'],
  options: RunCommandOptions,
): RunRequest => ({
  payload,
  schedule,
  inputs,
  target,
  edges: options.edges ?? 'best',
  planner,
  layouts: options.layouts,
  tuned,
  functionName: options.function,
  check: options.check ?? false,
  profile: options.profile ?? false,
  peer,
  tolerance: options.tolerance,
  repeat: options.repeat,
  emulate: options.emulate ?? false,
  threads: options.threads,
  workers: nodeWorkers,
});

const isModel = (path: string): boolean => path.endsWith('.onnx');

const readModel = (path: string, sizes: InputSizes): Diagnosed<ModelFile> =>
  mapSuccess(readModelFiles(path), (files) => ({ name: path, ...files, sizes }));

const peerOf = (path: string, { compare, peersFrom }: RunCommandOptions): Diagnosed<RunRequest['peer']> =>
  compare === undefined ? success(undefined) : findModelPeer(compare, peersFrom, fileLocation(path, 1, 1));

/** Draws the profile, if that is asked for. */
const drawn = (outcome: RunOutcome, path: string, { svg }: RunCommandOptions): Diagnosed<RunOutcome> => {
  const { profile, loadSeconds, firstCallSeconds, time } = outcome;
  if (svg === undefined || profile === undefined) return success(outcome);
  const heading = { title: basename(path), loadSeconds, firstCallSeconds, seconds: time.seconds };
  return mapSuccess(writeFile(svg, drawProfile(profile, heading)), () => outcome);
};

/** The schedule that `--schedule` names, or its file. */
const readSchedule = (
  named: string | undefined,
  read: (file: string) => Diagnosed<SourceFile>,
): Diagnosed<RunRequest['schedule']> => {
  const known = schedulerOf(named);
  return named === undefined || known !== undefined ? success(known) : read(named);
};

/** Runs with parsed options; returns the exit code. */
const execute = async (path: string, options: RunCommandOptions, output: Console): Promise<number> => {
  const target = targetOf(options.target);
  const sources: SourceFile[] = [];
  const read = (file: string): Diagnosed<SourceFile> =>
    andThen(readSource(file), (source) => {
      sources.push(source);
      return success(source);
    });
  const readPayload = (): Diagnosed<SourceFile | ModelFile> =>
    isModel(path) ? readModel(path, options.sizes ?? {}) : read(path);
  const progress = progressOf(output);
  const planning = await loadPlanner(options.planner);
  const reading =
    options.tuned === undefined ? success(undefined) : await readTuned(options.tuned, { target });
  const decided = andThen(planning, (planner) => mapSuccess(reading, (tuned) => ({ planner, tuned })));
  const request = andThen(decided, ({ planner, tuned }) =>
    andThen(readPayload(), (payload) =>
      andThen(readSchedule(options.schedule, read), (schedule) =>
        andThen(peerOf(path, options), (peer) =>
          mapSuccess(collect(options.input ?? [], readInput), (inputs) =>
            requestOf(payload, schedule, inputs, target, planner, tuned, peer, options),
          ),
        ),
      ),
    ),
  );
  let stopped: AbortSignal | undefined;
  const stoppable: RunRequest['stoppable'] = (work) =>
    untilInterrupted((signal) => {
      stopped = signal;
      return work(signal);
    });
  const ran =
    request.status === 'success'
      ? await runPayload({ ...request.value, stoppable, onProgress: progress.say })
      : request;
  // With what was warned of before.
  const result = andThen(request, () => andThen(ran, (outcome) => drawn(outcome, path, options)));
  progress.end();
  if (stopped?.aborted === true) return interruptedCode(stopped);
  reportAll(output, result.diagnostics, sources);
  if (result.status !== 'success') return failed;
  output.out(
    options.json === true
      ? jsonReport(result.value, target.name, result.diagnostics)
      : textReport(result.value, target.name),
  );
  const { isChecked, comparison, peer } = result.value;
  // A check that was not possible is none that was passed.
  return (isChecked && comparison?.mismatches !== 0) || peer?.agrees === false ? failed : 0;
};

/** Refuses `--compare` of what is no model, or runs otherwise than the other runtime does. */
const checkComparison = (
  command: Command,
  payload: string,
  { compare, emulate, threads }: RunCommandOptions,
): void => {
  if (compare === undefined) return;
  const bars = emulate === true ? '--emulate' : threads > 1 ? '--threads' : undefined;
  if (bars !== undefined)
    command.error(`error: --compare cannot be given with ${bars}`, { exitCode: badUsage });
  if (!isModel(payload))
    command.error('error: --compare goes with a model (.onnx) only', { exitCode: badUsage });
};

/** Runs a saved program; returns the exit code. */
const executeProgram = async (
  folder: string,
  { input = [], repeat, threads, json }: RunCommandOptions,
  output: Console,
): Promise<number> => {
  const inputs = collect(input, readInput);
  const ran =
    inputs.status === 'success'
      ? await runProgram({ folder, inputs: inputs.value, repeat, threads, workers: nodeWorkers })
      : inputs;
  reportAll(output, ran.diagnostics, []);
  if (ran.status !== 'success') return failed;
  const { outcome, target } = ran.value;
  output.out(json === true ? jsonReport(outcome, target, ran.diagnostics) : textReport(outcome, target));
  return 0;
};

/** Options that a program does not take, which was compiled before. */
const optionsOfCompiling = [
  'schedule',
  'target',
  'edges',
  'planner',
  'layouts',
  'tuned',
  'function',
  'sizes',
  'emulate',
  'check',
  'profile',
  'svg',
  'tolerance',
  'compare',
] as const;

/** The command `run PAYLOAD`; reports its exit code to `onExit`. */
export const runCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('run')
    .description('run an MLIR file or an ONNX model: plan its convolutions, compile, execute, check')
    .argument(
      '<payload>',
      'a file with one function, a model (.onnx), the folder of a program of sconv build, or - for the standard input',
    )
    .option(...scheduleOption)
    .addOption(targetOption())
    .addOption(
      nameOption(
        '--edges <how>',
        'remainders: scalar, tiled by smaller microkernels, by two that add up, or best (the default)',
        'kind of edges',
        edgeChoices,
      ),
    )
    .option(...plannerOption)
    .addOption(layoutsOption())
    .option(
      '--tuned <files...>',
      'records of sconv tune, whose plans are used for the convolutions that they are of',
    )
    .option('--function <name>', 'the function to run, if there are several')
    .option(
      '--input <file...>',
      'raw little-endian elements for the first arguments; the others are small integers',
    )
    .option(
      '--sizes <input=sizes...>',
      'sizes of inputs that a model leaves open, as in x=1x3x320x320',
      parseSizes,
    )
    .option('--repeat <n>', 'timed runs, of which the median counts', parseCount, 5)
    .option('--threads <n>', 'threads that share out each convolution', parseCount, 1)
    .option(
      '--profile',
      'time each part of the function by itself, by one thread: a loop nest with what is fused with it',
    )
    .option('--svg <file>', 'draw the profile too: a bar for each part, the longest first')
    .addOption(
      modelPeerOption(
        'run a model by another runtime, too, which is installed here: by one thread each, in turns',
      ),
    )
    .option(...peersFromOption)
    .option('--emulate', 'run native code in an emulator, also where this processor could')
    .option(
      '--check',
      'compare every element of the result with a reference; exit code 1 if one differs, or if there is none',
    )
    .option(
      '--tolerance <t>',
      "how far floats may be off in the check, as a share of the result's largest element, as in 1e-6 (default: not " +
        `at all, as data are integers; within rounding with --input), and outputs from those of --compare (default: ` +
        `${modelTolerance})`,
      parseShare,
    )
    .option(...verboseOption)
    .option('--json', 'one JSON document');
  command.action(async (payload: string, options: RunCommandOptions) => {
    checkStandardInput(command, [payload, options.schedule]);
    if (isProgram(payload)) {
      const other = optionsOfCompiling.find((name) => command.getOptionValueSource(name) === 'cli');
      if (other !== undefined) {
        command.error(`error: --${other} cannot be given with a program, which is compiled already`, {
          exitCode: badUsage,
        });
      }
      // A program may need it; where there is none, loading says so.
      enableRelaxedSimd();
      onExit(await executeProgram(payload, options, output));
      return;
    }
    const [decides] = [options.schedule && '--schedule', options.planner && '--planner'].filter(Boolean);
    if (decides !== undefined && options.edges !== undefined) {
      command.error(`error: --edges cannot be given with ${decides}, which determines them`, {
        exitCode: badUsage,
      });
    }
    if (options.schedule !== undefined && options.planner !== undefined) {
      command.error('error: --planner cannot be given with --schedule, which plans itself', {
        exitCode: badUsage,
      });
    }
    if (options.schedule !== undefined && options.layouts !== undefined) {
      command.error('error: --layouts cannot be given with --schedule, which has its own', {
        exitCode: badUsage,
      });
    }
    if (options.schedule !== undefined && options.tuned !== undefined) {
      command.error('error: --tuned cannot be given with --schedule, which plans itself', {
        exitCode: badUsage,
      });
    }
    const [bars] = [options.schedule && '--schedule', options.emulate && '--emulate'].filter(
      (each) => typeof each === 'string',
    );
    if (options.profile !== undefined && bars !== undefined) {
      command.error(`error: --profile cannot be given with ${bars}`, { exitCode: badUsage });
    }
    if (options.svg !== undefined && options.profile === undefined) {
      command.error('error: --svg goes with --profile only', { exitCode: badUsage });
    }
    if (options.tolerance !== undefined && options.check === undefined && options.compare === undefined) {
      command.error('error: --tolerance goes with --check or --compare only', { exitCode: badUsage });
    }
    checkComparison(command, payload, options);
    if (options.target === 'wasm-relaxed' && !enableRelaxedSimd()) {
      command.error('error: this engine has no relaxed SIMD', { exitCode: failed });
    }
    onExit(await execute(payload, options, output));
  });
  return command;
};
