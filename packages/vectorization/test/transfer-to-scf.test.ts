/** Transfers row by row, and element by element where a row is not contiguous. */
import { patterns, stays, testRows } from './support.ts';
import type { Transfer } from './transfer-payloads.ts';
import { apart, box, matrix, read, tensor, write } from './transfer-payloads.ts';

testRows('transfer_to_scf: reads', patterns('vector.transfer_to_scf full_unroll = true'), [
  ['rows', ...read(matrix, '2x3xi32', { inBounds: 'tt' }), '2 transfer_read, 2 insert'],
  [
    'planes',
    ...read(box, '2x2x3xi32', { inBounds: 'ttt', at: '%c0, %c1, %c2' }),
    '4 transfer_read, 4 insert',
  ],
  [
    'rows that may be outside',
    ...read(matrix, '2x3xi32', { inBounds: 'ft', at: '%i, %c1' }),
    '2 arith.cmpi, 2 scf.if, 2 transfer_read, 2 insert, 2 affine.apply',
  ],
  [
    'planes whose rows may be outside',
    ...read(box, '2x2x3xi32', { inBounds: 'tft', at: '%c0, %i, %c1' }),
    '4 arith.cmpi, 4 scf.if, 4 transfer_read, 4 insert, 4 affine.apply',
  ],
  [
    'elements that may be outside',
    ...read(matrix, '2x3xi32', { inBounds: 'tf', at: '%c1, %i' }),
    '2 transfer_read, 2 insert',
  ],
  [
    'rows of a dynamic buffer',
    ...read('memref<?x?xi32>', '2x3xi32', { inBounds: 'ff', at: '%i, %i' }),
    '2 memref.dim, 2 arith.cmpi, 2 scf.if, 2 transfer_read, 2 insert, 2 affine.apply',
  ],
  [
    'repeated rows',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', map: '0, d1' }),
    '2 transfer_read, 2 insert',
  ],
  [
    'columns',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', map: 'd1, d0' }),
    '2 scf.for, 2 memref.load, 2 insertelement, 2 insert',
  ],
  [
    'columns that may be outside',
    ...read(matrix, '2x3xi32', { inBounds: 'ff', map: 'd1, d0', at: '%i, %i' }),
    '4 arith.cmpi, 4 scf.if, 2 scf.for, 6 affine.apply, 2 memref.load, 2 insertelement, 2 insert',
  ],
  [
    'rows under their mask',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', mask: '2x3' }),
    '2 extract, 2 transfer_read, 2 insert',
  ],
  [
    'rows under their mask that may be outside',
    ...read(matrix, '2x3xi32', { inBounds: 'ff', mask: '2x3', at: '%i, %i' }),
    '2 arith.cmpi, 2 scf.if, 2 extract, 2 transfer_read, 2 insert, 2 affine.apply',
  ],
  [
    'repeated rows under their mask',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', map: '0, d1', mask: '3' }),
    '2 transfer_read, 2 insert',
  ],
  [
    'repeated elements under their mask',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', map: 'd0, 0', mask: '2' }),
    '2 extractelement, 2 scf.if, 2 scf.for, 2 memref.load, 2 insertelement, 2 insert',
  ],
  [
    'columns under their mask',
    ...read(matrix, '2x3xi32', { inBounds: 'tt', map: 'd1, d0', mask: '3x2' }),
    stays,
  ],
  [
    'a column',
    ...read(matrix, '3xi32', { inBounds: 't', map: 'd0', at: '%c1, %c2' }),
    'scf.for, affine.apply, memref.load, insertelement',
  ],
  [
    'a column that may be outside',
    ...read(matrix, '3xi32', { inBounds: 'f', map: 'd0', at: '%i, %c2' }),
    'scf.for, 2 affine.apply, arith.cmpi, scf.if, memref.load, insertelement',
  ],
  [
    'a column under its mask',
    ...read(matrix, '3xi32', { inBounds: 'f', map: 'd0', at: '%i, %c2', mask: '3' }),
    'scf.for, 2 affine.apply, arith.cmpi, extractelement, arith.andi, scf.if, memref.load, insertelement',
  ],
  [
    'a scalable column',
    ...read(matrix, '[3]xi32', { inBounds: 't', map: 'd0', at: '%c1, %c2' }),
    'vscale, arith.muli, scf.for, affine.apply, memref.load, insertelement',
  ],
  [
    'a repeated element',
    ...read(matrix, '3xi32', { inBounds: 't', map: '0', at: '%c1, %c2' }),
    'scf.for, memref.load, insertelement',
  ],
  ['a row that is not contiguous', ...apart(read), 'memref.subview, scf.for, memref.load, insertelement'],
  ['a row', ...read(matrix, '3xi32', { inBounds: 't' }), stays],
  ['rows under a mask', ...read(matrix, '2x3xi32', { inBounds: 'tt', around: '2x3' }), stays],
  ['rows of a tensor', ...read(tensor, '2x3xi32', { inBounds: 'tt' }), stays],
  ['a scalable number of rows', ...read(matrix, '[2]x3xi32', { inBounds: 'tt' }), stays],
  ['no dimension', ...read('memref<i32>', 'i32', { inBounds: '' }), stays],
]);

