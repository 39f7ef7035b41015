/** Contractions: what they are made of, and what becomes of them. */
import { functionOf, operationsIn } from '@sconv/transform/testing';
import { expect, it } from 'vitest';
import type { Kind } from './contraction-payloads.ts';
import { contraction, masked, row } from './contraction-payloads.ts';
import type { Row } from './support.ts';
import { apply, patterns, stays, testRows } from './support.ts';

// --- Forming contractions ---

const product = (
  element: string,
  dims: string,
  result: string,
  kind = 'add',
  combine = 'mul',
): readonly [string, string] => [
  `(%a: vector<2x3x${element}>, %b: vector<2x3x${element}>, %c: ${result}) -> ${result}`,
  `%p = arith.${combine}${element[0]} %a, %b : vector<2x3x${element}>
  %r = vector.multi_reduction <${kind}>, %p, %c [${dims}] : vector<2x3x${element}> to ${result}`,
];

/** A contraction of `%x`, which `line` computes of an argument `%a` of a type. */
const of = (layout: string, from: string, line: string, kind: Kind = {}): readonly [string, string] => {
  const { signature, body } = contraction(layout, kind);
  return [signature.replace(/%a: [^,]+/, `%a: ${from}`), `${line}\n  ${body.replace('%a,', '%x,')}`];
};
const repeatedFactor = (from: string, to: string): readonly [string, string] => [
  `vector<${from}xi32>`,
  `%x = vector.broadcast %a : vector<${from}xi32> to vector<${to}xi32>`,
];

testRows('reduction_to_contract', patterns('vector.reduction_to_contract'), [
  [
    'a sum of products along columns',
    ...product('i32', '1', 'vector<2xi32>'),
    'contract',
    '["parallel", "reduction"]',
  ],
  [
    'a sum of products along rows',
    ...product('f32', '0', 'vector<3xf32>'),
    'contract',
    '["reduction", "parallel"]',
  ],
  ['a sum of all products', ...product('i32', '0, 1', 'i32'), 'contract'],
  ['a product of products', ...product('i32', '1', 'vector<2xi32>', 'mul'), stays],
  ['a sum of sums', ...product('i32', '1', 'vector<2xi32>', 'add', 'add'), stays],
  [
    'a factor repeated along a batch',
    ...of('bmk bkn bmn', ...repeatedFactor('2x4', '2x2x4'), { iterators: 'bmnk' }),
    'contract',
    'vector<2x4xi32>, vector<2x4x3xi32> into vector<2x2x3xi32>',
  ],
  [
    'a factor repeated along a reduction of one step, which goes',
    ...of('ukm kn mn', ...repeatedFactor('4x2', '1x4x2'), { iterators: 'mnku' }),
    'contract',
    'affine_map<(d0, d1, d2) -> (d2, d0)>',
  ],
  [
    'a factor repeated along a reduction',
    ...of('lmk kn mn', ...repeatedFactor('2x4', '2x2x4'), { iterators: 'mnkl' }),
    stays,
  ],
  ['a factor repeated along all rows of the result', ...of('mk kn mn', ...repeatedFactor('4', '2x4')), stays],
  [
    'factors that share no reduction any more',
    ...of('ubm ubn bmn', ...repeatedFactor('2x2', '1x2x2'), { iterators: 'bmnu' }),
    stays,
  ],
  [
    'a factor of which one column is repeated',
    ...of('bmk bkn bmn', ...repeatedFactor('2x1', '2x2x4'), { iterators: 'bmnk' }),
    stays,
  ],
  ['a factor of which one row is repeated', ...of('mk kn mn', ...repeatedFactor('1x4', '2x4')), stays],
  [
    'a factor that is a scalar',
    ...of('mk kn mn', 'i32', '%x = vector.broadcast %a : i32 to vector<2x4xi32>'),
    stays,
  ],
  [
    'the least of products, of a factor repeated along a batch',
    ...of('bmk bkn bmn', ...repeatedFactor('2x4', '2x2x4'), { iterators: 'bmnk', kind: 'minsi' }),
    'contract',
    '#vector.kind<minsi>',
  ],
  [
    'a transposed factor',
    ...of(
      'mk kn mn',
      'vector<4x2xi32>',
      '%x = vector.transpose %a, [1, 0] : vector<4x2xi32> to vector<2x4xi32>',
    ),
    'contract',
  ],
  [
    'a factor turned round',
    ...of(
      'bmk bkn bmn',
      'vector<4x2x2xi32>',
      '%x = vector.transpose %a, [1, 2, 0] : vector<4x2x2xi32> to vector<2x2x4xi32>',
      { iterators: 'bmnk' },
    ),
    'contract',
  ],
  [
    'a second factor transposed',
    ...((): readonly [string, string] => {
      const { signature, body } = contraction('mk kn mn');
      return [
        signature.replace('%b: vector<4x3xi32>', '%b: vector<3x4xi32>'),
        `%y = vector.transpose %b, [1, 0] : vector<3x4xi32> to vector<4x3xi32>\n  ${body.replace('%b,', '%y,')}`,
      ];
    })(),
    'contract',
  ],
]);

