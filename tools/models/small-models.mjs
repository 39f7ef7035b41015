/** Small models of the usual layers with seeded weights: squeezed, of separable convolutions, and of much else. */
import { TextEncoder } from 'node:util';
import { writeOnnx } from '@sconv/onnx';

let state = 7;
const drawn = (/** @type {number} */ length, /** @type {number} */ scale) =>
  Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * scale;
  });
const count = (/** @type {readonly number[]} */ dims) => dims.reduce((product, size) => product * size, 1);
const tensor = (name, dims, dataType, data) => ({
  name,
  dims: dims.map(BigInt),
  dataType,
  rawData: new Uint8Array(data.buffer),
});
/** Weights of He's scale; positive ones for a variance. */
const weight = (/** @type {string} */ name, /** @type {readonly number[]} */ ...dims) => {
  const data = drawn(count(dims), dims.length === 1 ? 0.5 : Math.sqrt(6 / count(dims.slice(1))));
  return tensor(name, dims, 1, name.startsWith('var') ? data.map((x) => x * x + 0.5) : data);
};
const integers = (/** @type {string} */ name, /** @type {readonly number[]} */ ...values) =>
  tensor(name, [values.length], 7, BigInt64Array.from(values, BigInt));
const floats = (/** @type {string} */ name, /** @type {readonly number[]} */ ...values) =>
  tensor(name, [values.length], 1, Float32Array.from(values));

const attributeOf = (name, value) => {
  if (typeof value === 'string') return { name, s: new TextEncoder().encode(value), type: 3 };
  if (Array.isArray(value)) return { name, ints: value.map(BigInt), type: 7 };
  return Number.isInteger(value) ? { name, i: BigInt(value), type: 2 } : { name, f: value, type: 1 };
};
const node = (opType, input, output, attributes = {}) => ({
  opType,
  name: `${opType}-${output}`,
  input: input.split(' ').map((each) => (each === '_' ? '' : each)),
  output: output.split(' '),
  attribute: Object.entries(attributes).map(([name, value]) => attributeOf(name, value)),
});
const model = (sizes, initializer, nodes, outputs, version = 13) =>
  writeOnnx({
    irVersion: 7n,
    opsetImport: [{ domain: '', version: BigInt(version) }],
    graph: {
      node: nodes,
      initializer,
      input: [
        {
          name: 'x',
          type: {
            tensorType: {
              elemType: 1,
              shape: { dim: sizes.map((size) => ({ value: { case: 'dimValue', value: BigInt(size) } })) },
            },
          },
        },
      ],
      output: outputs.map((name) => ({ name })),
    },
  });

const squeezed = model(
  [1, 3, 19, 17],
  [weight('w1', 8, 3, 3, 3), weight('b1', 8), weight('w2', 4, 8, 1, 1), weight('b2', 4)].concat([
    weight('w3', 8, 4, 1, 1),
    weight('b3', 8),
    weight('w4', 8, 4, 3, 3),
    weight('w5', 12, 16, 1, 1),
  ]),
  [
    node('Conv', 'x w1 b1', 'a', { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] }),
    node('Relu', 'a', 'b'),
    node('MaxPool', 'b', 'c', { kernel_shape: [3, 3], strides: [2, 2], pads: [0, 0, 1, 1] }),
    node('Conv', 'c w2 b2', 'd', { kernel_shape: [1, 1], group: 1 }),
    node('Relu', 'd', 'e'),
    node('Conv', 'e w3 b3', 'f', { kernel_shape: [1, 1] }),
    node('Conv', 'e w4', 'g', { kernel_shape: [3, 3], pads: [1, 1, 1, 1], dilations: [1, 1] }),
    node('Concat', 'f g', 'h', { axis: 1 }),
    node('Relu', 'h', 'i'),
    node('Dropout', 'i', 'j'),
    node('Conv', 'j w5', 'k', { strides: [1, 1] }),
    node('AveragePool', 'k', 'l', { kernel_shape: [2, 2], strides: [1, 1], count_include_pad: 0 }),
    node('GlobalAveragePool', 'l', 'm'),
    node('Softmax', 'm', 'y', { axis: 1 }),
  ],
  ['y', 'k'],
);

