/** Masks, what is under them, and gathers. */
import { patterns, stays, testRows } from './support.ts';

const created = (from: string, bounds: string): readonly [string, string] => [
  `(%i: index, %j: index, %k: index) -> vector<${from}xi1>`,
  `%r = vector.create_mask ${bounds} : vector<${from}xi1>`,
];
const constant = (type: string, bounds: string): readonly [string, string] => [
  `(%i: index) -> vector<${type}>`,
  `%r = vector.constant_mask [${bounds}] : vector<${type}>`,
];

testRows('lower_create_mask', patterns('vector.lower_create_mask'), [
  ['rows', ...created('4x3', '%i, %j'), 'create_mask, 4 arith.cmpi, 4 arith.select, 4 insert'],
  ['boxes', ...created('2x3x2', '%i, %j, %k'), 'create_mask, 5 arith.cmpi, 5 arith.select, 5 insert'],
  ['a line', ...created('4', '%i'), stays],
  ['a scalable number of rows', ...created('[4]x3', '%i, %j'), stays],
  ['a constant line', ...constant('4xi1', '2'), '', 'dense<[true, true, false, false]>'],
  ['a constant line that is all set', ...constant('4xi1', '4'), '', 'dense<true>'],
  ['a constant line that is not set', ...constant('4xi1', '0'), '', 'dense<false>'],
  ['a constant without dimensions', ...constant('i1', '1'), '', 'dense<true>'],
  ['a constant without dimensions that is not set', ...constant('i1', '0'), '', 'dense<false>'],
  ['constant rows', ...constant('4x3xi1', '2, 1'), '2 insert'],
  ['constant boxes', ...constant('2x3x4xi1', '1, 2, 3'), '3 insert'],
  ['a scalable number of constant rows', ...constant('[4]x3xi1', '4, 2'), stays],
]);

/** A read of 4 elements of a matrix, of which the last row and column may be outside. */
const line = (
  map: string,
  { own = '', around = '', vector = '4', inBounds = 'false' } = {},
): readonly [string, string] => {
  const type = `vector<${vector}xi32>`;
  const op = `vector.transfer_read %a[%c2, %c2], %i7${own === '' ? '' : ', %own'} {in_bounds = [${inBounds}], permutation_map = affine_map<(d0, d1) -> (${map})>} : memref<3x5xi32>, ${type}`;
  return [
    `(%a: memref<3x5xi32>, %i: index, %own: vector<4xi1>, %m: vector<4xi1>) -> ${type}`,
    `%r = ${around === '' ? op : `vector.mask %m { ${op} } : vector<4xi1> -> ${type}`}`,
  ];
};
const lineWritten = (
  dest: string,
  map: string,
  { own = '', around = '' } = {},
): readonly [string, string] => {
  const isTensor = dest.startsWith('tensor');
  const op = `vector.transfer_write %v, %a[%c2, %c2]${own === '' ? '' : ', %own'} {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (${map})>} : vector<4xi32>, ${dest}`;
  return [
    `(%v: vector<4xi32>, %a: ${dest}, %i: index, %own: vector<4xi1>, %m: vector<4xi1>)${isTensor ? ` -> ${dest}` : ''}`,
    `${isTensor ? '%r = ' : ''}${around === '' ? op : `vector.mask %m { ${op} } : vector<4xi1>${isTensor ? ` -> ${dest}` : ''}`}`,
  ];
};

