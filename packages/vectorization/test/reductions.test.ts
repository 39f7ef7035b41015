/** Sums over dimensions of vectors, sums up to each element, and outer products. */
import { contraction } from './contraction-payloads.ts';
import type { Row } from './support.ts';
import { patterns, stays, testRows } from './support.ts';

/** Kinds of combinations of integers, and of floats, with their operations. */
const integerKinds = ['add', 'mul', 'minsi', 'minui', 'maxsi', 'maxui', 'and', 'or', 'xor'];

const reduced = (
  from: string,
  dims: string,
  to: string,
  { element = 'i32', kind = 'add' } = {},
): readonly [string, string] => {
  const source = `vector<${from}x${element}>`;
  const result = to === '' ? element : `vector<${to}x${element}>`;
  return [
    `(%a: ${source}, %c: ${result}) -> ${result}`,
    `%r = vector.multi_reduction <${kind}>, %a, %c [${dims}] : ${source} to ${result}`,
  ];
};
const masked = (from: string, dims: string, to: string): readonly [string, string] => {
  const [signature, body] = reduced(from, dims, to);
  const mask = `vector<${from}xi1>`;
  const result = signature.split('-> ')[1]!;
  return [
    signature.replace(')', `, %m: ${mask})`),
    `%r = vector.mask %m { ${body.replace('%r = ', '')} } : ${mask} -> ${result}`,
  ];
};
const reduction = (strategy: string): string =>
  patterns(`vector.lower_multi_reduction lowering_strategy = ${strategy}`);

testRows('lower_multi_reduction, parallel dimensions inside', reduction('innerparallel'), [
  ['rows', ...reduced('2x3', '0', '3'), '2 extract, 2 arith.addi'],
  ['columns', ...reduced('2x3', '1', '2'), 'transpose, 3 extract, 3 arith.addi'],
  ['a line', ...reduced('3', '0', ''), 'shape_cast, broadcast, transpose, 4 extract, 3 arith.addi'],
  ['a matrix', ...reduced('2x3', '0, 1', ''), '2 shape_cast, broadcast, transpose, 7 extract, 6 arith.addi'],
  ['planes of a box', ...reduced('2x3x4', '0', '3x4'), '3 shape_cast, 2 extract, 2 arith.addi'],
  [
    'the middle of a box',
    ...reduced('2x3x4', '1', '2x4'),
    'transpose, 3 shape_cast, 3 extract, 3 arith.addi',
  ],
  ['the outer dimensions of a box', ...reduced('2x3x4', '0, 1', '4'), '6 extract, 6 arith.addi'],
  [
    'two dimensions that are not neighbours',
    ...reduced('2x3x2x2', '0, 2', '3x2'),
    'transpose, 3 shape_cast, 4 extract, 4 arith.addi',
  ],
  ['floats', ...reduced('2x3', '0', '3', { element: 'f32' }), '2 extract, 2 arith.addf'],
  ...integerKinds.map((kind): Row => [
    kind,
    ...reduced('2x3', '0', '3', { kind }),
    `2 extract, 2 arith.${kind}${kind.length < 4 ? 'i' : ''}`,
  ]),
  ...['mul', 'minnumf', 'maxnumf', 'minimumf', 'maximumf'].map((kind): Row => [
    `${kind} of floats`,
    ...reduced('2x3', '0', '3', { kind, element: 'f32' }),
    `2 extract, 2 arith.${kind}${kind.length < 4 ? 'f' : ''}`,
  ]),
  ['no dimension', ...reduced('2x3', '', '2x3'), '3 shape_cast, multi_reduction'],
  ['under a mask', ...masked('2x3', '1', '2'), '2 transpose, mask, multi_reduction'],
  ['rows under a mask', ...masked('2x3', '0', '3'), 'mask, multi_reduction'],
  ['a scalable number of rows', ...reduced('[2]x3', '0', '3'), 'multi_reduction'],
  ['scalable rows', ...reduced('2x[3]', '0', '[3]'), '2 extract, 2 arith.addi'],
]);

