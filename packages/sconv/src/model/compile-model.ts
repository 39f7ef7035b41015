/** From the bytes of an ONNX model to a function of named arrays: `sconv/model`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, describeValue, mapSuccess, success } from '@sconv/diagnostics';
import type { ImportOptions, OnnxTensor } from '@sconv/onnx';
import { importOnnx } from '@sconv/onnx';
import { wasm } from '@sconv/targets';
import { aborted } from '../aborted.ts';
import { optionProblem, signalProblem } from '../check-options.ts';
import type { CompiledModule, CompileOptions, CompileStep } from '../compile-module.ts';
import { compileModuleWithPauses } from '../compile-module.ts';
import { pause } from '../pause.ts';
import { layoutsFor } from './layouts-for.ts';
import { packWeights } from './pack-weights.ts';
import type { ModelSource } from './read-model.ts';
import { readModel } from './read-model.ts';
import type { RunnableModel } from './runnable-model.ts';
import { mainFunction, runnableModel } from './runnable-model.ts';

/** What is done to a model: a file is read, imported, planned, made code; that is loaded, and its weights packed. */
export type ModelStage = 'read' | 'import' | 'plan' | 'compile' | 'load' | 'pack';

/** How far a model is. */
export interface ModelProgress {
  readonly stage: ModelStage;
  /** Of all stages, from 0 to 1: roughly the share of the time. */
  readonly done: number;
  /** Of the file, that are there; while it is read. */
  readonly bytes?: number;
  /** Of the whole file, if that is known; while it is read. */
  readonly totalBytes?: number;
}

/**
 * How a model is imported, compiled and loaded: the options of `importOnnx` and of `compileModule`. Layouts are chosen
 * by default for one thread with vectors of 256 bits (AVX2), where that was measured to be faster.
 */
export interface ModelOptions extends ImportOptions, Omit<CompileOptions, 'functions' | 'registry'> {
  /** Called before each stage, and within some. */
  readonly onProgress?: (progress: ModelProgress) => void;
}

/** A model as a function, and its code. */
export interface CompiledModel extends RunnableModel {
  readonly inputs: readonly OnnxTensor[];
  readonly outputs: readonly OnnxTensor[];
  /** The code of the model: its function is `main`. */
  readonly compiled: CompiledModule;
}

/**
 * Imports, plans, compiles and loads a model: a file's bytes, whose weights are read where they lie, so that they must
 * not change before this settles, or a file to be read. It is called once, with zeros, to have its weights packed, so
 * that no later call is slower than others. Fails as `importOnnx` and `compileModule` do, each diagnostic
 * with the ONNX node as its location; with `sconv/model-unreadable` for a file that cannot be read, and with
 * `sconv/aborted` once `signal` is aborted: between two steps, it leaves the thread to others.
 */
export const compileModel = async (
  file: Uint8Array | ModelSource,
  {
    fileName,
    inputs,
    values,
    externalData,
    foldBatchNormalization,
    onProgress,
    onStep,
    ...options
  }: ModelOptions = {},
): Promise<Diagnosed<CompiledModel>> => {
  const wrong = progressProblem(onProgress) ?? signalProblem('compileModel', options.signal);
  if (wrong !== undefined) return definite(wrong);
  const read = isSource(file)
    ? await readModel(file, {
        fileName,
        signal: options.signal,
        onBytes: (bytes, totalBytes) =>
          onProgress?.({
            stage: 'read',
            done: totalBytes === undefined ? 0 : (bytes / Math.max(1, totalBytes)) * doneBefore.import,
            bytes,
            ...(totalBytes === undefined ? {} : { totalBytes }),
          }),
      })
    : success(file);
  if (read.status !== 'success') return read;
  onProgress?.({ stage: 'import', done: doneBefore.import });
  const imported = importOnnx(read.value, {
    ...(fileName === undefined ? {} : { fileName }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(values === undefined ? {} : { values }),
    ...(externalData === undefined ? {} : { externalData }),
    ...(foldBatchNormalization === undefined ? {} : { foldBatchNormalization }),
  });
  if (imported.status !== 'success') return imported;
  const { target = wasm, schedule } = options;
  const compiled = await compileModuleWithPauses(imported.value.module, {
    // A given schedule chooses layouts itself.
    ...(schedule === undefined ? { layouts: layoutsFor(target, options) } : {}),
    ...options,
    functions: [mainFunction],
    onStep: (step, module) => {
      onProgress?.({ stage: stageOf[step], done: doneBefore[step] });
      onStep?.(step, module);
    },
  });
  if (compiled.status !== 'success') return andThen(imported, () => compiled);
  const code = compiled.value;
  onProgress?.({ stage: 'pack', done: doneBefore.pack });
  await pause();
  if (options.signal?.aborted === true) {
    code.dispose();
    return aborted(code.stages.payload.root.location);
  }
  await packWeights(code, mainFunction);
  return andThen(imported, (model) =>
    mapSuccess(compiled, () => ({ ...runnableModel(code, model), compiled: code })),
  );
};

/** About the shares of the time that have passed before each step, of a model of some megabytes on WebAssembly. */
const doneBefore: Readonly<Record<'import' | CompileStep | 'pack', number>> = {
  import: 0.02,
  schedule: 0.05,
  bufferize: 0.5,
  emit: 0.75,
  load: 0.9,
  pack: 0.92,
};

const stageOf: Readonly<Record<CompileStep, ModelStage>> = {
  schedule: 'plan',
  bufferize: 'compile',
  emit: 'compile',
  load: 'load',
};

const isSource = (file: Uint8Array | ModelSource): file is ModelSource =>
  typeof (file as Partial<ModelSource> | undefined)?.stream === 'function';

const progressProblem = (onProgress: unknown) =>
  onProgress === undefined || typeof onProgress === 'function'
    ? undefined
    : optionProblem(
        'compileModel',
        'sconv/option',
        `'onProgress' is a function, not ${describeValue(onProgress)}`,
      );
