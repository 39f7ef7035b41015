/** A model as a function of named arrays, whether it was compiled here or saved before. */
import type { Artifact, Elements, ParameterSignature, RunValue } from '@sconv/backend';
import { arrayTypeOf, isArrayOf } from '@sconv/backend/runtime';
import { unknownName } from '@sconv/diagnostics';

/**
 * Elements by the names of a model's inputs or outputs, in row-major order: in the array of their ONNX type, a
 * `Uint8Array` of uint8 and bool for instance, and a `Uint16Array` of the bits of float16 and bfloat16.
 */
export type NamedElements = Readonly<Record<string, Elements | Uint8Array | Uint32Array | BigUint64Array>>;

/** An input or output: its element type is named as in ONNX, `float` say. */
export interface ModelTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: { readonly name: string };
}

/** A model as a function. */
export interface RunnableModel {
  /** What `run` takes. */
  readonly inputs: readonly ModelTensor[];
  /** What `run` returns. */
  readonly outputs: readonly ModelTensor[];
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

/** The function of a model in its code. */
export const mainFunction = 'main';

/** A model with these inputs and outputs, whose code has them in the same order. */
export const runnableModel = <T extends ModelTensor>(
  artifact: Artifact,
  { inputs, outputs }: { readonly inputs: readonly T[]; readonly outputs: readonly T[] },
): RunnableModel & { readonly inputs: readonly T[]; readonly outputs: readonly T[] } => {
  // What a call returns is the artifact's memory.
  const named = (results: readonly RunValue[]): NamedElements =>
    Object.fromEntries(
      outputs.map(({ name, type }, i) => {
        const own = (results[i] as Elements).slice();
        const Unsigned = unsigned[type.name];
        return [name, Unsigned === undefined ? own : new Unsigned(own.buffer)];
      }),
    );
  return {
    inputs,
    outputs,
    run: async (given) => named(await artifact.runAsync(mainFunction, ...valuesOf(artifact, inputs, given))),
    runSync: (given) => named(artifact.run(mainFunction, ...valuesOf(artifact, inputs, given))),
    dispose: () => {
      artifact.dispose();
    },
  };
};

/** The arguments of a model's function for these inputs; throws a TypeError for names that do not fit. */
export const valuesOf = (
  artifact: Pick<Artifact, 'functions'>,
  inputs: readonly ModelTensor[],
  given: NamedElements,
): readonly RunValue[] => {
  const { parameters } = artifact.functions.find(({ name }) => name === mainFunction)!;
  const names = inputs.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`run: ${unknownName('input', unknown, names)}`);
  return inputs.map(({ name, type }, i) => {
    const value = given[name];
    if (value === undefined) throw new TypeError(`run: the input '${name}' is missing`);
    return withoutSign(value, type, parameters[i]!);
  });
};

/** The arrays of the integers without sign, by their ONNX names: code knows them by their bits, as those with one. */
const unsigned: Readonly<
  Record<string, new (buffer: ArrayBufferLike) => Uint8Array | Uint16Array | Uint32Array | BigUint64Array>
> = {
  bool: Uint8Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
};

/** An input as the array that code takes. */
const withoutSign = (
  value: NamedElements[string],
  { name }: ModelTensor['type'],
  parameter: ParameterSignature,
): RunValue => {
  const Unsigned = unsigned[name];
  if (Unsigned === undefined || parameter.kind === 'scalar' || !isArrayOf(value, Unsigned))
    return value as RunValue;
  return new (arrayTypeOf(parameter))(value.buffer, value.byteOffset, value.length);
};
