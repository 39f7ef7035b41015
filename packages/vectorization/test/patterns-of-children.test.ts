/** What `vectorize_children_and_apply_patterns` rewrites besides structured ops: pads, copies, slices, broadcasts. */
import type { Row } from './support.ts';
import { any, stays, testRows } from './support.ts';

const children = (flags = ''): string =>
  `%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
%g = transform.structured.vectorize_children_and_apply_patterns %f ${flags} : (${any}) -> ${any}`;

// --- Pads ---

interface Pad {
  readonly from?: string;
  readonly to?: string;
  readonly low?: string;
  readonly high?: string;
  /** What is yielded for an element. */
  readonly value?: string;
}

/** `%p`, a padded `%t`. */
const padding = ({ from = '3x5', to = '4x8', low = '0, 0', high = '1, 3', value = '%x' }: Pad = {}): string =>
  `%p = tensor.pad %t low[${low}] high[${high}] {
  ^bb0(%y: index, %z: index):
    %in = arith.index_cast %z : index to i32
    %one = arith.constant 1 : i32
    tensor.yield ${value} : i32
  } : tensor<${from}xi32> to tensor<${to}xi32>`;
const padded = (pad: Pad, result: string, use = '', more = ''): readonly [string, string] => [
  `(%t: tensor<${pad.from ?? '3x5'}xi32>, %x: i32${more}) -> ${result}`,
  `${padding(pad)}\n  ${use === '' ? `return %p : ${result}` : use}`,
];
const whole = 'tensor<4x8xi32>';
const readOfPad = (attributes: string, vector = '4x8', mask = ''): readonly [string, string] =>
  padded(
    {},
    `vector<${vector}xi32>`,
    `%r = vector.transfer_read %p[%c0, %c0], %i7${mask === '' ? '' : ', %m'} {${attributes}} : ${whole}, ` +
      `vector<${vector}xi32>`,
    mask === '' ? '' : `, %m: vector<${mask}xi1>`,
  );
const writeOfPad = ({
  trim = '[0, 0] [3, 5] [1, 1]',
  more = '',
  to = '3x5',
  pad = {},
  result = '',
  mask = '',
  low = '',
} = {}): readonly [string, string] =>
  padded(
    { low: low === '' ? '0, 0' : low, high: low === '' ? '1, 3' : '0, 2', ...pad },
    result === '' ? `tensor<${to}xi32>` : result,
    `%w = vector.transfer_write %v, %p[%c0, %c1]${mask === '' ? '' : ', %m'} {in_bounds = [true, true]} : ` +
      `vector<2x4xi32>, ${whole}
  %r = tensor.extract_slice %w${trim} : ${whole} to tensor<${to}xi32>${more}`,
    `, %v: vector<2x4xi32>, %m: vector<2x4xi1>`,
  );
const insertOfPad = (
  where: string,
  { into = '6x9', dest = '%d', pad = {}, source = '4x8' } = {},
): readonly [string, string] =>
  padded(
    pad,
    `tensor<${into}xi32>`,
    `%r = tensor.insert_slice %p into ${dest}${where} : tensor<${source}xi32> into tensor<${into}xi32>`,
    `, %d: tensor<${into}xi32>, %n: index`,
  );

