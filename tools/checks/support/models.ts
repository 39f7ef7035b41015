/** Small models that pages run: networks in the manner of SqueezeNet and of BlazeFace, with seeded weights. */
import type { OnnxFields, OnnxAttribute, OnnxModelFields, OnnxNodeFields } from '@sconv/onnx';
import { writeOnnx } from '@sconv/onnx';
import { seededNumbers } from '../../../examples/model-page/src/inputs.ts';

type Attributes = Readonly<Record<string, number | readonly number[]>>;

/** Nodes and weights, as they are added; each node is named after its output. */
const createGraph = () => {
  const node: OnnxFields<OnnxNodeFields>[] = [];
  const initializer: { name: string; dims: bigint[]; dataType: number; rawData: Uint8Array<ArrayBuffer> }[] =
    [];
  const attributeOf = ([name, value]: readonly [
    string,
    number | readonly number[],
  ]): OnnxFields<OnnxAttribute> =>
    typeof value === 'number'
      ? { name, i: BigInt(value), type: 2 }
      : { name, ints: value.map(BigInt), type: 7 };
  const add = (
    opType: string,
    output: string,
    input: readonly string[],
    attributes: Attributes = {},
  ): string => {
    const attribute = Object.entries(attributes).map(attributeOf);
    node.push({ opType, name: output, input, output: [output], attribute });
    return output;
  };
  /** Of He scale; `i64` ones are what they are. */
  const weight = (name: string, dims: readonly number[]): string => {
    const length = dims.reduce((product, size) => product * size, 1);
    const scale = Math.sqrt((6 * dims[0]!) / length);
    const values = seededNumbers(length, initializer.length).map((value) => value * scale);
    initializer.push({ name, dims: dims.map(BigInt), dataType: 1, rawData: new Uint8Array(values.buffer) });
    return name;
  };
  const integers = (name: string, values: readonly number[]): string => {
    const rawData = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    initializer.push({ name, dims: [BigInt(values.length)], dataType: 7, rawData });
    return name;
  };
  /** A convolution with a bias: filters of `channels` (of one group) and `taps` by `taps`. */
  const convolve = (
    name: string,
    input: string,
    [filters, channels, taps]: readonly [number, number, number],
    attributes: Attributes = {},
  ): string =>
    add(
      'Conv',
      name,
      [input, weight(`${name}.w`, [filters, channels, taps, taps]), weight(`${name}.b`, [filters])],
      attributes,
    );
  const file = (input: readonly (number | string)[], outputs: readonly string[]): Uint8Array<ArrayBuffer> => {
    const dim = input.map((value) => ({
      value:
        typeof value === 'number'
          ? { case: 'dimValue' as const, value: BigInt(value) }
          : { case: 'dimParam' as const, value },
    }));
    const model: OnnxModelFields = {
      irVersion: 8n,
      opsetImport: [{ version: 17n }],
      graph: {
        node,
        initializer,
        input: [{ name: 'image', type: { tensorType: { elemType: 1, shape: { dim } } } }],
        output: outputs.map((name) => ({ name })),
      },
    };
    return writeOnnx(model);
  };
  return { add, convolve, integers, file };
};

/** Fire modules between a strided convolution and a softmax of ten classes; batch and image have open sizes. */
export const squeezeNet = (): Uint8Array<ArrayBuffer> => {
  const { add, convolve, file } = createGraph();
  const relu = (input: string): string => add('Relu', `${input}.relu`, [input]);
  const pool = (name: string, input: string): string =>
    add('MaxPool', name, [input], { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1 });
  const fire = (name: string, input: string, channels: number): string => {
    const squeezed = relu(convolve(`${name}.squeeze`, input, [4, channels, 1]));
    const narrow = relu(convolve(`${name}.expand1`, squeezed, [8, 4, 1]));
    const wide = relu(convolve(`${name}.expand3`, squeezed, [8, 4, 3], { pads: [1, 1, 1, 1] }));
    return add('Concat', name, [narrow, wide], { axis: 1 });
  };
  const stem = relu(convolve('stem', 'image', [8, 3, 3], { strides: [2, 2] }));
  const deep = fire('fire2', pool('pool2', fire('fire1', pool('pool1', stem), 8)), 16);
  const sums = relu(convolve('classifier', deep, [10, 16, 1]));
  const means = add('GlobalAveragePool', 'means', [sums]);
  add('Softmax', 'classes', [add('Flatten', 'flat', [means])]);
  return file(['batch', 3, 'height', 'width'], ['classes']);
};

/** An image with channels last, pads on two sides only, depthwise convolutions with residuals, and two heads in one. */
export const blazeFace = (): Uint8Array<ArrayBuffer> => {
  const { add, convolve, integers, file } = createGraph();
  const relu = (input: string): string => add('Relu', `${input}.relu`, [input]);
  const image = add('Transpose', 'channels first', ['image'], { perm: [0, 3, 1, 2] });
  const stem = relu(convolve('stem', image, [8, 3, 5], { strides: [2, 2], pads: [1, 1, 2, 2] }));
  const block = (
    name: string,
    input: string,
    strides: readonly number[],
    pads: readonly number[],
  ): string => {
    const each = convolve(`${name}.depthwise`, input, [8, 1, 3], { group: 8, strides, pads });
    return convolve(`${name}.pointwise`, each, [8, 8, 1]);
  };
  const same = relu(add('Add', 'sum', [block('same', stem, [1, 1], [1, 1, 1, 1]), stem]));
  const halved = add('MaxPool', 'halved', [same], { kernel_shape: [2, 2], strides: [2, 2] });
  const half = relu(add('Add', 'sum of half', [block('half', same, [2, 2], [0, 0, 1, 1]), halved]));
  const head = (name: string, input: string, cells: number): string => {
    const scores = convolve(name, input, [4, 8, 1]);
    const last = add('Transpose', `${name}.last`, [scores], { perm: [0, 2, 3, 1] });
    return add('Reshape', `${name}.rows`, [last, integers(`${name}.shape`, [1, cells, 4])]);
  };
  add('Concat', 'boxes', [head('large', same, 256), head('small', half, 64)], { axis: 1 });
  return file([1, 32, 32, 3], ['boxes']);
};

/** A loop, which is not imported. */
export const loop = (): Uint8Array<ArrayBuffer> => {
  const { add, file } = createGraph();
  add('Loop', 'walk', ['image']);
  return file([1], ['walk']);
};
