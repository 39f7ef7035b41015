/** Ops and forms of ops that operator sets from 18 on have changed or brought, and seldom ones. */
import type { Node, Weight } from './models.ts';
import { counting, floats, ints } from './models.ts';
import type { OpCase } from './op-case.ts';
import { chain, of, ofQuantized, scalar } from './op-case.ts';

/** Where a test of `x / 0` holds. */
const ofQuotients = (name: string, node: Node): OpCase =>
  chain(
    name,
    [6],
    [
      ['d', { op: 'Div', inputs: ['x', 'zero'] }],
      ['c', { ...node, inputs: ['d'] }],
      ['y', { op: 'Where', inputs: ['c', 'one', 'zero'] }],
    ],
    { zero: scalar(0), one: scalar(1) },
  );

/** Of `x` as whole numbers, from -2. */
const ofIntegers = (name: string, node: Node, by: readonly number[]): OpCase =>
  chain(
    name,
    [8],
    [
      ['d', { op: 'Add', inputs: ['x', 'x'] }],
      ['i', { op: 'Cast', inputs: ['d'], attributes: { to: 7 } }],
      ['r', { ...node, inputs: ['i', 'by'] }],
      ['y', { op: 'Cast', inputs: ['r'], attributes: { to: 1 } }],
    ],
    { by: ints(...by) },
  );

/** Of the bits of quantized `x`. */
const ofBits = (name: string, node: Node, by: readonly number[]): OpCase =>
  ofQuantized(
    name,
    [4],
    [
      { ...node, inputs: ['q', 'by'].slice(0, by.length === 0 ? 1 : 2), outputs: ['r'] },
      { op: 'Cast', inputs: ['r'], attributes: { to: 1 } },
    ],
    { by: { shape: [4], data: Uint8Array.from(by.length === 0 ? [0, 0, 0, 0] : by) } },
    18,
  );

const resized = (
  name: string,
  shape: readonly number[],
  attributes: NonNullable<Node['attributes']>,
  sizes: Weight,
  roi?: Weight,
): OpCase => {
  const isSizes = sizes.data instanceof BigInt64Array;
  const inputs = ['x', roi === undefined ? '' : 'r', ...(isSizes ? ['', 's'] : ['s'])];
  const weights = { ...(roi === undefined ? {} : { r: roi }), s: sizes };
  return of(name, shape, { op: 'Resize', inputs, attributes }, weights, 19);
};