testRows('lower_multi_reduction, reduced dimensions inside', reduction('innerreduction'), [
  ['rows', ...reduced('2x3', '0', '3'), 'transpose, 6 extract, 3 reduction, 3 insertelement'],
  ['columns', ...reduced('2x3', '1', '2'), '4 extract, 2 reduction, 2 insertelement'],
  ['a line', ...reduced('3', '0', ''), 'reduction, insertelement, extract'],
  ['a matrix', ...reduced('2x3', '0, 1', ''), 'shape_cast, reduction, insertelement, extract'],
  [
    'planes of a box',
    ...reduced('2x3x4', '0', '3x4'),
    'transpose, 24 extract, 12 reduction, 12 insertelement, shape_cast',
  ],
  [
    'the middle of a box',
    ...reduced('2x3x4', '1', '2x4'),
    'transpose, 16 extract, 8 reduction, 8 insertelement, shape_cast',
  ],
  [
    'the inner dimensions of a box',
    ...reduced('2x3x4', '1, 2', '2'),
    'shape_cast, 4 extract, 2 reduction, 2 insertelement',
  ],
  [
    'two dimensions that are not neighbours',
    ...reduced('2x3x2x2', '0, 2', '3x2'),
    'transpose, 2 shape_cast, 12 extract, 6 reduction, 6 insertelement',
  ],
  [
    'floats',
    ...reduced('2x3', '1', '2', { element: 'f32', kind: 'maximumf' }),
    '4 extract, 2 reduction, 2 insertelement',
  ],
  ['columns under a mask', ...masked('2x3', '1', '2'), '6 extract, 2 mask, 2 reduction, 2 insertelement'],
  [
    'rows under a mask',
    ...masked('2x3', '0', '3'),
    '2 transpose, 9 extract, 3 mask, 3 reduction, 3 insertelement',
  ],
  ['a line under a mask', ...masked('3', '0', ''), 'mask, reduction, insertelement, extract'],
  [
    'a box under a mask',
    ...masked('2x3x2', '0, 2', '3'),
    '2 transpose, 2 shape_cast, 9 extract, 3 mask, 3 reduction, 3 insertelement',
  ],
  [
    'a matrix under a mask',
    ...masked('2x3', '0, 1', ''),
    '2 shape_cast, mask, reduction, insertelement, extract',
  ],
  ['a scalable number of rows', ...reduced('[2]x3', '1', '[2]'), 'multi_reduction'],
  ['scalable rows', ...reduced('2x[3]', '1', '2'), '4 extract, 2 reduction, 2 insertelement'],
  [
    'planes of scalable rows',
    ...reduced('2x2x[3]', '2', '2x2'),
    '8 extract, 4 reduction, 4 insertelement, shape_cast',
  ],
  [
    'scalable rows of planes',
    ...reduced('2x2x[3]', '0', '2x[3]'),
    'transpose, 3 shape_cast, multi_reduction',
  ],
  ['a scalable line', ...reduced('[3]', '0', ''), 'reduction, insertelement, extract'],
  ['scalable rows in a scalable number', ...reduced('2x[2]x[3]', '1, 2', '2'), 'multi_reduction'],
]);

const scanned = (
  from: string,
  dim: number,
  initial: string,
  { inclusive = true, kind = 'add', element = 'i32' } = {},
): readonly [string, string] => {
  const [source, start] = [
    `vector<${from}x${element}>`,
    `vector<${initial === '' ? '' : `${initial}x`}${element}>`,
  ];
  return [
    `(%a: ${source}, %i: ${start}) -> (${source}, ${start})`,
    `%r:2 = vector.scan <${kind}>, %a, %i {inclusive = ${inclusive}, reduction_dim = ${dim} : i64} : ${source}, ${start}
  return %r#0, %r#1 : ${source}, ${start}`,
  ];
};

testRows('lower_scan', patterns('vector.lower_scan'), [
  [
    'rows',
    ...scanned('3x2', 0, '2'),
    '3 extract_strided_slice, 3 insert_strided_slice, 2 arith.addi, shape_cast',
  ],
  [
    'columns',
    ...scanned('2x3', 1, '2'),
    '3 extract_strided_slice, 3 insert_strided_slice, 2 arith.addi, shape_cast',
  ],
  [
    'rows, without their own',
    ...scanned('3x2', 0, '2', { inclusive: false }),
    '2 extract_strided_slice, 2 shape_cast, 3 insert_strided_slice, 2 arith.addi',
  ],
  [
    'columns, without their own',
    ...scanned('2x3', 1, '2', { inclusive: false }),
    '2 extract_strided_slice, 2 shape_cast, 3 insert_strided_slice, 2 arith.addi',
  ],
  [
    'a line',
    ...scanned('3', 0, ''),
    '3 extract_strided_slice, 3 insert_strided_slice, 2 arith.addi, extract, broadcast',
  ],
  [
    'a line, without its own',
    ...scanned('3', 0, '', { inclusive: false }),
    '2 extract_strided_slice, 2 broadcast, 3 insert_strided_slice, 2 arith.addi, extract',
  ],
  [
    'the least',
    ...scanned('2x3', 1, '2', { kind: 'minsi' }),
    '3 extract_strided_slice, 3 insert_strided_slice, 2 arith.minsi, shape_cast',
  ],
  [
    'products of floats',
    ...scanned('2x3', 1, '2', { kind: 'mul', element: 'f32' }),
    '3 extract_strided_slice, 3 insert_strided_slice, 2 arith.mulf, shape_cast',
  ],
  ['scalable rows', ...scanned('3x[2]', 0, '[2]'), stays],
]);

