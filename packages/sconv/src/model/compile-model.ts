/** From the bytes of an ONNX model to a function of named arrays: `sconv/model`. */
import type { Elements, RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, describeValue, mapSuccess, success, unknownName } from '@sconv/diagnostics';
import type { ImportOptions, OnnxTensor } from '@sconv/onnx';
import { importOnnx } from '@sconv/onnx';
import { optionProblem, signalProblem } from '../check-options.ts';
import type { CompiledModule, CompileOptions, CompileStep } from '../compile-module.ts';
import { compileModuleWithPauses } from '../compile-module.ts';
import type { ModelSource } from './read-model.ts';
import { readModel } from './read-model.ts';

/** What is done to a model: a file's bytes are read, imported, planned, made code, and that is loaded. */
export type ModelStage = 'read' | 'import' | 'plan' | 'compile' | 'load';

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

/** How a model is imported, compiled and loaded: the options of `importOnnx` and of `compileModule`. */
export interface ModelOptions extends ImportOptions, Omit<CompileOptions, 'functions' | 'registry'> {
  /** Called before each stage, and within some. */
  readonly onProgress?: (progress: ModelProgress) => void;
}

/** Elements by the names of a model's inputs or outputs, in row-major order. */
export type NamedElements = Readonly<Record<string, Elements>>;

/** A model as a function. */
export interface CompiledModel {
  /** What `run` takes. */
  readonly inputs: readonly OnnxTensor[];
  /** What `run` returns. */
  readonly outputs: readonly OnnxTensor[];
  /** The code of the model: its function is `main`. */
  readonly compiled: CompiledModule;
  /**
   * The outputs for these inputs, in arrays of their own, without blocking the caller's thread where the model was
   * loaded with `threads`. Rejects with a TypeError or RangeError for names, element types and lengths that do not fit,
   * and with a `DiagnosticError` where the model itself fails, at a division by zero, say.
   */
  run(inputs: NamedElements): Promise<NamedElements>;
  /** `run` at once; throws what `run` rejects with. */
  runSync(inputs: NamedElements): NamedElements;
  /** Frees the code, the weights and their memory. Idempotent. */
  dispose(): void;
}

/**
 * Imports, plans, compiles and loads a model: a file's bytes, whose weights are read where they lie, so that they must
 * not change before this settles, or a file to be read. Fails as `importOnnx` and `compileModule` do, each diagnostic
 * with the ONNX node as its location; with `sconv/model-unreadable` for a file that cannot be read, and with
 * `sconv/aborted` once `signal` is aborted: between two steps, it leaves the thread to others.
 */
export const compileModel = async (
  file: Uint8Array | ModelSource,
  { fileName, inputs, values, foldBatchNormalization, onProgress, onStep, ...options }: ModelOptions = {},
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
    ...(foldBatchNormalization === undefined ? {} : { foldBatchNormalization }),
  });
  if (imported.status !== 'success') return imported;
  const compiled = await compileModuleWithPauses(imported.value.module, {
    ...options,
    functions: [main],
    onStep: (step, module) => {
      onProgress?.({ stage: stageOf[step], done: doneBefore[step] });
      onStep?.(step, module);
    },
  });
  return andThen(imported, (model) =>
    mapSuccess(compiled, (code) => modelOf(code, model.inputs, model.outputs)),
  );
};

const main = 'main';

/** About the shares of the time that have passed before each step, of a model of some megabytes on WebAssembly. */
const doneBefore: Readonly<Record<'import' | CompileStep, number>> = {
  import: 0.02,
  schedule: 0.05,
  bufferize: 0.5,
  emit: 0.75,
  load: 0.95,
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

const modelOf = (
  compiled: CompiledModule,
  inputs: readonly OnnxTensor[],
  outputs: readonly OnnxTensor[],
): CompiledModel => {
  const values = (given: NamedElements): readonly RunValue[] => {
    const names = inputs.map(({ name }) => name);
    const unknown = Object.keys(given).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new TypeError(`run: ${unknownName('input', unknown, names)}`);
    return names.map((name) => {
      const value = given[name];
      if (value === undefined) throw new TypeError(`run: the input '${name}' is missing`);
      return value;
    });
  };
  // What a call returns is the artifact's memory.
  const named = (results: readonly RunValue[]): NamedElements =>
    Object.fromEntries(outputs.map(({ name }, i) => [name, (results[i] as Elements).slice()]));
  return {
    inputs,
    outputs,
    compiled,
    run: async (given) => named(await compiled.runAsync(main, ...values(given))),
    runSync: (given) => named(compiled.run(main, ...values(given))),
    dispose: () => {
      compiled.dispose();
    },
  };
};