export const newerOpCases: readonly OpCase[] = [
  resized(
    'Resize, smaller and smooth',
    [1, 1, 1, 8],
    { mode: 'linear', antialias: 1 },
    floats([4], [1, 1, 1, 0.4]),
  ),
  resized(
    'Resize, smaller and smooth, by cubics',
    [1, 1, 1, 8],
    { mode: 'cubic', antialias: 1 },
    floats([4], [1, 1, 1, 0.5]),
  ),
  resized(
    'Resize within a size',
    [1, 1, 2, 4],
    { keep_aspect_ratio_policy: 'not_larger', axes: [2, 3], mode: 'linear' },
    ints(5, 6),
  ),
  resized(
    'Resize beyond a size',
    [1, 1, 2, 4],
    { keep_aspect_ratio_policy: 'not_smaller', axes: [2, 3], nearest_mode: 'floor' },
    ints(3, 4),
  ),
  resized(
    'Resize of a part',
    [1, 1, 3, 3],
    {
      mode: 'linear',
      coordinate_transformation_mode: 'tf_crop_and_resize',
      extrapolation_value: { float: 9 },
    },
    ints(1, 1, 2, 4),
    floats([8], [0, 0, 0.25, -0.5, 1, 1, 0.75, 1]),
  ),
  resized(
    'Resize around the center',
    [1, 1, 1, 4],
    { mode: 'linear', coordinate_transformation_mode: 'half_pixel_symmetric' },
    floats([4], [1, 1, 1, 0.6]),
  ),
  of(
    'ReduceMax, axes as an input',
    [2, 3],
    { op: 'ReduceMax', attributes: { keepdims: 0 } },
    { a: ints(1) },
    18,
  ),
  of(
    'ReduceL1 of nothing',
    [2, 2],
    { op: 'ReduceL1', attributes: { noop_with_empty_axes: 1 } },
    { a: ints() },
    18,
  ),
  of('ReduceProd', [2, 2], { op: 'ReduceProd' }, { a: ints(0) }, 18),
  of(
    'Pad of some axes',
    [2, 2],
    { op: 'Pad', inputs: ['x', 'p', '', 'a'] },
    { p: ints(1, 2), a: ints(-1) },
    18,
  ),
  of('Pad around', [1, 3], { op: 'Pad', attributes: { mode: 'wrap' } }, { p: ints(0, 2, 0, 4) }, 19),
  of(
    'AveragePool with gaps',
    [1, 1, 1, 6],
    { op: 'AveragePool', attributes: { kernel_shape: [1, 3], dilations: [1, 2], pads: [0, 1, 0, 1] } },
    {},
    19,
  ),
  of(
    'GroupNormalization by groups',
    [1, 4, 1, 2],
    { op: 'GroupNormalization', attributes: { num_groups: 2 } },
    { s: floats([2], [1, 2]), b: floats([2], [0, 1]) },
    18,
  ),
  of(
    'GroupNormalization by channels',
    [1, 4, 1, 2],
    { op: 'GroupNormalization', attributes: { num_groups: 2, epsilon: { float: 0.1 } } },
    { s: floats([4], [1, 2, 3, 4]), b: floats([4], [0, 1, 0, 1]) },
    21,
  ),
  of('RMSNormalization', [2, 3], { op: 'RMSNormalization' }, { s: floats([3], [1, 2, 3]) }, 23),
  of('LpNormalization', [2, 3], { op: 'LpNormalization', attributes: { axis: 0, p: 1 } }),
  of('MeanVarianceNormalization', [1, 2, 1, 3], { op: 'MeanVarianceNormalization' }),
  of('LpPool', [1, 1, 1, 4], { op: 'LpPool', attributes: { kernel_shape: [1, 2], pads: [0, 1, 0, 0] } }),
  of('GlobalLpPool', [1, 2, 1, 3], { op: 'GlobalLpPool', attributes: { p: 1 } }),
  of('Shrink', [8], { op: 'Shrink', attributes: { lambd: { float: 0.75 }, bias: { float: 0.5 } } }),
  of('Swish', [4], { op: 'Swish', attributes: { alpha: { float: 2 } } }, {}, 24),
  of('Hardmax', [2, 3], { op: 'Hardmax', attributes: { axis: 0 } }),
  of('Hardmax of the rest', [1, 2, 2], { op: 'Hardmax' }, {}, 11),
  of('Trilu', [2, 2, 3], { op: 'Trilu', attributes: { upper: 0 } }, { k: ints(-1) }),
  of('EyeLike', [2, 3], { op: 'EyeLike', attributes: { k: 1 } }),
  of(
    'OneHot',
    [2],
    { op: 'OneHot', inputs: ['i', 'd', 'x'], attributes: { axis: 0 } },
    { i: ints(1, -1), d: ints(3) },
  ),
  of('CumSum', [2, 3], { op: 'CumSum', attributes: { exclusive: 1, reverse: 1 } }, { a: ints(1) }),
  of(
    'GatherND',
    [2, 2, 2],
    { op: 'GatherND' },
    { i: { shape: [2, 2], data: BigInt64Array.of(0n, 1n, -1n, 0n) } },
  ),
  of(
    'GatherND of batches',
    [2, 3],
    { op: 'GatherND', attributes: { batch_dims: 1 } },
    { i: { shape: [2, 1], data: BigInt64Array.of(1n, 2n) } },
  ),
  of(
    'Einsum of a product',
    [2, 3],
    { op: 'Einsum', attributes: { equation: 'ij, kj -> ki' } },
    { w: counting(2, 3) },
  ),
  of('Einsum of a diagonal', [2, 3, 3], { op: 'Einsum', attributes: { equation: '...ii->...i' } }),
  of(
    'Einsum without a result',
    [2, 1, 2],
    { op: 'Einsum', attributes: { equation: '...b,bc' } },
    { w: counting(2, 3) },
  ),
  ofQuotients('IsInf', { op: 'IsInf' }),
  ofQuotients('IsInf of positive ones', { op: 'IsInf', attributes: { detect_negative: 0 } }),
  ofQuotients('IsNaN', { op: 'IsNaN' }),
  ofIntegers('Pow of integers', { op: 'Pow' }, [0, 3, 2, 5, 4, 1, 0, 3]),
  ofIntegers('Mod of integers', { op: 'Mod' }, [3, -3, 3, -3, 2, -2, 3, -3]),
  ofBits('BitShift', { op: 'BitShift', attributes: { direction: 'LEFT' } }, [1, 2, 3, 7]),
  ofBits('BitwiseXor', { op: 'BitwiseXor' }, [1, 255, 3, 7]),
  ofBits('BitwiseNot', { op: 'BitwiseNot' }, []),
  chain(
    'DynamicQuantizeLinear',
    [5],
    [
      ['q s z', { op: 'DynamicQuantizeLinear' }],
      ['y', { op: 'DequantizeLinear', inputs: ['q', 's', 'z'] }],
    ],
  ),
  chain(
    'ReduceMin of truths',
    [2, 2],
    [
      ['c', { op: 'Less', inputs: ['x', 'limits'] }],
      ['m', { op: 'ReduceMin', inputs: ['c', 'a'] }],
      ['y', { op: 'Cast', inputs: ['m'], attributes: { to: 1 } }],
    ],
    { limits: floats([2, 2], [-1, -1, 0, -9]), a: ints(1) },
    20,
  ),
];