/** A contraction onto a transposed accumulator, transposed. */
const turnedSum = (into: string, back: string, sums: string, use = ''): readonly [string, string] => {
  const { body } = contraction('bmk bkn bmn', { iterators: 'bmnk' });
  return [
    `(%a: vector<2x2x4xi32>, %b: vector<2x4x3xi32>, %d: vector<${sums}xi32>) -> vector<${sums}xi32>`,
    `%c = vector.transpose %d, [${into}] : vector<${sums}xi32> to vector<2x2x3xi32>
  ${body.replace('%r', '%s')}
  %r = vector.transpose %s, [${back}] : vector<2x2x3xi32> to vector<${sums}xi32>${use}`,
  ];
};

testRows('reduction_to_contract: results', patterns('vector.reduction_to_contract'), [
  ['a sum that is turned and turned back', ...turnedSum('1, 0, 2', '1, 0, 2', '2x2x3'), 'contract'],
  ['a sum that is rotated and rotated back', ...turnedSum('1, 2, 0', '2, 0, 1', '3x2x2'), 'contract'],
  ['a sum that is not turned back', ...turnedSum('1, 0, 2', '0, 1, 2', '2x2x3'), 'transpose, contract'],
  [
    'a sum that is used otherwise, too',
    ...turnedSum(
      '1, 0, 2',
      '1, 0, 2',
      '2x2x3',
      '\n  %t = arith.addi %s, %r : vector<2x2x3xi32>\n  return %t : vector<2x2x3xi32>',
    ),
    stays,
  ],
  [
    'a sum of which only the result is turned',
    `(%a: vector<2x4xi32>, %b: vector<4x3xi32>, %c: vector<2x3xi32>) -> vector<3x2xi32>`,
    `${contraction('mk kn mn').body.replace('%r', '%s')}
  %r = vector.transpose %s, [1, 0] : vector<2x3xi32> to vector<3x2xi32>`,
    stays,
  ],
]);

// --- Casts and elementwise operations behind broadcasts and transposes ---

const castRow = (name: string, from: string, to: string): Row => [
  name,
  `(%x: ${from}) -> vector<2x${to}>`,
  `%v = vector.broadcast %x : ${from} to vector<2x${from}>
  %r = arith.${name} %v : vector<2x${from}> to vector<2x${to}>`,
  `arith.${name}, broadcast`,
];

testRows('reduction_to_contract: a cast before a broadcast', patterns('vector.reduction_to_contract'), [
  castRow('bitcast', 'f32', 'i32'),
  castRow('extf', 'f32', 'f64'),
  castRow('extsi', 'i16', 'i32'),
  castRow('extui', 'i16', 'i32'),
  castRow('fptosi', 'f32', 'i32'),
  castRow('fptoui', 'f32', 'i32'),
  castRow('index_cast', 'i32', 'index'),
  castRow('index_castui', 'i32', 'index'),
  castRow('sitofp', 'i32', 'f32'),
  castRow('truncf', 'f64', 'f32'),
  castRow('trunci', 'i32', 'i16'),
  castRow('uitofp', 'i32', 'f32'),
  [
    'a row',
    '(%x: vector<3xi16>) -> vector<2x3xi32>',
    `%v = vector.broadcast %x : vector<3xi16> to vector<2x3xi16>
  %r = arith.extsi %v : vector<2x3xi16> to vector<2x3xi32>`,
    'arith.extsi, broadcast',
    'arith.extsi %arg0 : vector<3xi16> to vector<3xi32>',
  ],
]);

const columns = `%x = vector.transpose %a, [1, 0] : vector<3x2xi32> to vector<2x3xi32>`;

