/** A model for each op, or form of an op. `x` counts from 0, halved and less 2, in the shape given. */
import type { Model, Node, Weight } from './models.ts';
import { counting, floats, ints } from './models.ts';

export interface OpCase {
  readonly name: string;
  readonly shape: readonly number[];
  readonly model: Model;
}

const of = (
  name: string,
  shape: readonly number[],
  node: Node,
  weights: Readonly<Record<string, Weight>> = {},
  opset = 17,
): OpCase => ({
  name,
  shape,
  model: {
    opset,
    inputs: { x: shape },
    weights,
    nodes: [{ ...node, inputs: node.inputs ?? ['x', ...Object.keys(weights)] }],
  },
});

export const inputOf = (shape: readonly number[]): Weight =>
  floats(
    shape,
    Array.from(counting(...shape).data as Float32Array, (value) => value / 2 - 2),
  );

const scalar = (value: number): Weight => floats([], [value]);

/** Of `x` as 8-bit integers of scale 0.25 and zero point 6. */
const ofQuantized = (
  name: string,
  shape: readonly number[],
  nodes: readonly Node[],
  weights: Readonly<Record<string, Weight>>,
): OpCase => {
  const quantize: Node = { op: 'QuantizeLinear', inputs: ['x', 's', 'z'], outputs: ['q'] };
  const zero: Weight = { shape: [], data: Uint8Array.of(6) };
  return {
    name,
    shape,
    model: {
      opset: 17,
      inputs: { x: shape },
      weights: { s: scalar(0.25), z: zero, ...weights },
      nodes: [quantize, ...nodes],
    },
  };
};

const bytes = (shape: readonly number[]): Weight => ({
  shape,
  data: Int8Array.from(counting(...shape).data as Float32Array, (value) => value - 3),
});

const quantized: readonly OpCase[] = [
  ofQuantized(
    'ConvInteger of groups',
    [1, 2, 2, 2],
    [{ op: 'ConvInteger', inputs: ['q', 'w', 'z'], attributes: { group: 2, pads: [0, 1, 0, 0] } }],
    { w: bytes([2, 1, 2, 2]) },
  ),
  ofQuantized('MatMulInteger', [2, 3], [{ op: 'MatMulInteger', inputs: ['q', 'w', 'z', 'zw'] }], {
    w: bytes([3, 2]),
    zw: { shape: [], data: Int8Array.of(1) },
  }),
  ofQuantized(
    'QLinearConv of filters of their own scales',
    [1, 1, 3, 3],
    [{ op: 'QLinearConv', inputs: ['q', 's', 'z', 'w', 'sw', 'zw', 's', 'z', 'b'] }],
    {
      w: bytes([2, 1, 2, 2]),
      sw: floats([2], [0.5, 0.25]),
      zw: { shape: [2], data: Int8Array.of(0, 0) },
      b: { shape: [2], data: Int32Array.of(5, -5) },
    },
  ),
  ofQuantized(
    'filters that are dequantized',
    [1, 1, 3, 3],
    [
      { op: 'DequantizeLinear', inputs: ['q', 's', 'z'], outputs: ['d'] },
      { op: 'DequantizeLinear', inputs: ['w', 'sw'], outputs: ['dw'], attributes: { axis: 0 } },
      { op: 'Conv', inputs: ['d', 'dw'] },
    ],
    { w: bytes([2, 1, 2, 2]), sw: floats([2], [0.5, 0.25]) },
  ),
];