testRows('pads', children('{vectorize_padding}'), [
  ['a pad', ...padded({}, whole), 'tensor.empty, broadcast, 2 transfer_write, transfer_read'],
  [
    'a pad on both sides',
    ...padded({ low: '1, 2', high: '0, 1' }, whole),
    'tensor.empty, broadcast, 2 transfer_write, transfer_read',
  ],
  [
    'a pad with a constant of its body',
    ...padded({ value: '%one' }, whole),
    'tensor.empty, 2 transfer_write, transfer_read',
  ],
  [
    'a pad with computed elements',
    ...padded({ value: '%in' }, whole),
    'tensor.generate, arith.index_cast, transfer_read, transfer_write',
  ],
  [
    'a pad with computed elements on both sides',
    ...padded({ value: '%in', low: '1, 2', high: '0, 1' }, whole),
    'tensor.generate, arith.index_cast, transfer_read, transfer_write',
  ],
  [
    'a pad with the numbers of the rows',
    '(%t: tensor<3x5xindex>) -> tensor<4x8xindex>',
    padding({ value: '%y' })
      .replaceAll('i32', 'index')
      .replace(/\n.*arith[^\n]*\n.*arith.*/, '')
      .replace('%p', '%r'),
    'tensor.generate, transfer_read, transfer_write',
  ],
  ['a pad of nothing', ...padded({ from: '4x8', high: '0, 0' }, whole), ''],
  [
    'a pad of a tensor of unknown size',
    ...padded({ from: '?x5', to: '?x8', high: '2, 3' }, 'tensor<?x8xi32>'),
    '2 tensor.dim, arith.addi, tensor.empty, linalg.fill, tensor.insert_slice',
  ],
  [
    'a pad by an unknown number',
    ...padded({ low: '%n, 0', to: '?x8', high: '%n, 3' }, 'tensor<?x8xi32>', '', ', %n: index'),
    '2 arith.addi, tensor.empty, linalg.fill, transfer_read, transfer_write',
  ],
  [
    'a pad of an unknown size to a known one',
    ...padded({ from: '?x5', high: '0, 3' }, whole),
    'tensor.empty, broadcast, 2 transfer_write, transfer_read',
  ],
  [
    'a pad of an unknown size to a known one, below',
    ...padded({ from: '?x5', low: '%n, 0', high: '0, 3', to: '?x8' }, 'tensor<?x8xi32>', '', ', %n: index'),
    '2 tensor.dim, arith.addi, tensor.empty, linalg.fill, tensor.insert_slice',
  ],
  [
    'a pad of an unknown size with computed elements',
    ...padded({ from: '?x5', high: '0, 3', value: '%in' }, whole),
    'tensor.generate, arith.index_cast, tensor.dim, tensor.insert_slice',
  ],
  ['a read', ...readOfPad('in_bounds = [true, true]'), 'transfer_read', 'tensor<3x5xi32>, vector<4x8xi32>'],
  [
    'a read of columns',
    ...readOfPad('in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>', '8x4'),
    'transfer_read, transpose',
  ],
  [
    'a read of a row',
    ...readOfPad('in_bounds = [true]', '8'),
    'tensor.empty, broadcast, 2 transfer_write, 2 transfer_read',
  ],
  [
    'a read that may be outside',
    ...readOfPad('in_bounds = [true, false]', '4x9'),
    'tensor.empty, broadcast, 2 transfer_write, 2 transfer_read',
  ],
  [
    'a read under a mask',
    ...readOfPad('in_bounds = [true, true]', '4x8', '4x8'),
    'tensor.empty, broadcast, 2 transfer_write, 2 transfer_read',
  ],
  [
    'a read in a mask',
    ...padded(
      {},
      'vector<4x8xi32>',
      `%r = vector.mask %m { vector.transfer_read %p[%c0, %c0], %i7 {in_bounds = [true, true]} : ${whole}, ` +
        `vector<4x8xi32> } : vector<4x8xi1> -> vector<4x8xi32>`,
      ', %m: vector<4x8xi1>',
    ),
    'tensor.empty, broadcast, 2 transfer_write, 2 transfer_read, mask',
  ],
  ['a write that is trimmed', ...writeOfPad(), 'transfer_write'],
  [
    'a write that is trimmed elsewhere',
    ...writeOfPad({ trim: '[1, 1] [3, 5] [1, 1]' }),
    'tensor.empty, broadcast, 3 transfer_write, transfer_read, tensor.extract_slice',
  ],
  [
    'a write that is trimmed less',
    ...writeOfPad({ trim: '[0, 0] [4, 5] [1, 1]', to: '4x5' }),
    'tensor.empty, broadcast, 3 transfer_write, transfer_read, tensor.extract_slice',
  ],
  [
    'a write of which every other row is taken',
    ...writeOfPad({ trim: '[0, 0] [2, 5] [2, 1]', to: '2x5' }),
    'tensor.empty, broadcast, 3 transfer_write, transfer_read, tensor.extract_slice',
  ],
  [
    'a write that is trimmed, and used',
    ...writeOfPad({
      more: `\n  return %r, %w : tensor<3x5xi32>, ${whole}`,
      result: `(tensor<3x5xi32>, ${whole})`,
    }),
    'tensor.empty, broadcast, 3 transfer_write, transfer_read, tensor.extract_slice',
  ],
  [
    'a write under a mask that is trimmed',
    ...writeOfPad({ mask: 'm' }),
    'tensor.empty, broadcast, 3 transfer_write, transfer_read, tensor.extract_slice',
  ],
  [
    'a write of what is padded below',
    ...writeOfPad({ low: '1, 1' }),
    'tensor.empty, broadcast, 3 transfer_write, transfer_read, tensor.extract_slice',
  ],
  [
    'a write of what is padded with computed elements',
    ...writeOfPad({ pad: { value: '%in' } }),
    'tensor.generate, arith.index_cast, transfer_read, 2 transfer_write, tensor.extract_slice',
  ],
  [
    'a write of a row, which may be one of padding',
    ...padded(
      { high: '2, 0', to: '5x5' },
      'tensor<3x5xi32>',
      `%w = vector.transfer_write %v, %p[%c3, %c0] {in_bounds = [true]} : vector<5xi32>, tensor<5x5xi32>
  %r = tensor.extract_slice %w[0, 0] [3, 5] [1, 1] : tensor<5x5xi32> to tensor<3x5xi32>`,
      ', %v: vector<5xi32>',
    ),
    'tensor.empty, broadcast, 3 transfer_write, transfer_read, tensor.extract_slice',
  ],
  ['an insertion', ...insertOfPad('[1, 1] [4, 8] [1, 1]'), 'transfer_read, transfer_write'],
  [
    'an insertion at a computed place',
    ...insertOfPad('[%c2, 1] [4, 8] [1, 1]'),
    'transfer_read, transfer_write',
  ],
  [
    'an insertion of a plane',
    ...insertOfPad('[1, 0, 0] [1, 4, 8] [1, 1, 1]', { into: '2x6x9' }),
    'transfer_read, transfer_write',
  ],
  [
    'an insertion in every other column',
    ...insertOfPad('[0, 0] [4, 8] [1, 2]', { into: '6x16' }),
    'tensor.empty, broadcast, 2 transfer_write, transfer_read, tensor.insert_slice',
  ],
  [
    'an insertion into what is padded',
    ...padded(
      {},
      whole,
      `%r = tensor.insert_slice %d into %p[1, 1] [3, 5] [1, 1] : tensor<3x5xi32> into ${whole}`,
      ', %d: tensor<3x5xi32>',
    ),
    'tensor.empty, broadcast, 2 transfer_write, transfer_read, tensor.insert_slice',
  ],
  [
    'a write that is not trimmed',
    ...padded(
      {},
      whole,
      `%r = vector.transfer_write %v, %p[%c0, %c1] {in_bounds = [true, true]} : vector<2x4xi32>, ${whole}`,
      ', %v: vector<2x4xi32>',
    ),
    'tensor.empty, broadcast, 3 transfer_write, transfer_read',
  ],
  [
    'an insertion between planes',
    ...insertOfPad('[1, 0, 0] [4, 1, 8] [1, 1, 1]', { into: '6x2x9' }),
    'tensor.empty, broadcast, 2 transfer_write, transfer_read, tensor.insert_slice',
  ],
  [
    'an insertion of computed elements',
    ...insertOfPad('[1, 1] [4, 8] [1, 1]', { pad: { value: '%in' } }),
    'tensor.generate, arith.index_cast, transfer_read, transfer_write, tensor.insert_slice',
  ],
  [
    'an insertion of what is padded below',
    ...insertOfPad('[1, 1] [4, 8] [1, 1]', { pad: { low: '1, 1', high: '0, 2' } }),
    'tensor.empty, broadcast, 2 transfer_write, transfer_read, tensor.insert_slice',
  ],
]);

