/** Convolutions and poolings of one dimension, pads, packs and unpacks on vectors. */
import type { Row } from './support.ts';
import { any, testRows } from './support.ts';

const vectorize = (op: string, rest = ''): string =>
  `%op = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}
transform.structured.vectorize %op ${rest} : ${any}`;
const children = (flags: string): string =>
  `%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
%g = transform.structured.vectorize_children_and_apply_patterns %f {${flags}} : (${any}) -> ${any}`;

/** An op on an input, a filter and an output of these shapes and element types. */
const convolution = (
  op: string,
  input: string,
  filter: string,
  output: string,
  { steps = '', on = 'tensor' } = {},
): readonly [string, string] => {
  const [a, b, c] = [input, filter, output].map((shape) => `${on}<${shape}>`);
  return [
    `(%a: ${a}, %b: ${b}, %c: ${c})${on === 'tensor' ? ` -> ${c}` : ''}`,
    `${on === 'tensor' ? '%r = ' : ''}linalg.${op} ${steps} ins(%a, %b : ${a}, ${b}) outs(%c : ${c})${on === 'tensor' ? ` -> ${c}` : ''}`,
  ];
};
const strided = (stride: number, dilation: number): string =>
  `{dilations = dense<${dilation}> : tensor<1xi64>, strides = dense<${stride}> : tensor<1xi64>}`;

const forms = (op: string, rows: readonly Row[], rest = ''): void => {
  testRows(`vectorize ${op}${rest === '' ? '' : ` with ${rest}`}`, vectorize(`linalg.${op}`, rest), rows);
};

forms('conv_1d', [
  [
    'a line',
    ...convolution('conv_1d', '8xf32', '3xf32', '6xf32'),
    '3 transfer_read, 4 extract_strided_slice, 3 extract, 3 outerproduct, insert_strided_slice, transfer_write',
  ],
  [
    'of buffers',
    ...convolution('conv_1d', '8xi32', '3xi32', '6xi32', { on: 'memref' }),
    '3 transfer_read, 4 extract_strided_slice, 3 extract, 3 outerproduct, insert_strided_slice, transfer_write',
  ],
]);
forms('conv_1d_nwc_wcf', [
  [
    'columns',
    ...convolution('conv_1d_nwc_wcf', '2x6x3xf32', '2x3x4xf32', '2x5x4xf32'),
    '3 transfer_read, 3 extract_strided_slice, 2 extract, 2 contract, insert_strided_slice, transfer_write',
  ],
  [
    'every other column',
    ...convolution('conv_1d_nwc_wcf', '2x7x3xi32', '2x3x4xi32', '2x3x4xi32', { steps: strided(2, 2) }),
    '3 transfer_read, 9 extract_strided_slice, 2 extract, 6 contract, 3 insert_strided_slice, transfer_write',
  ],
  [
    'columns that are apart',
    ...convolution('conv_1d_nwc_wcf', '1x8x3xi32', '3x3x2xi32', '1x4x2xi32', { steps: strided(1, 2) }),
    '3 transfer_read, 4 extract_strided_slice, 3 extract, 3 contract, insert_strided_slice, transfer_write',
  ],
  [
    'small integers',
    ...convolution('conv_1d_nwc_wcf', '1x6x3xi8', '2x3x4xi8', '1x5x4xi32'),
    '3 transfer_read, 3 extract_strided_slice, 2 extract, 4 arith.extsi, 2 contract, insert_strided_slice, transfer_write',
  ],
  [
    'small floats',
    ...convolution('conv_1d_nwc_wcf', '1x6x3xf32', '2x3x4xf32', '1x5x4xf64'),
    '3 transfer_read, 3 extract_strided_slice, 2 extract, 4 arith.extf, 2 contract, insert_strided_slice, transfer_write',
  ],
  [
    'integers in floats',
    ...convolution('conv_1d_nwc_wcf', '1x6x3xi8', '2x3x4xi8', '1x5x4xf32'),
    '3 transfer_read, 3 extract_strided_slice, 2 extract, 4 arith.sitofp, 2 contract, insert_strided_slice, transfer_write',
  ],
]);
forms('conv_1d_ncw_fcw', [
  [
    'columns',
    ...convolution('conv_1d_ncw_fcw', '2x3x6xf32', '4x3x2xf32', '2x4x5xf32'),
    '3 transfer_read, 4 transpose, 3 extract_strided_slice, 2 extract, 2 contract, insert_strided_slice, transfer_write',
  ],
  [
    'every third column',
    ...convolution('conv_1d_ncw_fcw', '1x3x8xi32', '4x3x2xi32', '1x4x3xi32', { steps: strided(3, 1) }),
    '3 transfer_read, 4 transpose, 9 extract_strided_slice, 2 extract, 6 contract, 3 insert_strided_slice, transfer_write',
  ],
]);
for (const [op, type, combine] of [
  ['pooling_nwc_sum', 'f32', 'addf'],
  ['pooling_nwc_max', 'f32', 'maximumf'],
  ['pooling_nwc_max', 'i32', 'maxsi'],
  ['pooling_nwc_min', 'f32', 'minimumf'],
  ['pooling_nwc_min', 'i32', 'minsi'],
  ['pooling_nwc_max_unsigned', 'i32', 'maxui'],
  ['pooling_nwc_min_unsigned', 'i32', 'minui'],
] as const)
  forms(op, [
    [
      'columns',
      ...convolution(op, `2x6x3x${type}`, `2x${type}`, `2x5x3x${type}`),
      `2 transfer_read, 3 extract_strided_slice, 2 arith.${combine}, insert_strided_slice, transfer_write`,
    ],
    [
      'every other column',
      ...convolution(op, `1x7x3x${type}`, `2x${type}`, `1x3x3x${type}`, { steps: strided(2, 2) }),
      `2 transfer_read, 9 extract_strided_slice, 6 arith.${combine}, 3 insert_strided_slice, transfer_write`,
    ],
  ]);
