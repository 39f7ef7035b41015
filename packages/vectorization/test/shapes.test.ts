/** What moves elements of vectors: transposes, broadcasts, casts of shapes and bits, interleaving. */
import { functionOf } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { apply, patterns, stays, testRows } from './support.ts';

// --- Transposes ---

const turned = (from: string, permutation: string, to: string): readonly [string, string] => [
  `(%v: vector<${from}xi32>) -> vector<${to}xi32>`,
  `%r = vector.transpose %v, [${permutation}] : vector<${from}xi32> to vector<${to}xi32>`,
];
const transposed = (strategy: string): string =>
  patterns(`vector.lower_transpose lowering_strategy = ${strategy}`);

testRows('lower_transpose, element by element', transposed('eltwise'), [
  ['a matrix', ...turned('2x3', '1, 0', '3x2'), '6 extract, 6 insert'],
  ['planes, whose rows stay', ...turned('2x3x4', '1, 0, 2', '3x2x4'), '6 extract, 6 insert'],
  ['a box, turned round', ...turned('2x3x4', '2, 0, 1', '4x2x3'), '24 extract, 24 insert'],
  ['a row', ...turned('1x3', '1, 0', '3x1'), 'shape_cast'],
  ['a column', ...turned('3x1', '1, 0', '1x3'), 'shape_cast'],
  ['a plane of a box', ...turned('1x2x3', '0, 2, 1', '1x3x2'), '6 extract, 6 insert'],
  ['a scalable row', ...turned('1x[3]', '1, 0', '[3]x1'), 'shape_cast'],
  ['a scalable column of one element', ...turned('[1]x3', '1, 0', '3x[1]'), stays],
]);

testRows('lower_transpose, flat', transposed('flat_transpose'), [
  ['a matrix', ...turned('2x3', '1, 0', '3x2'), '2 shape_cast, flat_transpose', 'rows = 3', 'columns = 2'],
  ['a box', ...turned('2x3x4', '1, 0, 2', '3x2x4'), '6 extract, 6 insert'],
]);

testRows('lower_transpose, by shuffles', transposed('shuffle_1d'), [
  ['a matrix', ...turned('2x3', '1, 0', '3x2'), '2 shape_cast, shuffle'],
  ['the only plane of a box', ...turned('2x1x3', '2, 1, 0', '3x1x2'), '2 shape_cast, shuffle'],
  ['sizes that stay in order', ...turned('2x1x3', '1, 0, 2', '1x2x3'), '2 extract, 2 insert'],
  ['one size that is not 1', ...turned('1x1x3', '2, 0, 1', '3x1x1'), '3 extract, 3 insert'],
  ['a box', ...turned('2x3x2', '1, 0, 2', '3x2x2'), '6 extract, 6 insert'],
  ['a box without planes', ...turned('2x3x4', '2, 1, 0', '4x3x2'), '24 extract, 24 insert'],
  ['scalable rows', ...turned('2x[3]', '1, 0', '[3]x2'), stays],
]);

testRows('lower_transpose, by shuffles of 16 rows', transposed('shuffle_16x16'), [
  ['16 rows', ...turned('16x16', '1, 0', '16x16'), '16 extract, 64 shuffle, 16 insert'],
  ['16 rows of 3', ...turned('16x3', '1, 0', '3x16'), '2 shape_cast, shuffle'],
  ['3 rows of 16', ...turned('3x16', '1, 0', '16x3'), '2 shape_cast, shuffle'],
]);

// --- Broadcasts ---

const repeated = (from: string, to: string): readonly [string, string] => [
  `(%v: ${from}) -> vector<${to}xi32>`,
  `%r = vector.broadcast %v : ${from} to vector<${to}xi32>`,
];

testRows('lower_broadcast', patterns('vector.lower_broadcast'), [
  ['a scalar', ...repeated('i32', '2x3'), 'splat'],
  ['a vector without dimensions', ...repeated('vector<i32>', '3'), 'extractelement, splat'],
  ['a single element', ...repeated('vector<1xi32>', '3'), 'extract, splat'],
  ['a row', ...repeated('vector<3xi32>', '2x3'), '2 insert'],
  ['a plane', ...repeated('vector<2x3xi32>', '4x2x3'), '4 insert'],
  [
    'a vector without dimensions, in rows',
    ...repeated('vector<i32>', '2x3'),
    'extractelement, splat, 2 insert',
  ],
  ['the row of a matrix', ...repeated('vector<1x3xi32>', '2x3'), 'extract, 2 insert'],
  ['columns', ...repeated('vector<2x1xi32>', '2x3'), '2 extract, 2 splat, 2 insert'],
  ['a row in a plane', ...repeated('vector<2x1x3xi32>', '2x2x3'), '2 extract, 6 insert'],
  ['a matrix as it is', ...repeated('vector<2x3xi32>', '2x3'), ''],
  ['a row, in a scalable number', ...repeated('vector<3xi32>', '[2]x3'), stays],
]);