testRows('materialize_masks', patterns('vector.materialize_masks'), [
  ['a line', ...created('4', '%i'), 'arith.index_cast, splat, arith.cmpi', '[0, 1, 2, 3]'],
  ['a scalable line', ...created('[4]', '%i'), stays],
  ['rows', ...created('4x3', '%i, %j'), stays],
  ['a read of a row', ...line('d1'), 'transfer_read', 'in_bounds = [true]'],
  ['a read of a column', ...line('d0'), 'transfer_read', 'in_bounds = [true]'],
  ['a read under its mask', ...line('d0', { own: 'own' }), 'arith.andi, transfer_read', 'in_bounds = [true]'],
  ['a read of rows', ...line('d0, d1', { vector: '4x4', inBounds: 'false, false' }), stays],
  ['a read of a repeated element', ...line('0', { inBounds: 'true' }), stays],
  ['a read under a mask', ...line('d1', { around: 'm' }), stays],
  ['a write of a row', ...lineWritten('memref<3x5xi32>', 'd1'), 'transfer_write', 'in_bounds = [true]'],
  [
    'a write of a dynamic column',
    ...lineWritten('memref<?x?xi32>', 'd0'),
    'memref.dim, arith.subi, arith.index_cast, splat, arith.cmpi, transfer_write',
    'in_bounds = [true]',
  ],
  [
    'a write to a tensor',
    ...lineWritten('tensor<3x5xi32>', 'd0', { own: 'own' }),
    'arith.andi, transfer_write',
    'in_bounds = [true]',
  ],
  ['a write under a mask', ...lineWritten('memref<3x5xi32>', 'd1', { around: 'm' }), stays],
]);

/** A gather of a matrix, from its second row on. */
const gathered = (
  vector: string,
  {
    base = 'memref<4x5xi32>',
    places = 'i32',
    mask = '%own',
    around = false,
    values = '[3, 0, 4, 2]',
    at = '%c1, %c0',
    passThrough = '%v',
  } = {},
): readonly [string, string] => {
  const [type, masks] = [`vector<${vector}xi32>`, `vector<${vector}xi1>`];
  const op = `vector.gather %a[${at}] [%at], ${mask}, ${passThrough} : ${base}, vector<${vector}x${places}>, ${masks}, ${type} into ${type}`;
  return [
    `(%a: ${base}, %v: ${type}, %own: ${masks}, %m: ${masks}) -> ${type}`,
    `%at = arith.constant dense<${values}> : vector<${vector}x${places}>
  %all = arith.constant dense<true> : ${masks}
  %some = arith.constant dense<[true, false, true, true]> : ${masks}
  %none = arith.constant dense<0> : ${type}
  %r = ${around ? `vector.mask %m { ${op} } : ${masks} -> ${type}` : op}`.replace(
      vector === '4' ? /%never/ : /\n {2}%some.*/,
      '',
    ),
  ];
};

const maskedTransfers = patterns('vector.lower_masked_transfers');

testRows('lower_masked_transfers', maskedTransfers, [
  ['a read', ...line('d1', { around: 'm' }), 'transfer_read'],
  ['a read under another mask', ...line('d1', { around: 'm', own: 'own' }), stays],
  [
    'a read with other elements in place of those',
    ...((): readonly [string, string] => {
      const [signature, body] = line('d1', { around: 'm' });
      return [
        signature.replace('%i: index', '%i: index, %v: vector<4xi32>'),
        body.replace('%m {', '%m, %v {'),
      ];
    })(),
    stays,
  ],
  ['a write', ...lineWritten('memref<3x5xi32>', 'd1', { around: 'm' }), 'transfer_write'],
  ['a write to a tensor', ...lineWritten('tensor<3x5xi32>', 'd1', { around: 'm' }), 'transfer_write'],
  ['a write under another mask', ...lineWritten('memref<3x5xi32>', 'd1', { around: 'm', own: 'own' }), stays],
  ['a gather under a mask of its own', ...gathered('4', { around: true }), 'arith.andi, gather'],
  ['a gather with a constant mask', ...gathered('4', { around: true, mask: '%some' }), 'arith.andi, gather'],
  [
    'a gather of everything',
    ...gathered('4', { around: true, mask: '%all', passThrough: '%none' }),
    'gather',
  ],
  [
    'a gather of everything, with other elements in place of those',
    ...gathered('4', { around: true, mask: '%all' }),
    'gather',
  ],
  [
    'a sum',
    '(%v: vector<4xi32>, %m: vector<4xi1>) -> i32',
    '%r = vector.mask %m { vector.reduction <add>, %v : vector<4xi32> into i32 } : vector<4xi1> -> i32',
    stays,
  ],
]);