const trimmedAgain = (sizes: string, from = '%n, %k'): readonly [string, string] => [
  `(%s: tensor<3x5xi32>, %x: i32, %v: vector<2x4xi32>, %a: index, %b: index) -> tensor<?x?xi32>`,
  `%n = arith.minui %a, %c3 : index
  %k = arith.minui %b, %c3 : index
  %l = affine.min affine_map<(d0) -> (d0, 3)>(%a)
  %m = affine.min affine_map<(d0) -> (d0, 3)>(%a)
  %o = affine.min affine_map<(d0) -> (d0, 2)>(%a)
  %t = tensor.extract_slice %s[0, 0] [${from}] [1, 1] : tensor<3x5xi32> to tensor<?x?xi32>
  %h = affine.apply affine_map<(d0) -> (-d0 + 4)>(%${from.split('%')[1]!.split(',')[0]!})
  %g = affine.apply affine_map<(d0) -> (-d0 + 8)>(%${from.split('%')[2]!})
  ${padding({ from: '?x?', high: '%h, %g' })}
  %w = vector.transfer_write %v, %p[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xi32>, tensor<4x8xi32>
  %r = tensor.extract_slice %w[0, 0] [${sizes}] [1, 1] : tensor<4x8xi32> to tensor<?x?xi32>`,
];