testRows('reduction_to_contract: an operation before a transpose', patterns('vector.reduction_to_contract'), [
  [
    'of columns',
    '(%a: vector<3x2xi32>, %b: vector<3x2xi32>) -> vector<2x3xi1>',
    `${columns}
  %y = vector.transpose %b, [1, 0] : vector<3x2xi32> to vector<2x3xi32>
  %r = arith.cmpi slt, %x, %y : vector<2x3xi32>`,
    'arith.cmpi, transpose',
  ],
  [
    'of columns and constants',
    '(%a: vector<3x2xi32>) -> vector<2x3xi32>',
    `${columns}
  %y = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %r = arith.subi %y, %x : vector<2x3xi32>`,
    '2 transpose, arith.subi',
  ],
  [
    'of columns and rows',
    '(%a: vector<3x2xi32>, %y: vector<2x3xi32>) -> vector<2x3xi32>',
    `${columns}
  %r = arith.subi %x, %y : vector<2x3xi32>`,
    stays,
  ],
  [
    'of boxes that are turned otherwise',
    '(%a: vector<2x2x2xi32>, %b: vector<2x2x2xi32>) -> vector<2x2x2xi32>',
    `%x = vector.transpose %a, [1, 2, 0] : vector<2x2x2xi32> to vector<2x2x2xi32>
  %y = vector.transpose %b, [2, 0, 1] : vector<2x2x2xi32> to vector<2x2x2xi32>
  %r = arith.subi %x, %y : vector<2x2x2xi32>`,
    stays,
  ],
  [
    'of boxes that are rotated',
    '(%a: vector<2x3x4xi32>, %b: vector<2x3x4xi32>) -> vector<3x4x2xi32>',
    `%x = vector.transpose %a, [1, 2, 0] : vector<2x3x4xi32> to vector<3x4x2xi32>
  %y = vector.transpose %b, [1, 2, 0] : vector<2x3x4xi32> to vector<3x4x2xi32>
  %r = arith.subi %x, %y : vector<3x4x2xi32>`,
    'arith.subi, transpose',
  ],
  [
    'that is none of elements',
    '(%a: vector<3x2xi32>, %c: vector<2xi32>) -> vector<2xi32>',
    `${columns}
  %r = vector.multi_reduction <add>, %x, %c [1] : vector<2x3xi32> to vector<2xi32>`,
    stays,
  ],
]);

// --- Lowering contractions ---

/** Layouts of matrices and vectors, and how many factors are transposed for each strategy. */
const matrices = [
  'mk kn mn',
  'mk nk mn',
  'km kn mn',
  'km nk mn',
  'mk kn nm',
  'mk nk nm',
  'km kn nm',
  'km nk nm',
];
const lines = ['mk k m', 'km k m', 'k mk m', 'k km m'];
const turns = (count: number, rest: string): string =>
  count === 0 ? rest : `${count === 1 ? '' : `${count} `}transpose, ${rest}`;
const strategy = (name: string): string => patterns(`vector.lower_contraction lowering_strategy = ${name}`);

testRows('lower_contraction, as outer products', patterns('vector.lower_contraction'), [
  ...matrices.map((layout, i) =>
    row(layout, turns([1, 2, 0, 1, 1, 2, 0, 1][i]!, '8 extract, 4 outerproduct')),
  ),
  ...lines.map((layout, i) =>
    row(layout, turns([1, 0, 1, 0][i]!, '8 extract, 4 outerproduct'), { iterators: 'mk' }),
  ),
  row('km k m', '8 extract, 4 outerproduct', { iterators: 'km' }, 'reductions outside'),
  row('mk kn mn', 'transpose, 8 extract, 4 outerproduct', { kind: 'maxsi' }, 'the most of products'),
  row(
    'km kn mn',
    '8 extract, 8 arith.extsi, 4 outerproduct',
    { elements: 'i8', sums: 'i32' },
    'small integers',
  ),
  row(
    'km k m',
    '8 extract, 8 arith.extf, 4 outerproduct',
    { iterators: 'mk', elements: 'f32', sums: 'f64' },
    'small floats',
  ),
  row('mK Kn mn', '4 extract, 2 contract, 2 insert', {}, 'a scalable reduction'),
  row('kM kn Mn', stays, {}, 'scalable rows'),
  row('kM kN MN', '8 extract, 4 outerproduct', {}, 'scalable rows and columns'),
  row('km kN mN', '8 extract, 4 outerproduct', {}, 'scalable columns'),
  row('kM k M', '8 extract, 4 outerproduct', { iterators: 'mk' }, 'a scalable column'),
  masked('km kn mn', 'transpose, 12 extract, 4 mask, 4 outerproduct'),
  masked('mk kn nm', '2 transpose, 12 extract, 4 mask, 4 outerproduct'),
  masked('km k m', '12 extract, 4 mask, 4 outerproduct', { iterators: 'km' }),
]);