// --- Casts ---

const reshaped = (from: string, to: string): readonly [string, string] => [
  `(%v: vector<${from}xi32>) -> vector<${to}xi32>`,
  `%r = vector.shape_cast %v : vector<${from}xi32> to vector<${to}xi32>`,
];

testRows('lower_shape_cast', patterns('vector.lower_shape_cast'), [
  ['a matrix as a line', ...reshaped('3x4', '12'), '3 extract, 3 insert_strided_slice'],
  ['a line as a matrix', ...reshaped('12', '3x4'), '3 extract_strided_slice, 3 insert'],
  ['a matrix of another width', ...reshaped('2x6', '3x4'), '12 extract, 12 insert'],
  ['a box as a line', ...reshaped('2x2x3', '12'), '12 extract, 12 insert'],
  ['a line as a box', ...reshaped('12', '2x2x3'), '12 extract, 12 insert'],
  ['scalable rows as one', ...reshaped('3x[4]', '[12]'), '3 extract, 3 scalable.insert'],
  ['a scalable line as rows', ...reshaped('[12]', '3x[4]'), '3 scalable.extract, 3 insert'],
  ['scalable rows as longer ones', ...reshaped('4x[2]', '2x[4]'), '6 extract, 4 scalable.insert, 2 insert'],
  ['scalable rows as shorter ones', ...reshaped('2x[4]', '4x[2]'), '2 extract, 4 scalable.extract, 4 insert'],
  ['scalable rows of a box', ...reshaped('2x2x[3]', '4x[3]'), '4 extract, 4 insert'],
  ['scalable planes', ...reshaped('[2]x6', '[12]'), stays],
  ['a line as scalable planes', ...reshaped('[12]', '[2]x6'), stays],
]);

const bits = (from: string, to: string): readonly [string, string] => [
  `(%v: vector<${from}>) -> vector<${to}>`,
  `%r = vector.bitcast %v : vector<${from}> to vector<${to}>`,
];
const mixed = (from: string, to: string): readonly [string, string] => [
  `(%a: vector<${from}xi32>, %b: vector<${from}xi32>) -> vector<${to}xi32>`,
  `%r = vector.interleave %a, %b : vector<${from}xi32> -> vector<${to}xi32>`,
];
const separated = (from: string, to: string): readonly [string, string] => [
  `(%a: vector<${from}xi32>) -> (vector<${to}xi32>, vector<${to}xi32>)`,
  `%r:2 = vector.deinterleave %a : vector<${from}xi32> -> vector<${to}xi32>
  return %r#1, %r#0 : vector<${to}xi32>, vector<${to}xi32>`,
];

testRows('lower_bitcast', patterns('vector.lower_bitcast'), [
  ['rows', ...bits('2x4xi32', '2x8xi16'), '2 extract, 2 bitcast, 2 insert'],
  ['planes', ...bits('2x3x4xi16', '2x3x2xi32'), '6 extract, 6 bitcast, 6 insert'],
  ['a line', ...bits('4xi32', '8xi16'), stays],
]);

testRows('lower_interleave', patterns('vector.lower_interleave'), [
  ['rows', ...mixed('2x3', '2x6'), '4 extract, 2 interleave, 2 insert'],
  ['planes', ...mixed('2x2x3', '2x2x6'), '8 extract, 4 interleave, 4 insert'],
  ['scalable rows', ...mixed('2x[3]', '2x[6]'), '4 extract, 2 interleave, 2 insert'],
  ['scalable planes', ...mixed('2x[2]x3', '2x[2]x6'), '4 extract, 2 interleave, 2 insert'],
  ['a scalable number of rows', ...mixed('[2]x3', '[2]x6'), stays],
  ['a line', ...mixed('3', '6'), stays],
  ['rows, apart', ...separated('2x6', '2x3'), '2 extract, 2 deinterleave, 4 insert'],
  ['a line, apart', ...separated('6', '3'), stays],
]);

