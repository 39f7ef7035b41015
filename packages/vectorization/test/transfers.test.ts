/** Transfers between vectors and buffers or tensors: with other maps, on smaller views, as loads and stores. */
import { patterns, stays, testRows } from './support.ts';
import { apart, box, matrix, read, tensor, viewed, write } from './transfer-payloads.ts';

// --- Maps ---

testRows('transfer_permutation_patterns: reads', patterns('vector.transfer_permutation_patterns'), [
  [
    'columns',
    ...read(matrix, '3x2xi32', { inBounds: 'tt', map: 'd1, d0' }),
    'transfer_read, transpose',
    'in_bounds = [true, true]',
  ],
  [
    'columns of a tensor',
    ...read(tensor, '3x2xi32', { inBounds: 'tf', map: 'd1, d0', at: '%i, %i' }),
    'transfer_read, transpose',
    '[false, true]',
  ],
  [
    'a box, rotated',
    ...read(box, '4x2x3xi32', { inBounds: 'ttt', map: 'd1, d0, d2' }),
    'transfer_read, transpose',
  ],
  [
    'a box, turned round',
    ...read('memref<2x3x4xi32>', '3x4x2xi32', { inBounds: 'ttt', map: 'd1, d2, d0' }),
    'transfer_read, transpose',
  ],
  [
    'columns under their own mask',
    ...read(matrix, '3x2xi32', { inBounds: 'tt', map: 'd1, d0', mask: '2x3' }),
    'transfer_read, transpose',
  ],
  [
    'columns under a mask',
    ...read(matrix, '3x2xi32', { inBounds: 'tt', map: 'd1, d0', around: '2x3' }),
    stays,
  ],
  ['rows', ...read(matrix, '2x3xi32', { inBounds: 'tt' }), stays],
  ['a column', ...read(matrix, '3xi32', { inBounds: 't', map: 'd0' }), stays],
  [
    'a repeated row',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', map: '0, d1' }),
    'transfer_read, broadcast',
  ],
  [
    'a repeated row, under its mask',
    ...read(matrix, '2x3xi32', { inBounds: 'tf', map: '0, d1', mask: '3', at: '%i, %i' }),
    'transfer_read, broadcast',
  ],
  [
    'a repeated row, under a mask',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', map: '0, d1', around: '3' }),
    stays,
  ],
  ['repeated elements', ...read(matrix, '2x3xi32', { inBounds: 'tt', map: 'd0, 0' }), stays],
  [
    'repeated elements, repeated',
    ...read(box, '2x2x3xi32', { inBounds: 'ttt', map: '0, d2, 0' }),
    'transfer_read, broadcast, transpose',
  ],
  [
    'a repeated column',
    ...read(matrix, '3x2xi32', { inBounds: 'tt', map: '0, d0' }),
    'transfer_read, transpose',
  ],
  [
    'one element, everywhere',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', map: '0, 0', at: '%c1, %c2' }),
    'memref.load, broadcast',
  ],
  [
    'one element of a tensor',
    ...read(tensor, '2x3xi32', { inBounds: 'tt', map: '0, 0', at: '%c1, %c2' }),
    'tensor.extract, broadcast',
  ],
  [
    'rows of columns, repeated',
    ...read(box, '3x2x5xi32', { inBounds: 'ttt', map: '0, d1, d2' }),
    'transfer_read, broadcast',
  ],
  [
    'repeated rows, transposed',
    ...read(box, '5x3x2xi32', { inBounds: 'ttt', map: 'd2, 0, d1' }),
    'transfer_read, broadcast, transpose',
  ],
  ['nothing', ...read('memref<i32>', 'i32', { inBounds: '' }), stays],
]);