export const opCases: readonly OpCase[] = [
  of(
    'Conv of one dimension',
    [1, 2, 5],
    { op: 'Conv', attributes: { pads: [1, 0], dilations: [2] } },
    { w: counting(1, 2, 3) },
  ),
  of(
    'Conv of groups',
    [1, 4, 2, 2],
    { op: 'Conv', attributes: { group: 2 } },
    { w: counting(4, 2, 1, 2), b: counting(4) },
  ),
  of(
    'Conv of each channel',
    [1, 2, 3, 3],
    { op: 'Conv', attributes: { group: 2, auto_pad: 'SAME_UPPER', strides: [2, 2] } },
    { w: counting(2, 1, 2, 2) },
  ),
  of(
    'ConvTranspose with overlaps',
    [1, 2, 2, 2],
    { op: 'ConvTranspose', attributes: { strides: [2, 1], pads: [1, 0, 0, 1] } },
    { w: counting(2, 1, 3, 2), b: counting(1) },
  ),
  of(
    'ConvTranspose of tiles',
    [1, 2, 1, 2],
    { op: 'ConvTranspose', attributes: { strides: [2, 2] } },
    { w: counting(2, 1, 2, 2), b: floats([1], [0.5]) },
  ),
  of(
    'ConvTranspose of one dimension, of groups',
    [1, 2, 2],
    { op: 'ConvTranspose', attributes: { group: 2, strides: [3], output_padding: [1] } },
    { w: counting(2, 1, 2) },
  ),
  of(
    'ConvTranspose that cuts',
    [1, 1, 3, 3],
    { op: 'ConvTranspose', attributes: { pads: [2, 2, 1, 1] } },
    { w: counting(1, 1, 2, 2) },
  ),
  of('MaxPool, rounded up', [1, 1, 4, 4], {
    op: 'MaxPool',
    attributes: { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1 },
  }),
  of('MaxPool of three dimensions', [1, 1, 2, 2, 3], {
    op: 'MaxPool',
    attributes: { kernel_shape: [2, 2, 2] },
  }),
  of('AveragePool beside padding', [1, 1, 2, 3], {
    op: 'AveragePool',
    attributes: { kernel_shape: [2, 2], pads: [1, 0, 0, 1] },
  }),
  of('AveragePool of padding', [1, 1, 2, 3], {
    op: 'AveragePool',
    attributes: { kernel_shape: [2, 2], pads: [1, 0, 0, 1], count_include_pad: 1 },
  }),
  of('GlobalMaxPool', [1, 2, 2, 2], { op: 'GlobalMaxPool' }),
  of('LRN', [1, 3, 1, 1], { op: 'LRN', attributes: { size: 3, alpha: { float: 2 }, beta: { float: 0.5 } } }),
  of(
    'Gemm, transposed and scaled',
    [3, 2],
    { op: 'Gemm', attributes: { transA: 1, transB: 1, alpha: { float: 2 }, beta: { float: 0.5 } } },
    { w: counting(2, 3), b: counting(2) },
  ),
  of('MatMul of batches that repeat', [2, 1, 2, 2], { op: 'MatMul' }, { w: counting(3, 2, 1) }),
  of('MatMul by a vector', [2, 2, 2], { op: 'MatMul' }, { w: counting(2) }),
  of('Softmax of the rest', [1, 2, 2], { op: 'Softmax' }, {}, 12),
  of('Softmax along the last', [1, 2, 2], { op: 'Softmax' }),
  of('LogSoftmax', [2, 2], { op: 'LogSoftmax', attributes: { axis: 0 } }),
  of(
    'BatchNormalization',
    [1, 2, 1, 2],
    { op: 'BatchNormalization', attributes: { epsilon: { float: 1 } } },
    { s: floats([2], [2, 4]), b: floats([2], [1, 0]), m: floats([2], [1, 2]), v: floats([2], [3, 0]) },
  ),
  of(
    'InstanceNormalization',
    [1, 2, 3],
    { op: 'InstanceNormalization' },
    { s: floats([2], [1, 2]), b: floats([2], [0, 1]) },
  ),
  of(
    'LayerNormalization',
    [2, 3],
    { op: 'LayerNormalization' },
    { s: floats([3], [1, 2, 3]), b: floats([3], [0, 1, 0]) },
  ),
  of('Clip with inputs', [4], { op: 'Clip' }, { low: scalar(-1), high: scalar(-0.75) }),
  of('Clip with attributes', [4], { op: 'Clip', attributes: { min: { float: -1 } } }, {}, 7),
  of('PRelu', [2, 2], { op: 'PRelu' }, { s: floats([2], [0.5, 2]) }),
  of('Gelu', [4], { op: 'Gelu' }, {}, 20),
  of('Gelu by tanh', [4], { op: 'Gelu', attributes: { approximate: 'tanh' } }, {}, 20),
  of('HardSwish', [6], { op: 'HardSwish' }),
  of('Mod of negatives', [3], { op: 'Mod', attributes: { fmod: 1 } }, { by: scalar(0.75) }),
  of('Pow', [2, 3], { op: 'Pow' }, { e: floats([3], [1, 2, 3]) }),
  of(
    'Where',
    [2, 2],
    { op: 'Where', inputs: ['c', 'x', 'w'] },
    { w: scalar(9), c: { shape: [2], data: Uint8Array.of(1, 0), type: 9 } },
  ),
  of('ReduceL2 of all', [2, 3], { op: 'ReduceL2', attributes: { keepdims: 0 } }),
  of('ReduceMax, axes counted from the end', [2, 3], { op: 'ReduceMax', attributes: { axes: [-2] } }),
  of('ReduceLogSumExp', [2, 2], { op: 'ReduceLogSumExp', attributes: { axes: [1] } }),
  of('ArgMax', [2, 3], { op: 'ArgMax', attributes: { axis: 1 } }),
  of(
    'Resize by a half pixel',
    [1, 1, 2, 2],
    { op: 'Resize', inputs: ['x', '', 's'], attributes: { mode: 'linear' } },
    { s: floats([4], [1, 1, 2, 1.5]) },
  ),
  of(
    'Resize to repeat',
    [1, 1, 2, 2],
    {
      op: 'Resize',
      inputs: ['x', '', 's'],
      attributes: { coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' },
    },
    { s: floats([4], [1, 1, 2, 2]) },
  ),
  of(
    'Resize to the nearest',
    [1, 1, 1, 5],
    { op: 'Resize', inputs: ['x', '', '', 's'], attributes: { nearest_mode: 'ceil' } },
    { s: ints(1, 1, 1, 3) },
  ),
  of(
    'Resize between corners',
    [1, 1, 3, 3],
    {
      op: 'Resize',
      inputs: ['x', '', '', 's'],
      attributes: { mode: 'linear', coordinate_transformation_mode: 'align_corners' },
    },
    { s: ints(1, 1, 2, 5) },
  ),
  of(
    'Resize by cubics',
    [1, 1, 1, 4],
    { op: 'Resize', inputs: ['x', '', 's'], attributes: { mode: 'cubic', cubic_coeff_a: { float: -0.5 } } },
    { s: floats([4], [1, 1, 1, 2]) },
  ),
  of('Upsample', [1, 1, 1, 2], { op: 'Upsample' }, { s: floats([4], [1, 1, 2, 2]) }, 9),
  of('Pad with a value', [2, 2], { op: 'Pad' }, { p: ints(0, 1, -1, 1), v: scalar(7) }),
  of('Pad with edges', [2, 2], { op: 'Pad', attributes: { mode: 'edge' } }, { p: ints(1, 2, 0, 1) }),
  of('Pad with reflections', [1, 3], { op: 'Pad', attributes: { mode: 'reflect' } }, { p: ints(0, 2, 0, 1) }),
  of('Slice backwards', [2, 4], { op: 'Slice' }, { s: ints(-1), e: ints(-9), a: ints(1), t: ints(-2) }),
  of('Gather from the end', [3, 2], { op: 'Gather' }, { i: ints(-1, 0) }),
  of(
    'Gather of a scalar',
    [2, 3],
    { op: 'Gather', attributes: { axis: 1 } },
    { i: { shape: [], data: BigInt64Array.of(1n) } },
  ),
  of(
    'GatherElements',
    [2, 2],
    { op: 'GatherElements', attributes: { axis: 1 } },
    { i: { shape: [2, 1], data: BigInt64Array.of(1n, -2n) } },
  ),
  of('Tile', [2, 1], { op: 'Tile' }, { r: ints(2, 3) }),
  of('Expand', [2, 1], { op: 'Expand' }, { s: ints(2, 1, 3) }),
  of('DepthToSpace', [1, 4, 1, 2], { op: 'DepthToSpace', attributes: { blocksize: 2, mode: 'CRD' } }),
  of('SpaceToDepth', [1, 1, 2, 4], { op: 'SpaceToDepth', attributes: { blocksize: 2 } }),
  of('Transpose', [1, 2, 3], { op: 'Transpose' }),
  of('Reshape that keeps a size', [2, 3, 2], { op: 'Reshape' }, { s: ints(0, -1) }),
  of('Squeeze', [1, 2, 1], { op: 'Squeeze' }, { a: ints(-1) }),
  of(
    'QuantizeLinear',
    [4],
    { op: 'QuantizeLinear' },
    { s: scalar(0.25), z: { shape: [], data: Uint8Array.of(6) } },
  ),
  of(
    'QuantizeLinear along an axis',
    [2, 2],
    { op: 'QuantizeLinear', attributes: { axis: 1 } },
    { s: floats([2], [0.25, 1]), z: { shape: [2], data: Uint8Array.of(9, 1) } },
  ),
  ...quantized,
];