/** A read that is inserted in a box. */
const inserted = (
  transfer: Transfer,
  position: string,
  extra = '',
  dest = '%d',
): readonly [string, string] => {
  const [signature, body] = read(matrix, '2x3xi32', transfer);
  return [
    signature
      .replace(')', ', %d: vector<4x2x3xi32>, %p: vector<4x2x3xi32>)')
      .replace(/-> .*/, '-> vector<4x2x3xi32>'),
    `${body.replace('%r', '%s')}
  ${extra}
  %r = vector.insert %s, ${dest} [${position}] : vector<2x3xi32> into vector<4x2x3xi32>`,
  ];
};

testRows('transfer_to_scf: reads that are inserted', patterns('vector.transfer_to_scf full_unroll = true'), [
  ['rows', ...inserted({ inBounds: 'tt' }, '1'), '2 transfer_read, 2 insert'],
  ['rows at a computed place', ...inserted({ inBounds: 'tt' }, '%c2'), '2 transfer_read, 3 insert'],
  [
    'rows that may be outside',
    ...inserted({ inBounds: 'ft', at: '%i, %c0' }, '1'),
    '2 arith.cmpi, 2 scf.if, 2 transfer_read, 3 insert, 2 affine.apply',
  ],
  [
    'elements that may be outside',
    ...inserted({ inBounds: 'tf', at: '%c0, %i' }, '1'),
    '2 transfer_read, 3 insert',
  ],
  [
    'rows under their mask',
    ...inserted({ inBounds: 'tt', mask: '2x3' }, '1'),
    '2 extract, 2 transfer_read, 3 insert',
  ],
  [
    'rows in a vector that is computed afterwards',
    ...inserted({ inBounds: 'tt' }, '1', '%e = arith.addi %d, %p : vector<4x2x3xi32>', '%e'),
    '2 transfer_read, 3 insert, arith.addi',
  ],
  [
    'rows that are used twice',
    ...inserted(
      { inBounds: 'tt' },
      '1',
      '%e = vector.insert %s, %d [0] : vector<2x3xi32> into vector<4x2x3xi32>',
      '%e',
    ),
    '2 transfer_read, 4 insert',
  ],
]);

const [inMatrix, matrixRows] = read(matrix, '2x3xi32', { inBounds: 'tt' });

testRows(
  'transfer_to_scf: reads that are used otherwise',
  patterns('vector.transfer_to_scf full_unroll = true'),
  [
    [
      'rows of which an element is replaced',
      inMatrix,
      `${matrixRows.replace('%r', '%s')}
  %r = vector.insert %i7, %s [0, 1] : i32 into vector<2x3xi32>`,
      '2 transfer_read, 3 insert',
    ],
    [
      'rows that are inserted in a branch',
      inMatrix.replace(')', ', %c: i1, %d: vector<4x2x3xi32>)').replace(/-> .*/, '-> vector<4x2x3xi32>'),
      `${matrixRows.replace('%r', '%s')}
  %r = scf.if %c -> vector<4x2x3xi32> {
    %e = vector.insert %s, %d [1] : vector<2x3xi32> into vector<4x2x3xi32>
    scf.yield %e : vector<4x2x3xi32>
  } else {
    scf.yield %d : vector<4x2x3xi32>
  }`,
      '2 transfer_read, 3 insert, scf.if',
    ],
  ],
);