testRows('pads that are trimmed to unknown sizes', children('{vectorize_padding}'), [
  ['the same', ...trimmedAgain('%n, %k'), '2 arith.minui, tensor.extract_slice, transfer_write'],
  [
    'other ones',
    ...trimmedAgain('%k, %n'),
    '2 arith.minui, 2 tensor.extract_slice, tensor.empty, transfer_read, 2 transfer_write',
  ],
  [
    'the same, computed twice',
    ...trimmedAgain('%m, %k', '%l, %k'),
    'arith.minui, affine.min, tensor.extract_slice, transfer_write',
  ],
  [
    'others, computed alike',
    ...trimmedAgain('%o, %k', '%l, %k'),
    'arith.minui, 2 affine.min, 2 tensor.extract_slice, tensor.empty, transfer_read, 2 transfer_write',
  ],
]);

// --- Copies ---

const copied = (from: string, to = from): readonly [string, string] => [
  `(%a: memref<${from}>, %b: memref<${to}>)`,
  `memref.copy %a, %b : memref<${from}> to memref<${to}>`,
];

/** A part of a buffer that is written, then copied to another one. */
const writtenThenCopied = ({
  offset = 0,
  between = '',
  later = '',
  at = '%c0, %c0',
  view = '2x4',
  mask = '',
  sizes = '2, 4',
} = {}): readonly [string, string] => [
  '(%v: vector<2x4xi32>, %out: memref<8x8xi32>, %y: i32, %m: vector<2x4xi1>, %i: index)',
  `%buffer = memref.alloc() : memref<4x4xi32>
  %n = arith.minui %i, %c2 : index
  %from = memref.subview %buffer[${offset}, 0] [${sizes}] [1, 1] : memref<4x4xi32> to memref<${view}xi32, ` +
    `strided<[4, 1], offset: ${4 * offset}>>
  %to = memref.subview %out[1, 2] [${sizes}] [1, 1] : memref<8x8xi32> to memref<${view}xi32, strided<[8, 1], ` +
    `offset: 10>>
  vector.transfer_write %v, %buffer[${at}]${mask === '' ? '' : ', %m'} {in_bounds = [true, true]} : ` +
    `vector<2x4xi32>, memref<4x4xi32>
  ${between}
  memref.copy %from, %to : memref<${view}xi32, strided<[4, 1], offset: ${4 * offset}>> to memref<${view}xi32, ` +
    `strided<[8, 1], offset: 10>>
  ${later}`,
];

const some = { view: '?x4', sizes: '%n, 4' };