testRows('interleave_to_shuffle', patterns('vector.interleave_to_shuffle'), [
  ['lines', ...mixed('3', '6'), 'shuffle', '[0, 3, 1, 4, 2, 5]'],
  ['rows', ...mixed('2x3', '2x6'), stays],
  ['scalable lines', ...mixed('[3]', '[6]'), stays],
]);

// --- Leading units ---

/** `%r` of a function of `%a` and perhaps more, of vectors of these types. */
const of = (types: string, result: string, body: string): readonly [string, string] => [
  `(${types}) -> ${result}`,
  body,
];
const sum = (element: string, from: string): readonly [string, string] =>
  of(
    `%a: vector<${from}x${element}>, %b: vector<${from}x${element}>`,
    `vector<${from}x${element}>`,
    `%r = arith.subi %a, %b : vector<${from}x${element}>`,
  );
const sliced = (from: string, to: string, lists: string): readonly [string, string] =>
  of(
    `%a: vector<${from}xi32>`,
    `vector<${to}xi32>`,
    `%r = vector.extract_strided_slice %a {${lists}} : vector<${from}xi32> to vector<${to}xi32>`,
  );
const put = (from: string, to: string, lists: string): readonly [string, string] =>
  of(
    `%a: vector<${from}xi32>, %b: vector<${to}xi32>`,
    `vector<${to}xi32>`,
    `%r = vector.insert_strided_slice %a, %b {${lists}} : vector<${from}xi32> into vector<${to}xi32>`,
  );
const insert = (from: string, to: string, position: string): readonly [string, string] =>
  of(
    `%a: ${from}, %b: vector<${to}xi32>`,
    `vector<${to}xi32>`,
    `%r = vector.insert %a, %b [${position}] : ${from} into vector<${to}xi32>`,
  );
const read = (
  vector: string,
  attributes: string,
  mask = '',
  source = 'memref<4x5xi32>',
): readonly [string, string] =>
  of(
    `%a: ${source}${mask === '' ? '' : `, %m: vector<${mask}xi1>`}, %i: index`,
    `vector<${vector}xi32>`,
    `%r = vector.transfer_read %a[%c1, %i], %i7${mask === '' ? '' : ', %m'} {${attributes}} : ${source}, ` +
      `vector<${vector}xi32>`,
  );
const write = (
  vector: string,
  attributes: string,
  mask = '',
  dest = 'memref<4x5xi32>',
): readonly [string, string] => {
  const op =
    `vector.transfer_write %v, %a[%c1, %i]${mask === '' ? '' : ', %m'} {${attributes}} : ` +
    `vector<${vector}xi32>, ${dest}`;
  const masks = mask === '' ? '' : `, %m: vector<${mask}xi1>`;
  return dest.startsWith('tensor')
    ? of(`%v: vector<${vector}xi32>, %a: ${dest}${masks}, %i: index`, dest, `%r = ${op}`)
    : [`(%v: vector<${vector}xi32>, %a: ${dest}${masks}, %i: index)`, op];
};
/** The same in a mask `%m`. */
const within = (
  [signature, body]: readonly [string, string],
  mask: string,
  result = '',
): readonly [string, string] => [
  signature.replace(')', `, %m: vector<${mask}xi1>)`),
  body.replace(
    /^(%r = )?(.*)/,
    (_, name = '', op = '') =>
      `${name as string}vector.mask %m { ${op as string} } : vector<${mask}xi1>${
        result === '' ? '' : ` -> ` + `vector<${result}xi32>`
      }`,
  ),
];
const columns = 'permutation_map = affine_map<(d0, d1) -> (0, d1)>';