forms('pooling_ncw_sum', [
  [
    'columns',
    ...convolution('pooling_ncw_sum', '2x3x6xf32', '2xf32', '2x3x5xf32'),
    '2 transfer_read, 3 transpose, 3 extract_strided_slice, 2 arith.addf, insert_strided_slice, transfer_write',
  ],
]);
forms('pooling_ncw_max', [
  [
    'columns',
    ...convolution('pooling_ncw_max', '2x3x6xf32', '2xf32', '2x3x5xf32'),
    '2 transfer_read, 3 transpose, 3 extract_strided_slice, 2 arith.maximumf, insert_strided_slice, transfer_write',
  ],
  [
    'columns apart',
    ...convolution('pooling_ncw_max', '2x3x8xf32', '2xf32', '2x3x3xf32', { steps: strided(2, 3) }),
    '2 transfer_read, 3 transpose, 9 extract_strided_slice, 6 arith.maximumf, 3 insert_strided_slice, transfer_write',
  ],
]);
forms('pooling_nwc_sum', [
  [
    'small integers',
    ...convolution('pooling_nwc_sum', '1x6x3xi8', '2xi8', '1x5x3xi32'),
    '2 transfer_read, 3 extract_strided_slice, 2 arith.extsi, 2 arith.addi, insert_strided_slice, transfer_write',
  ],
]);
forms('depthwise_conv_1d_nwc_wc', [
  [
    'columns',
    ...convolution('depthwise_conv_1d_nwc_wc', '2x6x3xf32', '2x3xf32', '2x5x3xf32'),
    '3 transfer_read, 3 extract_strided_slice, 2 extract, 2 broadcast, 2 fma, insert_strided_slice, transfer_write',
  ],
  [
    'every other column',
    ...convolution('depthwise_conv_1d_nwc_wc', '1x7x3xi32', '2x3xi32', '1x3x3xi32', { steps: strided(2, 2) }),
    '3 transfer_read, 9 extract_strided_slice, 2 extract, 6 broadcast, 6 arith.muli, 6 arith.addi, 3 insert_strided_slice, transfer_write',
  ],
  [
    'small integers',
    ...convolution('depthwise_conv_1d_nwc_wc', '1x6x3xi8', '2x3xi8', '1x5x3xi32'),
    '3 transfer_read, 3 extract_strided_slice, 2 extract, 4 arith.extsi, 2 broadcast, 2 arith.muli, 2 arith.addi, insert_strided_slice, transfer_write',
  ],
  [
    'buffers',
    ...convolution('depthwise_conv_1d_nwc_wc', '1x6x3xi32', '2x3xi32', '1x5x3xi32', { on: 'memref' }),
    '3 transfer_read, 3 extract_strided_slice, 2 extract, 2 broadcast, 2 arith.muli, 2 arith.addi, insert_strided_slice, transfer_write',
  ],
]);
forms(
  'depthwise_conv_1d_nwc_wc',
  [
    [
      'an unknown number of channels',
      ...convolution('depthwise_conv_1d_nwc_wc', '1x6x?xf32', '2x?xf32', '1x5x?xf32'),
      '5 tensor.dim, 4 create_mask, 4 mask, 3 transfer_read, 3 extract_strided_slice, 2 extract, 2 broadcast, 2 fma, insert_strided_slice, transfer_write',
    ],
  ],
  'vector_sizes [1, 5, 6, 2]',
);
forms(
  'depthwise_conv_1d_nwc_wc',
  [
    [
      'an unknown number of channels',
      ...convolution('depthwise_conv_1d_nwc_wc', '1x6x?xi32', '2x?xi32', '1x5x?xi32'),
      '5 tensor.dim, 4 create_mask, 4 mask, 3 transfer_read, 3 extract_strided_slice, 2 extract, 2 broadcast, 2 arith.muli, 2 arith.addi, insert_strided_slice, transfer_write',
      'x[6]xi32',
    ],
  ],
  'vector_sizes [1, 5, [6], 2]',
);
testRows('flattened', children('flatten_1d_depthwise_conv'), [
  [
    'columns',
    ...convolution('depthwise_conv_1d_nwc_wc', '2x6x3xf32', '2x3xf32', '2x5x3xf32'),
    '3 transfer_read, 2 extract_strided_slice, 2 extract, 4 shape_cast, 2 shuffle, 2 broadcast, 2 fma, transfer_write',
  ],
  [
    'every other column',
    ...convolution('depthwise_conv_1d_nwc_wc', '1x7x3xi32', '2x3xi32', '1x3x3xi32', { steps: strided(2, 2) }),
    '3 transfer_read, 9 extract_strided_slice, 2 extract, 12 shape_cast, 6 broadcast, 6 arith.muli, 6 arith.addi, 3 insert_strided_slice, transfer_write',
  ],
  [
    'an unknown number of channels',
    ...convolution('depthwise_conv_1d_nwc_wc', '1x6x?xf32', '2x?xf32', '1x5x?xf32'),
    'linalg.depthwise_conv_1d_nwc_wc',
  ],
]);

