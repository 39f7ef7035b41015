/** Models written by tests, and their results in the interpreter. */
import { unwrap } from '@sconv/diagnostics';
import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import type { ImportOptions, OnnxModelFields } from '@sconv/onnx';
import { importOnnx, writeOnnx } from '@sconv/onnx';

type Elements = Float32Array | BigInt64Array | Uint8Array | Int8Array | Int32Array;
type Graph = NonNullable<OnnxModelFields['graph']>;
type AttributeFields = NonNullable<NonNullable<Graph['node']>[number]['attribute']>[number];

/** A number is an integer; `{ float: 1 }` is a float. */
export type AttributeValue = number | string | readonly number[] | { readonly float: number } | Weight;

/** Elements in a shape. */
export interface Weight {
  readonly shape: readonly number[];
  readonly data: Elements;
  /** The number of the element type, if it is not the one of the array. */
  readonly type?: number;
}

export interface Node {
  readonly op: string;
  readonly name?: string;
  readonly domain?: string;
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
}

/** A model: `x` is its input and `y` its output unless something else is said. */
export interface Model {
  readonly opset?: number;
  readonly nodes: readonly Node[];
  /** A text is a size that the model leaves open. */
  readonly inputs?: Readonly<Record<string, readonly (number | string)[]>>;
  readonly types?: Readonly<Record<string, number>>;
  readonly weights?: Readonly<Record<string, Weight>>;
  readonly outputs?: readonly string[];
}

const typeOf = (data: Elements): number =>
  data instanceof Float32Array
    ? 1
    : data instanceof Int8Array
      ? 3
      : data instanceof Uint8Array
        ? 2
        : data instanceof Int32Array
          ? 6
          : 7;

/** `[1, 2]` as elements of i64, or f32. */
export const ints = (...values: readonly number[]): Weight => ({
  shape: [values.length],
  data: BigInt64Array.from(values, BigInt),
});
export const floats = (shape: readonly number[], values: readonly number[]): Weight => ({
  shape,
  data: Float32Array.from(values),
});
/** 0, 1, 2, … in a shape. */
export const counting = (...shape: readonly number[]): Weight =>
  floats(
    shape,
    Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
  );

const tensorOf = (name: string, { shape, data, type = typeOf(data) }: Weight) => ({
  name,
  dims: shape.map(BigInt),
  dataType: type,
  rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
});

const attributeOf = (name: string, value: AttributeValue): AttributeFields => {
  if (typeof value === 'number') return { name, i: BigInt(value), type: 2 };
  if (typeof value === 'string') return { name, s: new TextEncoder().encode(value), type: 3 };
  if (Array.isArray(value)) return { name, ints: value.map(BigInt), type: 7 };
  const object = value as { readonly float: number } | Weight;
  return 'float' in object ? { name, f: object.float, type: 1 } : { name, t: tensorOf('', object), type: 4 };
};

/** The message of a model. */
export const modelFields = ({
  opset = 17,
  nodes,
  inputs = {},
  types = {},
  weights = {},
  outputs = ['y'],
}: Model) =>
  ({
    irVersion: 8n,
    opsetImport: [{ domain: '', version: BigInt(opset) }],
    graph: {
      node: nodes.map(
        ({ op, name = '', domain = '', inputs: from = ['x'], outputs: to = ['y'], attributes = {} }) => ({
          opType: op,
          name,
          domain,
          input: [...from],
          output: [...to],
          attribute: Object.entries(attributes).map(([key, value]) => attributeOf(key, value)),
        }),
      ),
      initializer: Object.entries(weights).map(([name, weight]) => tensorOf(name, weight)),
      input: Object.entries(inputs).map(([name, sizes]) => ({
        name,
        type: {
          tensorType: {
            elemType: types[name] ?? 1,
            shape: {
              dim: sizes.map((size) => ({
                value:
                  typeof size === 'number'
                    ? { case: 'dimValue' as const, value: BigInt(size) }
                    : { case: 'dimParam' as const, value: size },
              })),
            },
          },
        },
      })),
      output: outputs.map((name) => ({ name })),
    },
  }) satisfies OnnxModelFields;

/** The file of a model. */
export const modelFile = (model: Model): Uint8Array => writeOnnx(modelFields(model));

/** The outputs of a model for these inputs, in the interpreter. */
export const run = (
  file: Uint8Array,
  inputs: readonly Weight[],
  options?: ImportOptions,
): readonly { readonly shape: readonly number[]; readonly values: readonly number[] }[] => {
  const imported = unwrap(importOnnx(file, options));
  const given = inputs.map(({ shape, data }) => tensor(shape, data));
  return unwrap(interpret(imported.module, 'main', given)).map((result, i) => {
    if (typeof result !== 'object' || result.kind !== 'tensor') throw new TypeError('expected a tensor');
    const { shape } = imported.outputs[i]!;
    if (shape.join() !== result.shape.join())
      throw new TypeError(`${shape.join()} is ${result.shape.join()}`);
    return { shape, values: Array.from(elementsOf(result), Number) };
  });
};

/** The codes and messages of a failed import. */
export const problemsOf = (file: Uint8Array, options?: ImportOptions): readonly string[] => {
  const result = importOnnx(file, options);
  return result.status === 'success'
    ? []
    : result.diagnostics.flatMap(({ code, message, location, notes }) => [
        `${code}: ${location.kind === 'name' ? `${location.name}: ` : ''}${message}`,
        ...notes.map((note) => `  ${note.message}`),
      ]);
};