testRows('transfer_to_scf: writes', patterns('vector.transfer_to_scf full_unroll = true'), [
  ['rows', ...write(matrix, '2x3xi32', { inBounds: 'tt' }), '2 extract, 2 transfer_write'],
  [
    'planes',
    ...write(box, '2x2x3xi32', { inBounds: 'ttt', at: '%c0, %c1, %c2' }),
    '4 extract, 4 transfer_write',
  ],
  [
    'rows that may be outside',
    ...write(matrix, '2x3xi32', { inBounds: 'ft', at: '%i, %c1' }),
    '2 arith.cmpi, 2 scf.if, 2 extract, 2 transfer_write, 2 affine.apply',
  ],
  [
    'planes whose rows may be outside',
    ...write(box, '2x2x3xi32', { inBounds: 'tft', at: '%c0, %i, %c1' }),
    '4 arith.cmpi, 4 scf.if, 4 extract, 4 transfer_write, 4 affine.apply',
  ],
  [
    'elements that may be outside',
    ...write(matrix, '2x3xi32', { inBounds: 'tf', at: '%c1, %i' }),
    '2 extract, 2 transfer_write',
  ],
  [
    'columns',
    ...write(matrix, '2x3xi32', { inBounds: 'tt', map: 'd1, d0' }),
    '2 extract, 2 scf.for, 2 extractelement, 2 memref.store',
  ],
  [
    'rows under their mask',
    ...write(matrix, '2x3xi32', { inBounds: 'tt', mask: '2x3' }),
    '4 extract, 2 transfer_write',
  ],
  [
    'rows under their mask that may be outside',
    ...write(matrix, '2x3xi32', { inBounds: 'ff', mask: '2x3', at: '%i, %i' }),
    '2 arith.cmpi, 2 scf.if, 4 extract, 2 transfer_write, 2 affine.apply',
  ],
  [
    'columns under their mask',
    ...write(matrix, '2x3xi32', { inBounds: 'tt', map: 'd1, d0', mask: '3x2' }),
    stays,
  ],
  [
    'a column',
    ...write(matrix, '3xi32', { inBounds: 't', map: 'd0', at: '%c1, %c2' }),
    'scf.for, affine.apply, extractelement, memref.store',
  ],
  [
    'a column that may be outside',
    ...write(matrix, '3xi32', { inBounds: 'f', map: 'd0', at: '%i, %c2' }),
    'scf.for, 2 affine.apply, arith.cmpi, scf.if, extractelement, memref.store',
  ],
  [
    'a column under its mask',
    ...write(matrix, '3xi32', { inBounds: 't', map: 'd0', mask: '3' }),
    'scf.for, 2 extractelement, scf.if, memref.store',
  ],
  ['a row that is not contiguous', ...apart(write), 'memref.subview, scf.for, extractelement, memref.store'],
  ['a row', ...write(matrix, '3xi32', { inBounds: 't' }), stays],
  ['rows under a mask', ...write(matrix, '2x3xi32', { inBounds: 'tt', around: '2x3' }), stays],
  ['rows of a tensor', ...write(tensor, '2x3xi32', { inBounds: 'tt' }), stays],
  ['a scalable number of rows', ...write(matrix, '[2]x3xi32', { inBounds: 'tt' }), stays],
  [
    'rows of a sum',
    '(%u: vector<2x3xi32>, %a: memref<4x5xi32>)',
    `%v = arith.addi %u, %u : vector<2x3xi32>
  vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xi32>, memref<4x5xi32>`,
    'arith.addi, 2 extract, 2 transfer_write',
  ],
  [
    'a plane that is extracted',
    '(%v: vector<4x2x3xi32>, %a: memref<4x5xi32>)',
    `%p = vector.extract %v[1] : vector<2x3xi32> from vector<4x2x3xi32>
  vector.transfer_write %p, %a[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xi32>, memref<4x5xi32>`,
    '2 extract, 2 transfer_write',
  ],
  [
    'a plane that is extracted at a computed place',
    '(%v: vector<4x2x3xi32>, %a: memref<4x5xi32>, %i: index)',
    `%j = arith.minui %i, %c3 : index
  %p = vector.extract %v[%j] : vector<2x3xi32> from vector<4x2x3xi32>
  vector.transfer_write %p, %a[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xi32>, memref<4x5xi32>`,
    'arith.minui, 3 extract, 2 transfer_write',
  ],
]);

testRows(
  'transfer_to_scf, down to planes',
  patterns('vector.transfer_to_scf max_transfer_rank = 2 full_unroll = true'),
  [
    ['boxes', ...read(box, '2x2x3xi32', { inBounds: 'ttt' }), '2 transfer_read, 2 insert'],
    [
      'boxes that are written',
      ...write(box, '2x2x3xi32', { inBounds: 'ttt' }),
      '2 extract, 2 transfer_write',
    ],
    ['rows', ...read(matrix, '2x3xi32', { inBounds: 'tt' }), stays],
    ['rows that are written', ...write(matrix, '2x3xi32', { inBounds: 'tt' }), stays],
    ['a column', ...read(matrix, '3xi32', { inBounds: 't', map: 'd0' }), stays],
  ],
);