// --- Outer products ---

const outer = (
  kind: string,
  element: string,
  { acc = true, rhs = 'vector<3x$>', result = 'vector<2x3x$>', mask = '', lhs = 'vector<2x$>' } = {},
): readonly [string, string] => {
  const of = (type: string): string => type.replace('$', element);
  const op = `vector.outerproduct %a, %b${acc ? ', %c' : ''} {kind = #vector.kind<${kind}>} : ${of(lhs)}, ${of(rhs)}`;
  return [
    `(%a: ${of(lhs)}, %b: ${of(rhs)}, %c: ${of(result)}${mask === '' ? '' : `, %m: ${mask}`}) -> ${of(result)}`,
    mask === '' ? `%r = ${op}` : `%r = vector.mask %m { ${op} } : ${mask} -> ${of(result)}`,
  ];
};
const axpy = { rhs: '$', result: 'vector<2x$>' };

testRows('lower_outerproduct', patterns('vector.lower_outerproduct'), [
  ['integers', ...outer('add', 'i32'), '4 extract, 2 broadcast, 2 arith.muli, 2 arith.addi, 2 insert'],
  ['floats', ...outer('add', 'f32'), '4 extract, 2 broadcast, 2 fma, 2 insert'],
  ['without a sum', ...outer('add', 'f32', { acc: false }), '2 extract, 2 broadcast, 2 arith.mulf, 2 insert'],
  ...['mul', 'minsi', 'minui', 'maxsi', 'maxui', 'and', 'or', 'xor'].map((kind): Row => [
    kind,
    ...outer(kind, 'i32'),
    kind === 'mul'
      ? '4 extract, 2 broadcast, 4 arith.muli, 2 insert'
      : `4 extract, 2 broadcast, 2 arith.muli, 2 arith.${kind}${kind.length < 4 ? 'i' : ''}, 2 insert`,
  ]),
  ...['mul', 'minnumf', 'maxnumf', 'minimumf', 'maximumf'].map((kind): Row => [
    `${kind} of floats`,
    ...outer(kind, 'f32'),
    kind === 'mul'
      ? '4 extract, 2 broadcast, 4 arith.mulf, 2 insert'
      : `4 extract, 2 broadcast, 2 arith.mulf, 2 arith.${kind}, 2 insert`,
  ]),
  ['a vector times a scalar', ...outer('add', 'f32', axpy), 'broadcast, fma'],
  ['integers times a scalar', ...outer('maxsi', 'i32', axpy), 'broadcast, arith.muli, arith.maxsi'],
  [
    'a vector times a scalar, without a sum',
    ...outer('add', 'i32', { ...axpy, acc: false }),
    'broadcast, arith.muli',
  ],
  [
    'under a mask',
    ...outer('add', 'i32', { mask: 'vector<2x3xi1>' }),
    '6 extract, 2 broadcast, 2 arith.muli, 2 arith.addi, 2 arith.select, 2 insert',
  ],
  [
    'floats under a mask',
    ...outer('add', 'f32', { mask: 'vector<2x3xi1>' }),
    '6 extract, 2 broadcast, 2 fma, 2 arith.select, 2 insert',
  ],
  [
    'a vector times a scalar, under a mask',
    ...outer('add', 'f32', { ...axpy, mask: 'vector<2xi1>' }),
    'broadcast, fma, arith.select',
  ],
  [
    'scalable columns',
    ...outer('add', 'i32', { rhs: 'vector<[3]x$>', result: 'vector<2x[3]x$>' }),
    '4 extract, 2 broadcast, 2 arith.muli, 2 arith.addi, 2 insert',
  ],
  [
    'scalable rows',
    ...outer('add', 'i32', { lhs: 'vector<[2]x$>', rhs: 'vector<[3]x$>', result: 'vector<[2]x[3]x$>' }),
    'outerproduct',
  ],
  [
    'a scalable vector times a scalar',
    ...outer('add', 'i32', { lhs: 'vector<[2]x$>', rhs: '$', result: 'vector<[2]x$>' }),
    'broadcast, arith.muli, arith.addi',
  ],
]);