testRows('transfer_permutation_patterns: writes', patterns('vector.transfer_permutation_patterns'), [
  ['columns', ...write(matrix, '3x2xi32', { inBounds: 'tt', map: 'd1, d0' }), 'transpose, transfer_write'],
  [
    'columns of a tensor',
    ...write(tensor, '3x2xi32', { inBounds: 'tf', map: 'd1, d0', at: '%i, %i' }),
    'transpose, transfer_write',
    '[false, true]',
  ],
  [
    'a box, turned round',
    ...write('memref<2x3x4xi32>', '3x4x2xi32', { inBounds: 'ttt', map: 'd1, d2, d0' }),
    'transpose, transfer_write',
  ],
  [
    'columns under their own mask',
    ...write(matrix, '3x2xi32', { inBounds: 'tt', map: 'd1, d0', mask: '2x3' }),
    'transpose, transfer_write',
  ],
  [
    'columns under a mask',
    ...write(matrix, '3x2xi32', { inBounds: 'tt', map: 'd1, d0', around: '2x3' }),
    stays,
  ],
  ['rows', ...write(matrix, '2x3xi32', { inBounds: 'tt' }), stays],
  [
    'a column',
    ...write(matrix, '3xi32', { inBounds: 't', map: 'd0', at: '%c1, %c2' }),
    'broadcast, transpose, transfer_write',
  ],
  [
    'a column, partly outside',
    ...write(matrix, '3xi32', { inBounds: 'f', map: 'd0', at: '%i, %c2' }),
    'broadcast, transpose, transfer_write',
  ],
  [
    'a plane',
    ...write(box, '2x3xi32', { inBounds: 'tt', map: 'd0, d2', at: '%c0, %c1, %c0' }),
    'broadcast, transpose, transfer_write',
  ],
  [
    'a line between planes',
    ...write(box, '3xi32', { inBounds: 't', map: 'd1' }),
    'broadcast, transpose, transfer_write',
  ],
  [
    'a transposed plane',
    ...write(box, '3x2xi32', { inBounds: 'tt', map: 'd2, d0' }),
    'broadcast, transpose, transfer_write',
  ],
  [
    'a column under its own mask',
    ...write(matrix, '3xi32', { inBounds: 't', map: 'd0', mask: '3' }),
    '2 broadcast, 2 transpose, transfer_write',
  ],
  [
    'a plane under its own mask',
    ...write(box, '2x3xi32', { inBounds: 'tt', map: 'd0, d1', mask: '2x3' }),
    '2 broadcast, 2 transpose, transfer_write',
  ],
  ['a column under a mask', ...write(matrix, '3xi32', { inBounds: 't', map: 'd0', around: '3' }), stays],
  ['nothing', ...write('memref<i32>', 'i32', { inBounds: '' }), stays],
]);

// --- Unit dimensions ---

const bounded = (bounds: string, mask: string): string =>
  `%mask = vector.create_mask ${bounds} : vector<${mask}xi1>`;
/** With a mask that is created. */
const under = (
  bounds: string,
  mask: string,
  [signature, body]: readonly [string, string],
): readonly [string, string] => [
  signature.replace(/, %mask: [^,)]*/, ''),
  `${bounded(bounds, mask)}\n  ${body}`,
];