// --- Pads, packs and unpacks ---

const padded = (from: string, to: string, high: string, low = '0, 0'): readonly [string, string] => [
  `(%t: tensor<${from}xi32>, %x: i32, %n: index) -> tensor<${to}xi32>`,
  `%r = tensor.pad %t low[${low}] high[${high}] {
  ^bb0(%y: index, %z: index):
    tensor.yield %x : i32
  } : tensor<${from}xi32> to tensor<${to}xi32>`,
];

testRows('vectorize tensor.pad', vectorize('tensor.pad', 'vector_sizes [5, 8]'), [
  [
    'a pad',
    ...padded('3x5', '5x8', '2, 3'),
    'create_mask, mask, transfer_read, tensor.empty, transfer_write',
  ],
  [
    'a pad to less than the vector',
    ...padded('3x5', '4x7', '1, 2'),
    '2 create_mask, 2 mask, transfer_read, tensor.empty, transfer_write',
  ],
  [
    'a pad of an unknown size',
    ...padded('?x5', '?x8', '1, 3'),
    '2 tensor.dim, affine.apply, 2 create_mask, 2 mask, transfer_read, tensor.empty, transfer_write',
  ],
  [
    'a pad by an unknown number',
    ...padded('1x5', '?x8', '%n, 3'),
    'affine.apply, 2 create_mask, 2 mask, transfer_read, tensor.empty, transfer_write',
  ],
  ['a pad of nothing', ...padded('5x8', '5x8', '0, 0'), 'transfer_read, tensor.empty, transfer_write'],
  [
    'a pad by computed nothing',
    ...padded('3x5', '5x8', '2, 3', '%c0, 0'),
    'create_mask, mask, transfer_read, tensor.empty, transfer_write',
  ],
]);

const packed = (from: string, to: string, rest: string, tail = ''): readonly [string, string] => [
  `(%t: tensor<${from}xi32>, %d: tensor<${to}xi32>) -> tensor<${to}xi32>`,
  `${tail}%r = tensor.pack %t ${rest} into %d : tensor<${from}xi32> -> tensor<${to}xi32>`,
];
const unpacked = (from: string, to: string, rest: string): readonly [string, string] => [
  `(%t: tensor<${from}xi32>, %d: tensor<${to}xi32>) -> tensor<${to}xi32>`,
  `%r = tensor.unpack %t ${rest} into %d : tensor<${from}xi32> -> tensor<${to}xi32>`,
];
const both = 'inner_dims_pos = [0, 1] inner_tiles = [2, 3]';
const turned = 'outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 2]';