const extended = (op: string, from: string, to: string, other = op): readonly [string, string] => [
  `(%x: vector<2x4x${from}>, %y: vector<4x3x${from}>, %c: vector<2x3x${to}>) -> vector<2x3x${to}>`,
  `%a = arith.${op} %x : vector<2x4x${from}> to vector<2x4x${to}>
  %b = arith.${other} %y : vector<4x3x${from}> to vector<4x3x${to}>
  ${contraction('mk kn mn', { elements: to }).body}`,
];

testRows('fold_arith_extension', patterns('vector.fold_arith_extension'), [
  ['integers', ...extended('extsi', 'i16', 'i32'), 'contract'],
  ['floats', ...extended('extf', 'f32', 'f64'), 'contract'],
  ['unsigned integers', ...extended('extui', 'i16', 'i32'), stays],
  ['integers that are extended otherwise', ...extended('extsi', 'i16', 'i32', 'extui'), stays],
  [
    'under a mask',
    ...((): readonly [string, string] => {
      const [signature, body] = extended('extsi', 'i16', 'i32');
      return [
        signature.replace(')', ', %m: vector<2x3x4xi1>)'),
        body.replace(/%r = (.*)/, '%r = vector.mask %m { $1 } : vector<2x3x4xi1> -> vector<2x3xi32>'),
      ];
    })(),
    stays,
  ],
]);

const grid = (element: string, factors: string): readonly [string, string] => [
  `(%x: vector<2x${element}>, %y: vector<3x${element}>, %z: vector<2x3x${element}>) -> vector<2x3x${element}>`,
  `%xs = vector.broadcast %x : vector<2x${element}> to vector<3x2x${element}>
  %a = vector.transpose %xs, [1, 0] : vector<3x2x${element}> to vector<2x3x${element}>
  %b = vector.broadcast %y : vector<3x${element}> to vector<2x3x${element}>
  %r = arith.mul${element[0]} ${factors} : vector<2x3x${element}>`,
];

testRows('elementwise_to_vector', patterns('vector.elementwise_to_vector'), [
  ['a column times a row', ...grid('i32', '%a, %b'), 'outerproduct'],
  ['a row times a column', ...grid('f32', '%b, %a'), 'outerproduct'],
  ['a column times a matrix', ...grid('i32', '%a, %z'), 'broadcast, transpose, arith.muli'],
  ['a matrix times a row', ...grid('i32', '%z, %b'), 'broadcast, arith.muli'],
  [
    'a row that is transposed as it was',
    '(%x: vector<3xi32>, %y: vector<3xi32>) -> vector<2x3xi32>',
    `%xs = vector.broadcast %x : vector<3xi32> to vector<2x3xi32>
  %a = vector.transpose %xs, [0, 1] : vector<2x3xi32> to vector<2x3xi32>
  %b = vector.broadcast %y : vector<3xi32> to vector<2x3xi32>
  %r = arith.muli %a, %b : vector<2x3xi32>`,
    '2 broadcast, arith.muli',
  ],
  ['a product of scalars', '(%x: i32, %y: i32) -> i32', '%r = arith.muli %x, %y : i32', stays],
  [
    'planes',
    '(%x: vector<2xi32>, %y: vector<3xi32>) -> vector<4x2x3xi32>',
    `%xs = vector.broadcast %x : vector<2xi32> to vector<4x3x2xi32>
  %a = vector.transpose %xs, [0, 2, 1] : vector<4x3x2xi32> to vector<4x2x3xi32>
  %b = vector.broadcast %y : vector<3xi32> to vector<4x2x3xi32>
  %r = arith.muli %a, %b : vector<4x2x3xi32>`,
    stays,
  ],
  [
    'a scalar in all elements',
    '(%x: i32, %y: vector<3xi32>) -> vector<2x3xi32>',
    `%xs = vector.broadcast %x : i32 to vector<3x2xi32>
  %a = vector.transpose %xs, [1, 0] : vector<3x2xi32> to vector<2x3xi32>
  %b = vector.broadcast %y : vector<3xi32> to vector<2x3xi32>
  %r = arith.muli %a, %b : vector<2x3xi32>`,
    stays,
  ],
]);
