/** `sconv run`: executes a payload and reports its speed and correctness. */
import type { EdgeChoice } from '@sconv/csa';
import { edgeChoices } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, mapSuccess, success } from '@sconv/diagnostics';
import type { InputSizes } from '@sconv/onnx';
import type { Target } from '@sconv/targets';
import { Command } from 'commander';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, progressOf, readBytes, readSource, reportAll } from '../console.ts';
import { nodeWorkers } from '../node-workers.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { jsonReport, textReport } from '../run/report.ts';
import type { ModelFile, RunRequest, SourceBytes } from '../run/run-payload.ts';
import { runPayload } from '../run/run-payload.ts';
import { readTuned } from '../tune/read-tuned.ts';
import { parseCount } from './count-option.ts';
import { parseShare } from './share-option.ts';
import { parseSizes } from './sizes-option.ts';
import { interruptedCode, untilInterrupted } from './interrupt.ts';
import { nameOption } from './name-option.ts';
import { loadPlanner, plannerOption } from './planner-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { targetOf, targetOption } from './target-option.ts';
import { verboseOption } from './verbose-option.ts';

interface RunCommandOptions {
  readonly schedule?: string;
  readonly target: string;
  readonly edges?: EdgeChoice;
  readonly planner?: string;
  readonly tuned?: readonly string[];
  readonly function?: string;
  readonly input?: readonly string[];
  readonly sizes?: InputSizes;
  readonly repeat: number;
  readonly threads: number;
  readonly emulate?: true;
  readonly check?: true;
  readonly profile?: true;
  readonly tolerance?: number;
  readonly json?: true;
}

const readInput = (path: string): Diagnosed<SourceBytes> =>
  mapSuccess(readBytes(path), (bytes) => ({ name: path, bytes }));

const requestOf = (
  payload: SourceFile | ModelFile,
  schedule: SourceFile | undefined,
  inputs: readonly SourceBytes[],
  target: Target,
  planner: RunRequest['planner'],
  tuned: RunRequest['tuned'],
  options: RunCommandOptions,
): RunRequest => ({
  payload,
  schedule,
  inputs,
  target,
  edges: options.edges ?? 'best',
  planner,
  tuned,
  functionName: options.function,
  check: options.check ?? false,
  profile: options.profile ?? false,
  tolerance: options.tolerance,
  repeat: options.repeat,
  emulate: options.emulate ?? false,
  threads: options.threads,
  workers: nodeWorkers,
});

const isModel = (path: string): boolean => path.endsWith('.onnx');

const readModel = (path: string, sizes: InputSizes): Diagnosed<ModelFile> =>
  mapSuccess(readBytes(path), (bytes) => ({ name: path, bytes, sizes }));

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
      andThen(options.schedule === undefined ? success(undefined) : read(options.schedule), (schedule) =>
        mapSuccess(collect(options.input ?? [], readInput), (inputs) =>
          requestOf(payload, schedule, inputs, target, planner, tuned, options),
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
  const result = andThen(request, () => ran);
  progress.end();
  if (stopped?.aborted === true) return interruptedCode(stopped);
  reportAll(output, result.diagnostics, sources);
  if (result.status !== 'success') return failed;
  output.out(
    options.json === true
      ? jsonReport(result.value, target.name, result.diagnostics)
      : textReport(result.value, target.name),
  );
  const { isChecked, comparison } = result.value;
  // A check that was not possible is none that was passed.
  return isChecked && comparison?.mismatches !== 0 ? failed : 0;
};

/** The command `run PAYLOAD`; reports its exit code to `onExit`. */
export const runCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('run')
    .description('run an MLIR file or an ONNX model: plan its convolutions, compile, execute, check')
    .argument('<payload>', 'a file with one function, a model (.onnx), or - for the standard input')
    .option('--schedule <file>', 'a transform script; without one, the plan that suits the target')
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
    .option('--emulate', 'run native code in an emulator, also where this processor could')
    .option(
      '--check',
      'compare every element of the result with a reference; exit code 1 if one differs, or if there is none',
    )
    .option(
      '--tolerance <t>',
      "how far floats may be off in the check, as a share of the result's largest element, as in 1e-6 (default: not " +
        'at all, as data are integers; within rounding with --input)',
      parseShare,
    )
    .option(...verboseOption)
    .option('--json', 'one JSON document');
  command.action(async (payload: string, options: RunCommandOptions) => {
    checkStandardInput(command, [payload, options.schedule]);
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
    if (options.schedule !== undefined && options.tuned !== undefined) {
      command.error('error: --tuned cannot be given with --schedule, which plans itself', {
        exitCode: badUsage,
      });
    }
    const [bars] = [options.schedule && '--schedule', options.emulate && '--emulate'].filter(Boolean);
    if (options.profile !== undefined && bars !== undefined) {
      command.error(`error: --profile cannot be given with ${bars}`, { exitCode: badUsage });
    }
    if (options.tolerance !== undefined && options.check === undefined) {
      command.error('error: --tolerance goes with --check only', { exitCode: badUsage });
    }
    if (options.target === 'wasm-relaxed' && !enableRelaxedSimd()) {
      command.error('error: this engine has no relaxed SIMD', { exitCode: failed });
    }
    onExit(await execute(payload, options, output));
  });
  return command;
};
