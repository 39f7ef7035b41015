/** From the bytes of an ONNX model to a function of named arrays: `sconv/model`. */
import type { Elements, RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, unknownName } from '@sconv/diagnostics';
import type { ImportOptions, OnnxTensor } from '@sconv/onnx';
import { importOnnx } from '@sconv/onnx';
import type { CompiledModule, CompileOptions } from '../compile-module.ts';
import { compileModule } from '../compile-module.ts';

/** How a model is imported, compiled and loaded: the options of `importOnnx` and of `compileModule`. */
export interface ModelOptions extends ImportOptions, Omit<CompileOptions, 'functions' | 'registry'> {}

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
 * Imports, plans, compiles and loads a model: a file's bytes, which must not change before this settles. Fails as
 * `importOnnx` and `compileModule` do; each diagnostic has the ONNX node as its location.
 */
export const compileModel = async (
  file: Uint8Array,
  { fileName, inputs, values, foldBatchNormalization, ...options }: ModelOptions = {},
): Promise<Diagnosed<CompiledModel>> => {
  const imported = importOnnx(file, {
    ...(fileName === undefined ? {} : { fileName }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(values === undefined ? {} : { values }),
    ...(foldBatchNormalization === undefined ? {} : { foldBatchNormalization }),
  });
  if (imported.status !== 'success') return imported;
  const compiled = await compileModule(imported.value.module, { ...options, functions: [main] });
  return andThen(imported, (model) =>
    mapSuccess(compiled, (code) => modelOf(code, model.inputs, model.outputs)),
  );
};

const main = 'main';

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