testRows('lower_contraction, as dot products', strategy('dot'), [
  ...matrices.map((layout, i) =>
    row(
      layout,
      turns(
        [1, 0, 2, 1, 1, 0, 2, 1][i]!,
        `${i < 4 ? 8 : 9} extract, 6 arith.muli, 6 reduction, 6 insert, arith.addi`,
      ),
    ),
  ),
  ...lines.map((layout, i) =>
    row(layout, turns([0, 1, 0, 1][i]!, '2 extract, 2 arith.muli, 2 reduction, 2 insert, arith.addi'), {
      iterators: 'mk',
    }),
  ),
  row(
    'mk nk mn',
    '8 extract, 6 arith.mulf, 6 reduction, 6 insert, arith.addf',
    { elements: 'f32' },
    'of floats',
  ),
  row(
    'km k m',
    '10 extract, 10 insert, 2 arith.muli, 2 reduction',
    { iterators: 'km' },
    'reductions outside',
  ),
  row('mk nk mn', stays, { kind: 'maxsi' }, 'the most of products'),
  row('mk nK mN', '4 extract, 2 contract, 2 insert', {}, 'scalable columns'),
  masked('mk nk mn', '20 extract, 6 arith.muli, 6 mask, 6 reduction, 8 insert'),
]);

const flat = '3 shape_cast, matrix_multiply';

testRows('lower_contraction, as products of flat matrices', strategy('matmulintrinsics'), [
  ...matrices.map((layout, i) =>
    row(
      layout,
      i < 4
        ? turns([0, 1, 1, 2][i]!, `${flat}, arith.addi`)
        : [`${flat}, transpose`, `2 transpose, ${flat}`, `2 transpose, ${flat}`, `3 transpose, ${flat}`][
            i - 4
          ]! + ', arith.addi',
    ),
  ),
  row('mk kn mn', stays, { kind: 'maxsi' }, 'the most of products'),
  row('mk kn mn', stays, { elements: 'i8', sums: 'i32' }, 'small integers'),
  row('mK Kn mn', '4 extract, 2 contract, 2 insert', {}, 'a scalable reduction'),
  row('mk kN mN', '4 extract, 2 contract, 2 insert', {}, 'scalable columns'),
  row('mk k m', '4 extract, 2 arith.muli, 2 reduction, 2 insert', { iterators: 'mk' }),
  masked('mk kn mn', '38 extract, 32 insert, 6 arith.muli, 6 mask, 6 reduction'),
]);

testRows('lower_contraction, as elementwise products', strategy('parallelarith'), [
  row('mu un mn', '2 broadcast, 2 transpose, 2 extract, arith.muli, arith.addi', { iterators: 'mnu' }),
  row('um nu nm', '2 broadcast, 2 transpose, 2 extract, arith.muli, arith.addi', { iterators: 'mnu' }),
  row('mu um m', 'transpose, 2 extract, arith.muli, arith.addi', { iterators: 'mu' }),
  row('bmu bun bnm', '2 broadcast, 2 transpose, 2 extract, arith.muli, arith.addi', { iterators: 'bmnu' }),
  row(
    'mu un mn',
    '2 broadcast, 2 transpose, 2 extract, fma',
    { iterators: 'mnu', elements: 'f32' },
    'of floats',
  ),
  row(
    'mu un mn',
    '2 broadcast, 2 transpose, 2 extract, arith.muli, arith.maxsi',
    { iterators: 'mnu', kind: 'maxsi' },
    'the most of products',
  ),
  row(
    'mU Un mn',
    '2 broadcast, 2 transpose, 2 extract, arith.muli, arith.addi',
    { iterators: 'mnu' },
    'of a scalable reduction',
  ),
  row(
    'Mu uN MN',
    '2 broadcast, 2 transpose, 2 extract, arith.muli, arith.addi',
    { iterators: 'mnu' },
    'scalable rows and columns',
  ),
  row('mu un mn', 'contract', { iterators: 'mnu', elements: 'i8', sums: 'i32' }, 'small integers'),
  row('u u _', '2 extract, arith.muli, arith.addi', { iterators: 'u' }, 'a scalar'),
  row('mk kn mn', '32 extract, 32 insert, 6 arith.muli, 6 reduction', {}, 'of four steps'),
  masked('mu un mn', '20 extract, 14 insert, 6 arith.muli, 6 mask, 6 reduction', { iterators: 'mnu' }),
]);