/** From a column of a matrix of 5 columns. */
const fromColumn = (
  offsets: string,
  { rows = '4', source = 'memref<4x5xi32>', layout = 'strided<[5]>', sizes = '4, 1', around = false } = {},
): readonly [string, string] => {
  const [signature, body] = gathered('4', {
    base: `memref<${rows}xi32, ${layout}>`,
    at: '%c0',
    values: '[3, 0, 1, 2]',
    places: 'index',
    around,
  });
  return [
    signature.replace(/%a: .*?>>/, `%s: ${source}`),
    `%a = memref.subview %s[${offsets}] [${sizes}] [1, 1] : ${source} to memref<${rows}xi32, ${layout}>\n  ${body}`,
  ];
};

const edited = (
  [signature, body]: readonly [string, string],
  edit: (text: string) => string,
): readonly [string, string] => [edit(signature), edit(body)];

testRows('lower_gather', patterns('vector.lower_gather'), [
  ['a line', ...gathered('4'), '12 extract, 4 scf.if, 8 affine.apply, 4 load, 4 insert'],
  [
    'a line of a tensor',
    ...gathered('4', { base: 'tensor<4x5xi32>', places: 'index', at: '%c1, %c0' }),
    '8 extract, 4 scf.if, 8 affine.apply, 4 tensor.extract, 4 insert',
  ],
  [
    'a line from another start',
    ...gathered('4', { values: '[3, 0, 1, 2]', at: '%c1, %c1' }),
    '12 extract, 4 arith.addi, 4 scf.if, 8 affine.apply, 4 load, 4 insert',
  ],
  [
    'rows',
    ...gathered('2x2', { values: '[[3, 0], [4, 2]]' }),
    '16 extract, 2 arith.index_cast, 4 scf.if, 8 affine.apply, 4 load, 6 insert',
  ],
  [
    'boxes',
    ...gathered('2x1x2', { values: '[[[3, 0]], [[4, 2]]]' }),
    '16 extract, 2 arith.index_cast, 4 scf.if, 8 affine.apply, 4 load, 8 insert',
  ],
  ['a scalable line', ...gathered('[4]', { values: '3' }), stays],
  ['a scalable number of rows', ...gathered('[2]x2', { values: '3' }), stays],
  ['a line under a mask', ...gathered('4', { around: true }), stays],
  ['rows under a mask', ...gathered('2x2', { values: '[[3, 0], [4, 2]]', around: true }), stays],
  [
    'the first column of a matrix',
    ...fromColumn('0, 0'),
    'memref.collapse_shape, 12 extract, 4 scf.if, 4 load, 4 insert',
  ],
  ['another column', ...fromColumn('0, 1', { layout: 'strided<[5], offset: 1>' }), stays],
  ['the first column under a mask', ...fromColumn('0, 0', { around: true }), stays],
  [
    'the first column of a part of a matrix',
    ...edited(fromColumn('0, 0'), (text) =>
      text
        .replace('%s: memref<4x5xi32>', '%t: memref<4x6xi32>')
        .replace(
          '%a = memref',
          '%s = memref.subview %t[0, 1] [4, 5] [1, 1] : memref<4x6xi32> to memref<4x5xi32, strided<[6, 1], offset: 1>>\n  %a = memref',
        )
        .replace('1] : memref<4x5xi32> to', '1] : memref<4x5xi32, strided<[6, 1], offset: 1>> to')
        .replaceAll('strided<[5]>', 'strided<[6], offset: 1>'),
    ),
    stays,
  ],
  [
    'a row',
    ...fromColumn('0, 0', { sizes: '1, 4', layout: 'strided<[1]>' }),
    'memref.subview, 12 extract, 4 scf.if, 4 load, 4 insert',
  ],
]);