testRows('cast_away_vector_leading_one_dim', patterns('vector.cast_away_vector_leading_one_dim'), [
  [
    'a slice',
    ...sliced('1x4x3', '1x2x3', 'offsets = [0, 1], sizes = [1, 2], strides = [1, 1]'),
    'extract, extract_strided_slice, broadcast',
  ],
  [
    'a slice of rows',
    ...sliced('1x1x6', '1x1x2', 'offsets = [0, 0, 3], sizes = [1, 1, 2], strides = [1, 1, 1]'),
    'extract, extract_strided_slice, broadcast',
  ],
  ['a slice of units', ...sliced('1x4', '1x4', 'offsets = [0], sizes = [1], strides = [1]'), ''],
  ['a slice of planes', ...sliced('3x1x4', '2x1x4', 'offsets = [1], sizes = [2], strides = [1]'), stays],
  [
    'a slice that is put in',
    ...put('1x2', '1x4x3', 'offsets = [0, 2, 1], strides = [1, 1]'),
    '2 extract, insert_strided_slice, broadcast',
  ],
  [
    'a row that is put in',
    ...put('1x2', '4x3', 'offsets = [2, 1], strides = [1, 1]'),
    'extract, insert_strided_slice',
  ],
  [
    'a line that is put in',
    ...put('2', '1x3', 'offsets = [0, 1], strides = [1]'),
    'extract, insert_strided_slice, broadcast',
  ],
  ['rows that are put in', ...put('2x2', '4x3', 'offsets = [2, 1], strides = [1, 1]'), stays],
  ['an element that is inserted', ...insert('i32', '1x3', '0, 2'), 'extract, insert, broadcast'],
  ['a row that is inserted', ...insert('vector<3xi32>', '1x3', '0'), 'broadcast'],
  ['a row that is inserted among rows', ...insert('vector<1x3xi32>', '4x1x3', '2'), 'extract, insert'],
  [
    'a row that is inserted among planes',
    ...insert('vector<3xi32>', '1x4x3', '0, 2'),
    'extract, insert, broadcast',
  ],
  ['a plane that is inserted', ...insert('vector<1x3xi32>', '1x1x3', '0'), 'extract, broadcast'],
  ['a row at a computed place', ...insert('vector<3xi32>', '1x4x3', '0, %c2'), 'extract, insert, broadcast'],
  ['a row at computed places', ...insert('vector<3xi32>', '1x4x3', '%c0, %c2'), 'extract, insert, broadcast'],
  ['a row among rows', ...insert('vector<3xi32>', '4x3', '2'), stays],
  [
    'a mask',
    ...of('%x: i32', 'vector<1x4xi1>', '%r = vector.constant_mask [1, 2] : vector<1x4xi1>'),
    'constant_mask, broadcast',
    '[2]',
  ],
  [
    'a mask that is not set',
    ...of('%x: i32', 'vector<1x1x4xi1>', '%r = vector.constant_mask [0, 0, 0] : vector<1x1x4xi1>'),
    'constant_mask, broadcast',
    '[0]',
  ],
  [
    'a mask of planes',
    ...of('%x: i32', 'vector<1x3x4xi1>', '%r = vector.constant_mask [1, 2, 3] : vector<1x3x4xi1>'),
    'constant_mask, broadcast',
    '[2, 3]',
  ],
  ['a read', ...read('1x3', 'in_bounds = [true, false]'), 'transfer_read, broadcast'],
  [
    'a read of a repeated row',
    ...read('1x3', `in_bounds = [true, false], ${columns}`),
    'transfer_read, broadcast',
  ],
  [
    'a read of a tensor',
    ...read('1x3', 'in_bounds = [true, false]', '', 'tensor<4x5xi32>'),
    'transfer_read, broadcast',
  ],
  ['a read of rows', ...read('2x3', 'in_bounds = [true, false]'), stays],
  ['a read under its mask', ...read('1x3', 'in_bounds = [true, false]', '1x3'), stays],
  ['a read in a mask', ...within(read('1x3', 'in_bounds = [true, false]'), '1x3', '1x3'), stays],
  ['a write in a mask', ...within(write('1x3', 'in_bounds = [true, false]'), '1x3'), stays],
  ['a write', ...write('1x3', 'in_bounds = [true, false]'), 'extract, transfer_write'],
  [
    'a write to a tensor',
    ...write('1x3', 'in_bounds = [true, false]', '', 'tensor<4x5xi32>'),
    'extract, transfer_write',
  ],
  ['a write of rows', ...write('2x3', 'in_bounds = [true, false]'), stays],
  ['a write under its mask', ...write('1x3', 'in_bounds = [true, false]', '1x3'), stays],
  ['a difference', ...sum('i32', '1x3'), '2 extract, arith.subi, broadcast'],
  ['a difference of planes', ...sum('i32', '1x1x2x3'), '2 extract, arith.subi, broadcast'],
  ['a difference of rows', ...sum('i32', '2x1x3'), stays],
  ['a difference of single elements', ...sum('i32', '1'), stays],
  ['a difference in a scalable number', ...sum('i32', '[1]x3'), stays],
  [
    'the halves of products',
    ...of(
      '%a: vector<1x3xi32>, %b: vector<1x3xi32>',
      '(vector<1x3xi32>, vector<1x3xi32>)',
      '%r, %h = arith.mulsi_extended %a, %b : vector<1x3xi32>\n  return %r, %h : vector<1x3xi32>, vector<1x3xi32>',
    ),
    stays,
  ],
  [
    'a choice by a scalar',
    ...of(
      '%c: i1, %a: vector<1x3xi32>, %b: vector<1x3xi32>',
      'vector<1x3xi32>',
      '%r = arith.select %c, %a, %b : vector<1x3xi32>',
    ),
    '2 extract, arith.select, broadcast',
  ],
]);