testRows('lower_contraction, unrolled', patterns('vector.lower_contraction'), [
  row('k k _', 'arith.muli, reduction', { iterators: 'k' }),
  row('kl kl _', '8 extract, 4 arith.muli, 4 reduction', { iterators: 'kl' }),
  row('kl lk _', '10 extract, 8 insert, 2 arith.muli, 2 reduction', { iterators: 'lk' }),
  row('k k _', 'arith.mulf, reduction', { iterators: 'k', elements: 'f32' }, 'of floats'),
  row('m mk k', '4 extract, 2 outerproduct', { iterators: 'km' }),
  row('bmk bkn bmn', '20 extract, 2 transpose, 8 outerproduct, 2 insert', { iterators: 'bmnk' }),
  row('mbk kbn mbn', '30 extract, 16 insert, 2 transpose, 8 outerproduct', { iterators: 'mnkb' }),
  row('mkl kln mn', '78 extract, 56 insert, 24 arith.muli, 24 reduction', { iterators: 'mnkl' }),
  row('mlk klu m', '34 extract, 34 insert, 8 arith.muli, 8 reduction', { iterators: 'mukl' }),
  row('bk kb b', '12 extract, 10 insert, 2 arith.muli, 2 reduction', { iterators: 'bk' }),
  row('kl kl _', stays, { iterators: 'kl', kind: 'mul' }, 'the product of products'),
  row('k k _', stays, { iterators: 'k', elements: 'i8', sums: 'i32' }, 'small integers'),
  row('K K _', 'arith.muli, reduction', { iterators: 'k' }, 'a scalable reduction'),
  row('kL kL _', '8 extract, 4 arith.muli, 4 reduction', { iterators: 'kl' }, 'scalable rows of products'),
  row('Kl Kl _', 'contract', { iterators: 'kl' }, 'a scalable number of rows'),
  row('Bmk Bkn Bmn', 'contract', { iterators: 'bmnk' }, 'a scalable batch'),
  row(
    'bMk bkN bMN',
    '20 extract, 2 transpose, 8 outerproduct, 2 insert',
    { iterators: 'bmnk' },
    'scalable rows and columns',
  ),
  masked('k k _', 'arith.muli, mask, reduction', { iterators: 'k' }),
  masked('kl kl _', '12 extract, 4 arith.muli, 4 mask, 4 reduction', { iterators: 'kl' }),
  masked('bmk bkn bmn', '30 extract, 4 transpose, 8 mask, 8 outerproduct, 2 insert', { iterators: 'bmnk' }),
  masked('mkl kln mn', '102 extract, 56 insert, 24 arith.muli, 24 mask, 24 reduction', { iterators: 'mnkl' }),
]);

it('unrolls a large contraction, by thousands of rewrites', () => {
  const [lhs, rhs, sums] = ['3x7x2', '3x2x7', '3x7x7'].map((shape) => `vector<${shape}xi32>`);
  const maps = ['bmk', 'bkn', 'bmn'].map(
    (names) => `affine_map<(b, m, n, k) -> (${Array.from(names).join(', ')})>`,
  );
  const iterators = '"parallel", "parallel", "parallel", "reduction"';
  const { text, diagnostics } = apply(
    functionOf(
      `(%a: ${lhs}, %b: ${rhs}, %c: ${sums}) -> ${sums}`,
      `%r = vector.contract {indexing_maps = [${maps.join(', ')}], iterator_types = [${iterators}], ` +
        'kind = #vector.kind<add>} ' +
        `%a, %b, %c : ${lhs}, ${rhs} into ${sums}`,
    ),
    patterns('vector.lower_contraction lowering_strategy = "parallelarith"'),
  );
  expect(diagnostics).toBe('');
  expect(operationsIn(text)).toContain('147 arith.muli, 147 reduction');
});