testRows('vectorize tensor.pack', vectorize('tensor.pack'), [
  [
    'both dimensions',
    ...packed('4x6', '2x2x2x3', both),
    'transfer_read, shape_cast, transpose, tensor.empty, transfer_write',
  ],
  [
    'both dimensions, turned',
    ...packed('4x9', '3x2x3x2', turned),
    'transfer_read, shape_cast, transpose, tensor.empty, transfer_write',
  ],
  [
    'one dimension',
    ...packed('4x6', '4x2x3', 'inner_dims_pos = [1] inner_tiles = [3]'),
    'transfer_read, shape_cast, transpose, tensor.empty, transfer_write',
  ],
  [
    'the first dimension of three',
    ...packed('4x3x2', '3x2x2x2', 'outer_dims_perm = [1, 0, 2] inner_dims_pos = [0] inner_tiles = [2]'),
    'transfer_read, shape_cast, transpose, tensor.empty, transfer_write',
  ],
  [
    'what does not fill the last tile',
    ...packed('3x5', '2x2x2x3', `padding_value(%i7 : i32) ${both}`),
    'transfer_read, shape_cast, transpose, tensor.empty, transfer_write',
  ],
]);
testRows('vectorize tensor.pack with sizes', vectorize('tensor.pack', 'vector_sizes [4, 3]'), [
  [
    'an unknown size',
    ...packed('?x6', '?x2x2x3', `padding_value(%i7 : i32) ${both}`),
    '2 tensor.dim, 2 create_mask, 2 mask, transfer_read, shape_cast, transpose, tensor.empty, transfer_write',
  ],
  [
    'fewer tiles',
    ...packed('4x6', '2x2x2x3', both),
    '2 create_mask, 2 mask, transfer_read, shape_cast, transpose, tensor.empty, transfer_write',
  ],
]);
testRows('vectorize tensor.unpack', vectorize('tensor.unpack'), [
  [
    'both dimensions',
    ...unpacked('2x2x2x3', '4x6', both),
    'transfer_read, transpose, shape_cast, tensor.empty, transfer_write',
  ],
  [
    'both dimensions, turned',
    ...unpacked('3x2x3x2', '4x9', turned),
    'transfer_read, transpose, shape_cast, tensor.empty, transfer_write',
  ],
  [
    'one dimension',
    ...unpacked('4x2x3', '4x6', 'inner_dims_pos = [1] inner_tiles = [3]'),
    'transfer_read, transpose, shape_cast, tensor.empty, transfer_write',
  ],
  [
    'less than the tiles',
    ...unpacked('2x2x2x3', '3x5', both),
    'transfer_read, transpose, shape_cast, tensor.empty, transfer_write',
  ],
]);
testRows('vectorize tensor.unpack with sizes', vectorize('tensor.unpack', 'vector_sizes [4, 8]'), [
  [
    'an unknown size',
    ...unpacked('?x2x2x3', '?x6', both),
    '2 tensor.dim, 2 create_mask, 2 mask, transfer_read, transpose, shape_cast, tensor.empty, transfer_write',
  ],
  [
    'less than the tiles',
    ...unpacked('2x2x2x3', '3x5', both),
    '2 create_mask, 2 mask, transfer_read, transpose, shape_cast, tensor.empty, transfer_write',
  ],
  [
    'turned',
    ...unpacked('2x2x3x2', '4x6', turned),
    '2 create_mask, 2 mask, transfer_read, transpose, shape_cast, tensor.empty, transfer_write',
  ],
]);
forms('generic', [
  [
    'two combinations of each row',
    '(%a: tensor<4x6xi32>, %b: tensor<4xi32>, %c: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)',
    `%r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x6xi32>) outs(%b, %c : tensor<4xi32>, tensor<4xi32>) {
    ^bb0(%x: i32, %y: i32, %z: i32):
      %s = arith.addi %y, %x : i32
      %t = arith.xori %z, %x : i32
      linalg.yield %s, %t : i32, i32
    } -> (tensor<4xi32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>`,
    '3 transfer_read, 2 multi_reduction, 2 transfer_write',
  ],
]);