testRows('copies', children(), [
  ['a copy', ...copied('3x5xi32'), 'transfer_read, transfer_write', 'in_bounds = [true, true]'],
  ['a copy of floats', ...copied('5xf32'), 'transfer_read, transfer_write'],
  ['a copy of one element', ...copied('f32'), 'transfer_read, extractelement, broadcast, transfer_write'],
  ['a copy of unknown size', ...copied('?x5xi32'), stays],
  ['a copy to unknown size', ...copied('4x5xi32', '?x5xi32'), stays],
  [
    'a copy of what was written',
    ...writtenThenCopied(),
    'memref.alloc, 2 memref.subview, 2 transfer_write, transfer_read',
  ],
  [
    'a copy of another part',
    ...writtenThenCopied({ offset: 1 }),
    'memref.alloc, 2 memref.subview, 2 transfer_write, transfer_read',
  ],
  [
    'a copy of what was written twice',
    ...writtenThenCopied({ between: 'memref.store %y, %buffer[%c0, %c0] : memref<4x4xi32>' }),
    'memref.alloc, 2 memref.subview, 2 transfer_write, memref.store, transfer_read',
  ],
  [
    'a copy of what was written under a mask',
    ...writtenThenCopied({ mask: 'm' }),
    'memref.alloc, 2 memref.subview, 2 transfer_write, transfer_read',
  ],
  [
    'a copy of what is read again',
    ...writtenThenCopied({
      later:
        '%q = memref.load %buffer[%c0, %c0] : memref<4x4xi32>\n  memref.store %q, %out[%c0, %c0] : memref<8x8xi32>',
    }),
    'memref.alloc, 2 memref.subview, 2 transfer_write, transfer_read, memref.load, memref.store',
  ],
  [
    'a copy before the buffer is freed',
    ...writtenThenCopied({ later: 'memref.dealloc %buffer : memref<4x4xi32>' }),
    'memref.alloc, 2 memref.subview, 2 transfer_write, transfer_read, memref.dealloc',
  ],
  [
    'a copy of some of the rows that were written',
    ...writtenThenCopied(some),
    'arith.minui, memref.subview, transfer_write',
    'in_bounds = [false, true]',
  ],
  [
    'a copy of some of the rows that were written, before the buffer is freed',
    ...writtenThenCopied({ ...some, later: 'memref.dealloc %buffer : memref<4x4xi32>' }),
    'memref.alloc, arith.minui, memref.subview, transfer_write, memref.dealloc',
  ],
  ['a copy of some rows of another part', ...writtenThenCopied({ ...some, offset: 1 }), stays],
  [
    'a copy of some rows of what was written under a mask',
    ...writtenThenCopied({ ...some, mask: 'm' }),
    stays,
  ],
  [
    'a copy of some rows, one of which is written again',
    ...writtenThenCopied({ ...some, between: 'memref.store %y, %buffer[%c0, %c0] : memref<4x4xi32>' }),
    stays,
  ],
  [
    'a copy of some rows of what is read again',
    ...writtenThenCopied({
      ...some,
      later:
        '%q = memref.load %buffer[%c0, %c0] : memref<4x4xi32>\n  memref.store %q, %out[%c0, %c0] : memref<8x8xi32>',
    }),
    stays,
  ],
]);

// --- Slices ---

const readOfSlice = (
  where: string,
  slice: string,
  vector: string,
  rest: string,
  whole = '6x9',
): readonly [string, string] => [
  `(%a: tensor<${whole}xi32>, %i: index) -> vector<${vector}xi32>`,
  `%s = tensor.extract_slice %a${where} : tensor<${whole}xi32> to tensor<${slice}xi32>
  %r = vector.transfer_read %s${rest} : tensor<${slice}xi32>, vector<${vector}xi32>`,
];
const rows = '[1, 2] [3, 5] [1, 1]';
/** The same with a mask `%m`. */
const masked = (
  [signature, body]: readonly [string, string],
  type: string,
  within = (read: string): string => read,
): readonly [string, string] => [
  signature.replace(')', `, %m: ${type})`),
  body.replace(/%r = (.*)/, (_, read: string) => `%r = ${within(read)}`),
];