const separable = model(
  [2, 3, 16, 16],
  [
    weight('w1', 8, 3, 3, 3),
    weight('w2', 8, 1, 3, 3),
    weight('w3', 8, 8, 1, 1),
    weight('w4', 5, 8),
    weight('b4', 5),
  ]
    .concat(['1', '2'].flatMap((i) => ['s', 'b', 'm', 'var'].map((kind) => weight(`${kind}${i}`, 8))))
    .concat([tensor('low', [], 1, Float32Array.of(0)), tensor('high', [], 1, Float32Array.of(6))]),
  [
    node('Conv', 'x w1', 'a', { strides: [2, 2], pads: [1, 1, 1, 1] }),
    node('BatchNormalization', 'a s1 b1 m1 var1', 'b', { epsilon: 0.001, momentum: 0.9 }),
    node('Clip', 'b low high', 'c'),
    node('Conv', 'c w2', 'd', { group: 8, pads: [1, 1, 1, 1], kernel_shape: [3, 3] }),
    node('BatchNormalization', 'd s2 b2 m2 var2', 'e', { epsilon: 0.01 }),
    node('LeakyRelu', 'e', 'f', { alpha: 0.1 }),
    node('Conv', 'f w3', 'g', { dilations: [1, 1] }),
    node('Add', 'g c', 'h'),
    node('ReduceMean', 'h', 'i', { axes: [2, 3], keepdims: 1 }),
    node('Flatten', 'i', 'j', { axis: 1 }),
    node('Gemm', 'j w4 b4', 'y', { transB: 1, alpha: 1.5, beta: 0.5 }),
  ],
  ['y'],
);

const mixed = model(
  [1, 4, 9, 8],
  [weight('w1', 4, 3, 2, 2), weight('b1', 3), weight('s2', 3), weight('b2', 3), weight('w5', 8, 6)].concat([
    floats('scales', 1, 1, 0.5, 1.5),
    integers('pads', 0, 0, 1, 2, 0, 0, 0, 1),
    integers('shape', 0, 0, -1),
    integers('starts', 1),
    integers('ends', -1),
    integers('axes', 2),
    weight('w6', 3, 1),
  ]),
  [
    node('LRN', 'x', 'a', { size: 3, alpha: 0.5, beta: 0.75, bias: 1.5 }),
    node('ConvTranspose', 'a w1 b1', 'b', { strides: [2, 2], pads: [0, 1, 0, 0], output_padding: [1, 0] }),
    node('InstanceNormalization', 'b s2 b2', 'c', { epsilon: 0.01 }),
    node('HardSigmoid', 'c', 'd', { alpha: 0.3, beta: 0.4 }),
    node('Resize', 'd _ scales', 'e', { mode: 'linear', coordinate_transformation_mode: 'half_pixel' }),
    node('Pad', 'e pads', 'f', { mode: 'reflect' }),
    node('Slice', 'f starts ends axes', 'g'),
    node('MaxPool', 'g', 'h', { kernel_shape: [2, 3], strides: [2, 2], ceil_mode: 1 }),
    node('Transpose', 'h', 'i', { perm: [0, 1, 3, 2] }),
    node('Reshape', 'i shape', 'j'),
    node('PRelu', 'j w6', 'k'),
    node('LogSoftmax', 'k', 'l', { axis: 2 }),
    node('ReduceMax', 'l', 'm', { axes: [1], keepdims: 0 }),
    node('Elu', 'm', 'y', { alpha: 0.7 }),
    node('ArgMax', 'k', 'z', { axis: 1 }),
    node('ReduceL2', 'h', 'n', { axes: [1, -1] }),
  ],
  ['y', 'n', 'k'],
);

/** Files of the models. */
export const smallModels = [squeezed, separable, mixed];