testRows('rank_reducing_subview_patterns', patterns('vector.rank_reducing_subview_patterns'), [
  [
    'a row of one row',
    ...read('memref<1x5xi32>', '1x5xi32', { inBounds: 'tt' }),
    'memref.subview, transfer_read, shape_cast',
  ],
  [
    'a line of planes',
    ...read('memref<1x5x1xi32>', '5x1xi32', { inBounds: 'tt' }),
    'memref.subview, transfer_read, shape_cast',
  ],
  [
    'a vector without units',
    ...read('memref<1x5xi32>', '5xi32', { inBounds: 't' }),
    'memref.subview, transfer_read',
  ],
  [
    'floats',
    ...read('memref<1x5xf32>', '1x4xf32', { inBounds: 'tt' }),
    'memref.subview, transfer_read, shape_cast',
  ],
  [
    'a dynamic buffer',
    ...read('memref<1x?x?xi32>', '1x3x2xi32', { inBounds: 'ttt' }),
    '2 memref.dim, memref.subview, transfer_read, shape_cast',
  ],
  [
    'a strided buffer',
    ...viewed(
      'memref<2x2x2x7xi32>',
      '0, 0, 0, 0; 1, 2, 1, 3; 1, 1, 1, 1',
      read('memref<1x2x1x3xi32, strided<[28, 14, 7, 1]>>', '1x2x1x3xi32', { inBounds: 'tttt' }),
    ),
    '2 memref.subview, transfer_read, shape_cast',
    'affine_map<(d0, d1) -> (d0 * 14 + d1)>',
  ],
  [
    'a buffer of dynamic strides',
    ...viewed(
      'memref<?x?x?xi32>',
      '0, 1, 0; 1, 2, 3; 1, 1, 1',
      read('memref<1x2x3xi32, strided<[?, ?, 1], offset: ?>>', '1x2x3xi32', { inBounds: 'ttt' }),
    ),
    '2 memref.subview, transfer_read, shape_cast',
  ],
  [
    'a strided line',
    ...viewed(
      'memref<2x20xi32>',
      '1, 2; 1, 3; 1, 1',
      read('memref<1x3xi32, strided<[20, 1], offset: 22>>', '1x3xi32', { inBounds: 'tt' }),
    ),
    '2 memref.subview, transfer_read, shape_cast',
  ],
  [
    'a buffer of which only the first element has a place',
    ...read('memref<1x1xi32>', '1x1xi32', { inBounds: 'tt' }),
    'memref.subview, transfer_read, shape_cast',
  ],
  [
    'a write',
    ...write('memref<1x5xi32>', '1x5xi32', { inBounds: 'tt' }),
    'memref.subview, shape_cast, transfer_write',
  ],
  [
    'a write without units',
    ...write('memref<1x5xi32>', '5xi32', { inBounds: 't' }),
    'memref.subview, transfer_write',
  ],
  [
    'a mask',
    ...under('%c1, %i', '1x5', read('memref<1x5xi32>', '1x5xi32', { inBounds: 'tt', mask: '1x5' })),
    'create_mask, memref.subview, transfer_read, shape_cast',
  ],
  [
    'a mask of a write',
    ...under('%i, %c1', '5x1', write('memref<5x1xi32>', '5x1xi32', { inBounds: 'tt', mask: '5x1' })),
    'create_mask, memref.subview, shape_cast, transfer_write',
  ],
  [
    'a mask that may not be set',
    ...under('%i, %i', '1x5', read('memref<1x5xi32>', '1x5xi32', { inBounds: 'tt', mask: '1x5' })),
    stays,
  ],
  [
    'a mask of no units',
    ...under('%i', '5', read('memref<1x5xi32>', '5xi32', { inBounds: 't', mask: '5' })),
    stays,
  ],
  ['a mask that is given', ...read('memref<1x5xi32>', '1x5xi32', { inBounds: 'tt', mask: '1x5' }), stays],
  ['under a mask', ...read('memref<1x5xi32>', '1x5xi32', { inBounds: 'tt', around: '1x5' }), stays],
  ['what may be outside', ...read('memref<1x5xi32>', '1x5xi32', { inBounds: 'tf', at: '%c0, %i' }), stays],
  ['another start', ...read('memref<1x5xi32>', '1x3xi32', { inBounds: 'tt', at: '%c0, %c1' }), stays],
  ['another map', ...read('memref<1x5xi32>', '5x1xi32', { inBounds: 'tt', map: 'd1, d0' }), stays],
  ['a buffer without units', ...read(matrix, '4x5xi32', { inBounds: 'tt' }), stays],
  ['a vector of fewer rows', ...read('memref<2x1x5xi32>', '1x1x5xi32', { inBounds: 'ttt' }), stays],
  ['a tensor', ...read('tensor<1x5xi32>', '1x5xi32', { inBounds: 'tt' }), stays],
  ['a scalable row', ...read('memref<1x5xi32>', '[1]x5xi32', { inBounds: 'tt' }), stays],
]);

// --- Loads and stores ---