const contracted = (
  maps: readonly string[],
  types: readonly string[],
  iterators: string,
  result: string,
): readonly [string, string] =>
  of(
    types.map((type, i) => `%${'abc'[i]}: vector<${type}xi32>`).join(', '),
    `vector<${result}xi32>`,
    '%r = vector.contract {indexing_maps = ' +
      `[${maps.map((map) => `affine_map<(d0, d1, d2) -> (${map})>`).join(', ')}], ` +
      `iterator_types = [${iterators}], kind = #vector.kind<add>} %a, %b, %c : vector<${types[0]}xi32>, ` +
      `vector<${types[1]}xi32> into vector<${result}xi32>`,
  );
const [parallel, reduction] = ['"parallel"', '"reduction"'];
const matrices = `${parallel}, ${parallel}, ${reduction}`;

testRows(
  'cast_away_vector_leading_one_dim: contractions',
  patterns('vector.cast_away_vector_leading_one_dim'),
  [
    [
      'of one row',
      ...contracted(['d0, d2', 'd2, d1', 'd0, d1'], ['1x4', '4x3', '1x3'], matrices, '1x3'),
      '2 extract, contract, broadcast',
    ],
    [
      'of one column',
      ...contracted(['d2, d0', 'd1, d2', 'd0, d1'], ['4x1', '3x4', '1x3'], matrices, '1x3'),
      'transpose, 2 extract, contract, broadcast',
    ],
    [
      'of a second factor of one row',
      ...contracted(['d2, d1', 'd0, d2', 'd0, d1'], ['4x3', '1x4', '1x3'], matrices, '1x3'),
      '2 extract, contract, broadcast',
    ],
    [
      'in another order',
      ...contracted(
        ['d1, d0', 'd0, d2', 'd1, d2'],
        ['1x4', '4x3', '1x3'],
        `${reduction}, ${parallel}, ${parallel}`,
        '1x3',
      ),
      '2 extract, contract, broadcast',
    ],
    [
      'of units',
      ...contracted(
        ['d1, d0', 'd2, d1', 'd0, d2'],
        ['1x1', '3x1', '1x3'],
        `${parallel}, ${reduction}, ${parallel}`,
        '1x3',
      ),
      '2 extract, contract, broadcast',
    ],
    [
      'of one row, in a mask',
      ...within(
        contracted(['d0, d2', 'd2, d1', 'd0, d1'], ['1x4', '4x3', '1x3'], matrices, '1x3'),
        '1x3x4',
        '1x3',
      ),
      stays,
    ],
    [
      'of a scalable number of rows',
      ...contracted(['d0, d2', 'd2, d1', 'd0, d1'], ['[1]x4', '4x3', '[1]x3'], matrices, '[1]x3'),
      stays,
    ],
    [
      'of a column of one element',
      ...contracted(
        ['d0, d2', 'd2, d1', 'd0'],
        ['1x4', '4x3', '1'],
        `${parallel}, ${reduction}, ${reduction}`,
        '1',
      ),
      stays,
    ],
    ['of rows', ...contracted(['d0, d2', 'd2, d1', 'd0, d1'], ['2x4', '4x3', '2x3'], matrices, '2x3'), stays],
  ],
);

// --- Strategies ---

describe('strategies', () => {
  const [signature, body] = turned('2x3', '1, 0', '3x2');

  it('takes transposes element by element by default', () => {
    const { text } = apply(functionOf(signature, body), patterns('vector.lower_transpose'));
    expect(text.match(/vector.insert/g)).toHaveLength(6);
  });

  it.each([
    ['transposes for AVX2', 'vector.lower_transpose avx2_lowering_strategy = true'],
    [
      'splits in full and partial transfers by copies',
      'vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"',
    ],
  ])('does not have %s', (_, name) => {
    expect(apply(functionOf(signature, body), patterns(name)).status).not.toBe('success');
  });
});