testRows('slices', children(), [
  [
    'a read',
    ...readOfSlice(rows, '3x5', '2x4', '[%c1, %c1], %i7 {in_bounds = [true, true]}'),
    'transfer_read',
    '[%c2, %c3]',
  ],
  [
    'a read of columns',
    ...readOfSlice(
      rows,
      '3x5',
      '4x2',
      '[%c1, %c1], %i7 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}',
    ),
    'transfer_read, transpose',
  ],
  [
    'a read of a row',
    ...readOfSlice('[2, 1] [1, 5] [1, 1]', '5', '4', '[%c1], %i7 {in_bounds = [true]}'),
    'transfer_read',
    '[%c2, %c2]',
  ],
  [
    'a read of a column',
    ...readOfSlice('[2, 1] [4, 1] [1, 1]', '4', '3', '[%c1], %i7 {in_bounds = [true]}'),
    'transfer_read',
  ],
  [
    'a read of a row of rows of one',
    ...readOfSlice(
      '[2, 1, 0] [1, 1, 2] [1, 1, 1]',
      '1x2',
      '2',
      '[%c0, %c0], %i7 {in_bounds = [true]}',
      '3x2x2',
    ),
    'transfer_read',
    '[%c2, %c1, %c0]',
  ],
  [
    'a read at a computed place',
    ...readOfSlice('[1, 2] [5, 5] [1, 1]', '5x5', '4', '[%i, %c0], %i7 {in_bounds = [true]}'),
    'affine.apply, transfer_read',
  ],
  [
    'a read that may be outside',
    ...readOfSlice(rows, '3x5', '2x6', '[%c1, %c0], %i7 {in_bounds = [true, false]}'),
    stays,
  ],
  [
    'a read under its mask',
    ...masked(
      readOfSlice(rows, '3x5', '2x4', '[%c1, %c1], %i7, %m {in_bounds = [true, true]}'),
      'vector<2x4xi1>',
    ),
    stays,
  ],
  [
    'a read in a mask',
    ...masked(
      readOfSlice(rows, '3x5', '2x4', '[%c1, %c1], %i7 {in_bounds = [true, true]}'),
      'vector<2x4xi1>',
      (read) => `vector.mask %m { ${read} } : vector<2x4xi1> -> vector<2x4xi32>`,
    ),
    'mask, transfer_read',
    '[%c2, %c3]',
  ],
  [
    'a read of every other column',
    ...readOfSlice('[1, 0] [3, 4] [1, 2]', '3x4', '4', '[%c1, %c0], %i7 {in_bounds = [true]}'),
    stays,
  ],
]);

// --- Broadcasts ---

const ofRepeated = (
  op: string,
  from = 'vector<3xi32>',
  other = from,
  repeat = 'vector.broadcast',
): readonly [string, string] => [
  `(%a: ${from}, %b: ${other}, %c: i1) -> vector<2x3xi32>`,
  `%x = ${repeat} %a : ${repeat === 'vector.splat' ? '' : `${from} to `}vector<2x3xi32>
  %y = vector.broadcast %b : ${other} to vector<2x3xi32>
  %r = ${op} : vector<2x3xi32>`,
];

testRows('broadcasts', children(), [
  ['a difference of rows', ...ofRepeated('arith.subi %x, %y'), 'arith.subi, broadcast'],
  ['a difference of scalars', ...ofRepeated('arith.subi %x, %y', 'i32'), 'arith.subi, broadcast'],
  [
    'a difference of a splat',
    ...ofRepeated('arith.subi %x, %y', 'i32', 'i32', 'vector.splat'),
    'arith.subi, broadcast',
  ],
  ['a difference of a row and a scalar', ...ofRepeated('arith.subi %x, %y', 'vector<3xi32>', 'i32'), stays],
  ['a choice', ...ofRepeated('arith.select %c, %x, %y'), stays],
  [
    'a difference of a matrix',
    '(%a: vector<3xi32>, %y: vector<2x3xi32>) -> vector<2x3xi32>',
    '%x = vector.broadcast %a : vector<3xi32> to vector<2x3xi32>\n  %r = arith.subi %x, %y : vector<2x3xi32>',
    stays,
  ],
  [
    'a product and sum',
    '(%a: vector<3xf32>) -> vector<2x3xf32>',
    '%x = vector.broadcast %a : vector<3xf32> to vector<2x3xf32>\n  %r = vector.fma %x, %x, %x : vector<2x3xf32>',
    stays,
  ],
] satisfies readonly Row[]);