testRows('lower_transfer', patterns('vector.lower_transfer'), [
  ['a row', ...read(matrix, '3xi32', { inBounds: 't' }), 'load'],
  ['a row of floats', ...write('memref<4x5xf32>', '3xf32', { inBounds: 't' }), 'store'],
  ['a row under its mask', ...read(matrix, '3xi32', { inBounds: 't', mask: '3' }), 'maskedload'],
  [
    'a row that is written under its mask',
    ...write(matrix, '3xi32', { inBounds: 't', mask: '3' }),
    'maskedstore',
  ],
  ['an element', ...read(matrix, '1xi32', { inBounds: 't' }), 'memref.load, broadcast'],
  ['an element that is written', ...write(matrix, '1xi32', { inBounds: 't' }), 'extract, memref.store'],
  [
    'a repeated element',
    ...read(matrix, '3xi32', { inBounds: 't', map: '0', at: '%c1, %c2' }),
    'memref.load, 2 broadcast',
  ],
  ['a scalable row', ...read(matrix, '[3]xi32', { inBounds: 't' }), 'load'],
  [
    'a repeated element, in a scalable number',
    ...read(matrix, '[3]xi32', { inBounds: 't', map: '0' }),
    'memref.load, 2 broadcast',
  ],
  ['a row under a mask', ...read(matrix, '3xi32', { inBounds: 't', around: '3' }), stays],
  ['a row that is written under a mask', ...write(matrix, '3xi32', { inBounds: 't', around: '3' }), stays],
  ['what may be outside', ...read(matrix, '3xi32', { inBounds: 'f', at: '%c0, %i' }), stays],
  ['what may be written outside', ...write(matrix, '3xi32', { inBounds: 'f', at: '%c0, %i' }), stays],
  ['a column', ...read(matrix, '3xi32', { inBounds: 't', map: 'd0' }), stays],
  ['a column that is written', ...write(matrix, '3xi32', { inBounds: 't', map: 'd0' }), stays],
  ['rows', ...read(matrix, '2x3xi32', { inBounds: 'tt' }), stays],
  ['rows that are written', ...write(matrix, '2x3xi32', { inBounds: 'tt' }), stays],
  ['a row of a tensor', ...read(tensor, '3xi32', { inBounds: 't' }), stays],
  ['a row of a tensor that is written', ...write(tensor, '3xi32', { inBounds: 't' }), stays],
  ['a row that is not contiguous', ...apart(read), stays],
  ['a row that is written apart', ...apart(write), stays],
  ['no dimension', ...read('memref<i32>', 'i32', { inBounds: '' }), 'memref.load, broadcast'],
  [
    'no dimension that is written',
    ...write('memref<i32>', 'i32', { inBounds: '' }),
    'extractelement, memref.store',
  ],
]);

testRows('lower_transfer of planes', patterns('vector.lower_transfer max_transfer_rank = 2'), [
  ['rows', ...read(matrix, '2x3xi32', { inBounds: 'tt' }), 'load'],
  ['rows that are written', ...write(matrix, '2x3xi32', { inBounds: 'tt' }), 'store'],
  ['repeated rows', ...read(matrix, '2x3xi32', { inBounds: 'tt', map: '0, d1' }), 'load, broadcast'],
  ['rows under a mask', ...read(matrix, '2x3xi32', { inBounds: 'tt', mask: '2x3' }), stays],
  ['rows that are written under a mask', ...write(matrix, '2x3xi32', { inBounds: 'tt', mask: '2x3' }), stays],
  ['a single element', ...read(matrix, '1x1xi32', { inBounds: 'tt' }), 'memref.load, broadcast'],
  [
    'a single element that is written',
    ...write(matrix, '1x1xi32', { inBounds: 'tt' }),
    'extract, memref.store',
  ],
  ['a scalable row of one', ...write(matrix, '1x[1]xi32', { inBounds: 'tt' }), 'store'],
  ['boxes', ...read(box, '2x2x3xi32', { inBounds: 'ttt' }), stays],
]);

// --- In bounds ---

const inBounds = patterns('vector.split_transfer_full_partial split_transfer_strategy = "force-in-bounds"');
const [all, some] = ['in_bounds = [true, true]', '[false'];

testRows('split_transfer_full_partial, in bounds', inBounds, [
  ['a read', ...read(matrix, '2x3xi32', { inBounds: 'ft', at: '%c1, %c1' }), 'transfer_read', all],
  ['a write', ...write(matrix, '2x3xi32', { inBounds: 'ff', at: '%c1, %c1' }), 'transfer_write', all],
  [
    'columns',
    ...read(matrix, '2x3xi32', { inBounds: 'ft', map: 'd1, d0', at: '%c1, %i' }),
    'transfer_read',
    some,
  ],
  [
    'a read at a computed place',
    ...read('memref<8x8xi32>', '2x3xi32', { inBounds: 'ff', at: '%i, %i' }),
    stays,
    all,
  ],
  [
    'a write at a computed place',
    ...write('memref<8x8xi32>', '2x3xi32', { inBounds: 'ff', at: '%i, %c1' }),
    stays,
    all,
  ],
  [
    'a read in a branch',
    '(%a: memref<8x8xi32>, %i: index, %c: i1, %v: vector<3xi32>) -> vector<3xi32>',
    `%r = scf.if %c -> vector<3xi32> {
      %x = vector.transfer_read %a[%i, %i], %i7 : memref<8x8xi32>, vector<3xi32>
      scf.yield %x : vector<3xi32>
    } else {
      scf.yield %v : vector<3xi32>
    }`,
    stays,
    'arg1], %c7_i32 : memref',
  ],
]);
