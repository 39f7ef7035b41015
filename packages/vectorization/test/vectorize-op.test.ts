import { transforms as cleanups } from '@sconv/canonicalization/transforms';
import type { GenericSpec } from '@sconv/interpreter/testing';
import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import { functionOf, scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const vectorize = (rest = '', op = 'linalg.generic'): string =>
  `%op = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}
transform.structured.vectorize %op ${rest} : ${any}`;

const rows = (changes: Partial<GenericSpec> = {}): string =>
  genericPayload({
    iterators: ['parallel', 'reduction'],
    inputs: [{ map: 'd0, d1', type: 'tensor<4x6xi32>' }],
    outputs: [{ map: 'd0', type: 'tensor<4xi32>' }],
    body: '%s = arith.addi %y0, %x0 : i32\nlinalg.yield %s : i32',
    ...changes,
  });

const combined = (name: string, type: string): string =>
  rows({
    inputs: [{ map: 'd0, d1', type: `tensor<4x6x${type}>` }],
    outputs: [{ map: 'd0', type: `tensor<4x${type}>` }],
    body: `%s = ${name} %x0, %y0 : ${type}\nlinalg.yield %s : ${type}`,
  });

const indices = rows({
  iterators: ['parallel', 'parallel'],
  inputs: [{ map: 'd1, d0', type: 'tensor<6x4xi32>' }],
  outputs: [{ map: 'd0, d1', type: 'tensor<4x6xi32>' }],
  body: `%c = arith.constant 3 : i32
%i = linalg.index 0 : index
%j = linalg.index 1 : index
%k = arith.addi %i, %j : index
%l = arith.index_cast %k : index to i32
%m = arith.muli %l, %c : i32
%s = arith.addi %m, %x0 : i32
linalg.yield %s : i32`,
});

/** Reads an element of a tensor in each iteration, at the index `%i` of the first dimension or `%j` of the last. */
const extracted = (sizes: string, element: string): string => {
  const extents = sizes.split('x');
  return rows({
    iterators: extents.map(() => 'parallel' as const),
    inputs: [],
    outputs: [{ map: extents.map((_, i) => `d${i}`).join(', '), type: `tensor<${sizes}xi32>` }],
    body: `%i = linalg.index 0 : index
%j = linalg.index ${extents.length - 1} : index
%c = arith.constant 2 : index
%k = arith.addi %j, %c : index
%l = arith.addi %c, %j : index
%o = arith.addi %i, %j : index
%p = arith.addi %j, %j : index
%q = arith.muli %j, %c : index
%r = arith.subi %c, %j : index
%e = tensor.extract ${element}
linalg.yield %e : i32`,
  }).replace('(', `(%t: ${element.split(' : ')[1]!}, `);
};

/** Quotients of elements. */
const divided = (divisor: string, element = 'i32'): string => {
  const operand = { map: 'd0', type: `tensor<6x${element}>` };
  return genericPayload({
    iterators: ['parallel'],
    inputs: [operand, operand],
    outputs: [operand],
    body: `%z = arith.constant 0 : i32
%t = arith.constant 3 : i32
%q = arith.divsi %x0, ${divisor} : i32
linalg.yield %q : i32`,
  });
};
const quotients = divided('%x1', 'f32')
  .replace(
    /%q = .*/,
    '%p = arith.divf %x0, %x1 : f32\n%i = arith.fptosi %p : f32 to i32\n%q = arith.sitofp %i : i32 to f32',
  )
  .replace('%q : i32', '%q : f32');

const unknownMatrix = 'tensor<?x?xf32>';
const matrixProduct = functionOf(
  `(%a: ${unknownMatrix}, %b: ${unknownMatrix}, %c: ${unknownMatrix}) -> ${unknownMatrix}`,
  `%r = linalg.matmul ins(%a, %b : ${unknownMatrix}, ${unknownMatrix}) outs(%c : ${unknownMatrix}) -> ${unknownMatrix}`,
);

const buffers =
  `func.func @f(%a: memref<4x6xi32>, %b: memref<6x4xi32>, %x: i32) {
  linalg.fill ins(%x : i32) outs(%b : memref<6x4xi32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], ` +
  `iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x6xi32>) outs(%b : memref<6x4xi32>) {
  ^bb0(%p: i32, %q: i32):
    %s = arith.subi %p, %q : i32
    linalg.yield %s : i32
  }
  return
}`;

describe('transform.structured.vectorize', () => {
  const everyOp = `%op = transform.structured.match interface{LinalgOp} in %root : (${any}) -> ${any}
transform.structured.vectorize %op`;

  it.each([
    ['a reduction', rows(), ''],
    ['indices, constants and a transposition', indices, ''],
    [
      'a number that is computed anew in each iteration',
      rows({
        body: `%c = arith.constant 3 : i32
%k = arith.muli %c, %c : i32
%s = arith.muli %x0, %k : i32
%t = arith.addi %y0, %s : i32
linalg.yield %t : i32`,
      }),
      '',
    ],
    [
      'an output in another order',
      rows({
        iterators: ['reduction', 'parallel', 'parallel'],
        inputs: [{ map: 'd0, d1', type: 'tensor<6x4xi32>' }],
        outputs: [{ map: 'd2, d1', type: 'tensor<3x4xi32>' }],
      }),
      '',
    ],
    [
      'a scalar output',
      rows({ iterators: ['reduction', 'reduction'], outputs: [{ map: '', type: 'tensor<i32>' }] }),
      '',
    ],
    [
      'a constant that is summed once an iteration',
      rows({ body: '%c = arith.constant 2 : i32\n%s = arith.addi %y0, %c : i32\nlinalg.yield %s : i32' }),
      '',
    ],
    [
      'sizes that are not known',
      rows().replaceAll('4x6x', '?x?x').replaceAll('4xi32', '?xi32'),
      'vector_sizes [8, 8]',
    ],
    ['vectors that are longer than rows', rows(), 'vector_sizes [4, 8]'],
    ['buffers', buffers, ''],
    ['quotients', divided('%t'), ''],
    ['quotients in longer vectors', divided('%t'), 'vector_sizes [8]'],
    [
      'elements at the index of a vector that is longer',
      extracted('6', '%t[%j] : tensor<6xi32>'),
      'vector_sizes [8]',
    ],
    [
      'elements of a row at the index of a vector that is longer',
      extracted('1x6', '%t[%j] : tensor<6xi32>'),
      'vector_sizes [1, 8]',
    ],
  ])('keeps what is computed: %s', (_, payload, rest) => {
    const { diagnostics, text } = apply(payload, `${everyOp} ${rest} : ${any}`);
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.transfer_write');
    expect(text).not.toContain('linalg.');
  });

  it.each([
    ['a row', '1x6', '%t[%c, %j] : tensor<3x9xi32>', 'transfer_read'],
    ['a row that the index of the only row tells', '1x6', '%t[%i, %j] : tensor<1x9xi32>', 'transfer_read'],
    ['a row at the sum of an index and a constant', '1x6', '%t[%i, %k] : tensor<3x9xi32>', 'transfer_read'],
    ['a row at the sum of a constant and an index', '1x6', '%t[%i, %l] : tensor<3x9xi32>', 'transfer_read'],
    [
      'a row at the index and the row that it stands in',
      '1x6',
      '%t[%i, %o] : tensor<3x9xi32>',
      'transfer_read',
    ],
    ['one element', '1x6', '%t[%c, %i] : tensor<3x9xi32>', 'transfer_read'],
    ['one element of three dimensions', '1x6', '%t[%c, %i, %c] : tensor<3x4x5xi32>', 'transfer_read'],
    ['the only element', '1x6', '%t[] : tensor<i32>', 'transfer_read'],
    ['every other element', '1x4', '%t[%c, %p] : tensor<3x9xi32>', 'gather'],
    ['elements at products', '1x4', '%t[%c, %q] : tensor<3x9xi32>', 'gather'],
    ['elements in reverse', '1x3', '%t[%c, %r] : tensor<3x9xi32>', 'gather'],
    ['a column', '1x3', '%t[%j, %c] : tensor<3x9xi32>', 'gather'],
    ['a column of columns of one', '1x3', '%t[%j, %i] : tensor<3x1xi32>', 'gather'],
    ['a diagonal', '1x3', '%t[%j, %j] : tensor<3x9xi32>', 'gather'],
    ['a diagonal of a cube', '3', '%t[%j, %j, %k] : tensor<3x4x5xi32>', 'gather'],
    ['rows', '2x6', '%t[%i, %j] : tensor<3x9xi32>', 'gather'],
    ['repeated rows', '6x1', '%t[%i, %j] : tensor<9x1xi32>', 'gather'],
  ])('reads %s of a tensor of several dimensions', (_, sizes, element, op) => {
    const { diagnostics, text } = apply(extracted(sizes, element), vectorize('{vectorize_nd_extract}'));
    expect(diagnostics).toBe('');
    expect(text).toContain(`vector.${op} %arg0[`);
    expect(text).not.toContain('linalg.');
  });

  it('expands maps of its body', () => {
    const payload = extracted('1x6', '%t[%m] : tensor<9xi32>').replace(
      '%e =',
      '%m = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)\n%e =',
    );
    const { diagnostics, text } = apply(payload, vectorize());
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.transfer_read %arg0[');
    expect(text).not.toContain('affine.apply');
  });

  it.each([
    ['a copy', '%r = linalg.copy ins(%a : tensor<?x?xi32>) outs(%b : tensor<?x?xi32>) -> tensor<?x?xi32>'],
    [
      'a transposition',
      '%r = linalg.transpose ins(%a : tensor<?x?xi32>) outs(%b : tensor<?x?xi32>) permutation = [1, 0]',
    ],
    ['a filling', '%r = linalg.fill ins(%x : i32) outs(%b : tensor<?x?xi32>) -> tensor<?x?xi32>'],
  ])('masks elementwise ops of unknown sizes: %s', (_, op) => {
    const payload = functionOf('(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %x: i32) -> tensor<?x?xi32>', op);
    const { diagnostics, text } = apply(payload, `${everyOp} vector_sizes [4, 8] : ${any}`);
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.mask');
    expect(text).not.toContain('linalg.');
  });

  it.each([
    ['elements', extracted('1x6', '%t[%j] : tensor<6xi32>'), 'vector_sizes [2, 8]'],
    ['a single element', extracted('1x6', '%t[%i] : tensor<6xi32>'), 'vector_sizes [2, 8]'],
  ])('gathers %s for more rows than there are', (_, payload, rest) => {
    const whole = scriptTester([...transforms, ...cleanups], {
      difference: firstDifference,
      attachments: patternSets,
    });
    const lowered = ['lower_create_mask', 'lower_masked_transfers', 'lower_gather'];
    const { diagnostics, text } = whole(
      payload,
      `${vectorize(rest)}
%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f {
  ${lowered.map((name) => `transform.apply_patterns.vector.${name}`).join('\n')}
} : ${any}`,
    );
    expect(diagnostics).toBe('');
    expect(text).not.toContain('linalg.');
  });

  it.each([
    ['arith.muli', 'i32', 'mul'],
    ['arith.andi', 'i32', 'and'],
    ['arith.ori', 'i32', 'or'],
    ['arith.xori', 'i32', 'xor'],
    ['arith.maxsi', 'i32', 'maxsi'],
    ['arith.maxui', 'i32', 'maxui'],
    ['arith.minsi', 'i32', 'minsi'],
    ['arith.minui', 'i32', 'minui'],
    ['arith.addf', 'f32', 'add'],
    ['arith.mulf', 'f32', 'mul'],
    ['arith.maximumf', 'f32', 'maximumf'],
    ['arith.minimumf', 'f32', 'minimumf'],
    ['arith.maxnumf', 'f32', 'maxnumf'],
    ['arith.minnumf', 'f32', 'minnumf'],
  ])('combines by %s of %s', (name, type, kind) => {
    const { diagnostics, text } = apply(combined(name, type), vectorize());
    expect(diagnostics).toBe('');
    expect(text).toContain(`vector.multi_reduction <${kind}>`);
  });

  it.each([
    ['[8, [16], 4]', 'linalg.matmul', 'vector<8x[16]xf32>'],
    ['[8, [16], 4]', 'linalg.matmul_transpose_a', 'vector<8x[16]xf32>'],
    ['[[8], [16], 4]', 'linalg.matmul', 'vector<[8]x[16]xf32>'],
  ])('scales with sizes %s of %s', (sizes, op, type) => {
    const unknown = 'tensor<?x?xf32>';
    const payload = `func.func @f(%a: ${unknown}, %b: ${unknown}, %c: ${unknown}) -> ${unknown} {
      %0 = ${op} ins(%a, %b : ${unknown}, ${unknown}) outs(%c : ${unknown}) -> ${unknown}
      return %0 : ${unknown}
    }`;
    const { diagnostics, text } = scriptTester(transforms)(payload, vectorize(`vector_sizes ${sizes}`, op));
    expect(diagnostics).toBe('');
    expect(text).toContain(type);
  });

  it.each([
    ['matmul', '?x3xi32 3x2xi32 ?x2xi32', [8, 2, 3]],
    ['matmul_transpose_a', '3x?xi32 3x2xi32 ?x2xi32', [8, 2, 3]],
    ['matmul_transpose_b', '?x3xi32 2x3xi32 ?x2xi32', [8, 2, 3]],
    ['quantized_matmul', '?x3xi8 3x2xi8 ?x2xi32', [8, 2, 3]],
    ['batch_matmul', '2x?x3xi32 2x3x2xi32 2x?x2xi32', [2, 8, 2, 3]],
    ['batch_matmul_transpose_a', '2x3x?xi32 2x3x2xi32 2x?x2xi32', [2, 8, 2, 3]],
    ['batch_matmul_transpose_b', '2x?x3xi32 2x2x3xi32 2x?x2xi32', [2, 8, 2, 3]],
    ['batch_reduce_matmul', '2x?x3xi32 2x3x2xi32 ?x2xi32', [2, 8, 2, 3]],
    ['quantized_batch_matmul', '2x?x3xi8 2x3x2xi8 2x?x2xi32', [2, 8, 2, 3]],
    ['mmt4d', '?x2x2x1xi32 2x2x3x1xi32 ?x2x2x3xi32', [8, 2, 2, 2, 3, 1]],
    ['batch_mmt4d', '2x?x2x2x1xi32 2x2x2x3x1xi32 2x?x2x2x3xi32', [2, 8, 2, 2, 2, 3, 1]],
    ['matvec', '?x3xi32 3xi32 ?xi32', [8, 3]],
    ['vecmat', '3xi32 3x?xi32 ?xi32', [8, 3]],
    ['batch_matvec', '2x?x3xi32 2x3xi32 2x?xi32', [2, 8, 3]],
    ['batch_vecmat', '2x3xi32 2x3x?xi32 2x?xi32', [2, 8, 3]],
    ['dot', '?xi32 ?xi32 i32', [8]],
  ])('masks linalg.%s of an unknown size', (name, types, sizes) => {
    const [a, b, c] = types.split(' ').map((type) => `tensor<${type}>`) as [string, string, string];
    const zeroPoints = name.startsWith('quantized') ? [', %x, %y', ', i32, i32'] : ['', ''];
    const payload = functionOf(
      `(%a: ${a}, %b: ${b}, %c: ${c}, %x: i32, %y: i32) -> ${c}`,
      `%r = linalg.${name} ins(%a, %b${zeroPoints[0]!} : ${a}, ${b}${zeroPoints[1]!}) outs(%c : ${c}) -> ${c}`,
    );
    const { diagnostics, text } = apply(
      payload,
      vectorize(`vector_sizes [${sizes.join(', ')}]`, `linalg.${name}`),
    );
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.mask');
    expect(text).not.toContain('linalg.');
  });

  it.each([
    ['unsupported', 'no structured op', rows(), vectorize('', 'func.return')],
    ['failed', 'an unknown size', rows().replaceAll('4x6x', '4x?x'), vectorize()],
    ['failed', 'a zero extent', rows().replaceAll('4x6x', '4x0x'), vectorize()],
    ['failed', 'a vector that is too short', rows(), vectorize('vector_sizes [4, 5]')],
    [
      'failed',
      'a vector that is shorter than another operand',
      rows().replaceAll('4x6x', '?x6x'),
      vectorize('vector_sizes [2, 6]'),
    ],
    ['failed', 'too few sizes', rows(), vectorize('vector_sizes [4]')],
    ['failed', 'a scalable generic op', rows(), vectorize('vector_sizes [4, [6]]')],
    ...['[8, 16, [4]]', '[[8], 16, 4]', '[[8], [16], [4]]'].map((sizes) => [
      'failed',
      `a matrix product with sizes ${sizes}`,
      matrixProduct,
      vectorize(`vector_sizes ${sizes}`, 'linalg.matmul'),
    ]),
    [
      'failed',
      'a scalable product with a transposed factor',
      matrixProduct.replace('linalg.matmul', 'linalg.matmul_transpose_b'),
      vectorize('vector_sizes [8, [16], 4]', 'linalg.matmul_transpose_b'),
    ],
    [
      'failed',
      'an unsigned integer of what may be infinite beyond the iterations',
      quotients.replace('fptosi', 'fptoui'),
      vectorize('vector_sizes [8]'),
    ],
    [
      'failed',
      'a sum of dimensions',
      rows({
        inputs: [
          { map: 'd0 + d1', type: 'tensor<9xi32>' },
          { map: 'd0, d1', type: 'tensor<4x6xi32>' },
        ],
      }),
      vectorize(),
    ],
    ['failed', 'what is no combination', combined('arith.subi', 'i32'), vectorize()],
    ['failed', 'a division beyond the iterations', divided('%x1'), vectorize('vector_sizes [8]')],
    ['failed', 'a division by zero beyond the iterations', divided('%z'), vectorize('vector_sizes [8]')],
    [
      'failed',
      'an integer of what may be infinite beyond the iterations',
      quotients,
      vectorize('vector_sizes [8]'),
    ],
    [
      'failed',
      'an output that is overwritten along a parallel dimension, besides a reduction',
      rows({
        iterators: ['parallel', 'parallel', 'reduction'],
        inputs: [{ map: 'd0, d1, d2', type: 'tensor<4x3x6xi32>' }],
      }),
      vectorize(),
    ],
    ['failed', 'an output along a reduction', rows({ iterators: ['reduction', 'reduction'] }), vectorize()],
    ['failed', 'an output that is overwritten', rows({ iterators: ['parallel', 'parallel'] }), vectorize()],
    [
      'size',
      'a size that is not constant',
      `func.func @f(%n: index, %t: tensor<4xi32>, %x: i32) -> tensor<4xi32> {
        %m = arith.addi %n, %n : index
        %0 = linalg.fill ins(%x : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>
        return %0 : tensor<4xi32>
      }`,
      `%size = transform.structured.match ops{["arith.addi"]} in %root : (${any}) -> ${any}
%op = transform.structured.match ops{["linalg.fill"]} in %root : (${any}) -> ${any}
transform.structured.vectorize %op vector_sizes [%size] : ${any}, ${any}`,
    ],
  ])('refuses with %s: %s', (code, _, payload, script) => {
    expect(apply(payload, script).diagnostics).toContain(`[vectorize/${code}]`);
  });

  const unknown = 'tensor<?x?xf32>';
  const convolution = (width: string, channels: string): string =>
    `func.func @f(%a: tensor<1x${width}x${channels}xf32>, %b: tensor<2x${channels}xf32>, %c: ` +
    `tensor<1x7x${channels}xf32>) -> tensor<1x7x${channels}xf32> {
      %0 = linalg.depthwise_conv_1d_nwc_wc ins(%a, %b : tensor<1x${width}x${channels}xf32>, ` +
    `tensor<2x${channels}xf32>) outs(%c : tensor<1x7x${channels}xf32>) -> tensor<1x7x${channels}xf32>
      return %0 : tensor<1x7x${channels}xf32>
    }`;
  const pack = (low: string, tile: string, value: string): string =>
    `func.func @f(%t: tensor<5x7xf32>, %n: index, %x: f32, %d: tensor<?x?x2x${tile === '4' ? 4 : '?'}xf32>) -> ` +
    `(tensor<5x9xf32>, tensor<?x?x2x${tile === '4' ? 4 : '?'}xf32>) {
      %c = arith.constant 1.0 : f32
      %0 = tensor.pad %t low[0, ${low}] high[0, ${2 - Number(low)}] {
      ^bb0(%i: index, %j: index):
        %k = arith.index_cast %j : index to i32
        %l = arith.sitofp %k : i32 to f32
        tensor.yield ${value === '%x' ? '%x' : value} : f32
      } : tensor<5x7xf32> to tensor<5x9xf32>
      %1 = tensor.pack %t padding_value(${value === '%c' ? '%c' : '%x'} : f32) inner_dims_pos = [1, 0] ` +
    `inner_tiles = [2, ${tile}] into %d : tensor<5x7xf32> -> tensor<?x?x2x${tile === '4' ? 4 : '?'}xf32>
      return %0, %1 : tensor<5x9xf32>, tensor<?x?x2x${tile === '4' ? 4 : '?'}xf32>
    }`;

  it('invalidates handles to what is in its target', () => {
    const script = `%add = transform.structured.match ops{["arith.addi"]} in %root : (${any}) -> ${any}
${vectorize()}
transform.annotate %add "later" : ${any}`;
    expect(apply(rows(), script).diagnostics).toContain('invalidated');
  });

  it.each([
    ['columns', convolution('8', '3'), ''],
    ['channels of unknown number', convolution('8', '?'), 'vector_sizes [1, 7, 4, 2]'],
  ])('keeps what a convolution computes: %s', (_, payload, rest) => {
    const { diagnostics, text } = apply(payload, vectorize(rest, 'linalg.depthwise_conv_1d_nwc_wc'));
    expect(diagnostics).toBe('');
    expect(text).not.toContain('linalg.');
  });

  it.each([
    ['columns of unknown number', convolution('?', '3'), '', 'linalg.depthwise_conv_1d_nwc_wc'],
    ['channels that no size is given for', convolution('8', '?'), '', 'linalg.depthwise_conv_1d_nwc_wc'],
    ['a pad below the source', pack('1', '4', '%x'), 'vector_sizes [5, 9]', 'tensor.pad'],
    ['a pad without sizes', pack('0', '4', '%x'), '', 'tensor.pad'],
    ['a pad with computed values', pack('0', '4', '%l'), 'vector_sizes [5, 9]', 'tensor.pad'],
    ['a scalable pad', pack('0', '4', '%x'), 'vector_sizes [5, [9]]', 'tensor.pad'],
    ['a tile of unknown size', pack('0', '%n', '%c'), 'vector_sizes [2, 4]', 'tensor.pack'],
    ['a padding that is not constant', pack('0', '4', '%x'), 'vector_sizes [2, 4]', 'tensor.pack'],
    ['a pack of unknown size without sizes', pack('0', '4', '%c'), '', 'tensor.pack'],
    [
      'an element of a matrix',
      `func.func @f(%a: tensor<4x6xf32>, %b: tensor<6xf32>) -> tensor<6xf32> {
        %0 = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>], iterator_types = ["parallel"]} outs(%b : ` +
        `tensor<6xf32>) {
        ^bb0(%x: f32):
          %i = linalg.index 0 : index
          %e = tensor.extract %a[%i, %i] : tensor<4x6xf32>
          linalg.yield %e : f32
        } -> tensor<6xf32>
        return %0 : tensor<6xf32>
      }`,
      '',
      'linalg.generic',
    ],
    [
      'a reduction of unknown size',
      `func.func @f(%a: ${unknown}, %b: tensor<?xf32>) -> tensor<?xf32> {
        %0 = linalg.reduce { arith.addf } ins(%a : ${unknown}) outs(%b : tensor<?xf32>) dimensions = [1]
        return %0 : tensor<?xf32>
      }`,
      'vector_sizes [4, 4]',
      'linalg.reduce',
    ],
    [
      'two dimensions of windows',
      `func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
        %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : ` +
        `tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
        return %0 : tensor<1x6x6x4xf32>
      }`,
      '',
      'linalg.conv_2d_nhwc_hwcf',
    ],
  ])('has no vectors for %s', (_, payload, rest, op) => {
    expect(scriptTester(transforms)(payload, vectorize(rest, op)).diagnostics).toContain(
      '[vectorize/failed]',
    );
  });

  it.each([
    [
      '8x4',
      '',
      'the extents [?, 6, 4] are dynamic: give vector_sizes, or choose tile sizes that divide',
      '?x4',
    ],
    ['8x4', 'vector_sizes [8, 6]', '2 vector sizes are given for 3 dimensions'],
    [
      '8x4',
      'vector_sizes [8, 4, 4]',
      'the vector sizes [8, 4, 4] do not cover the extents [8, 6, 4]: tile to these sizes first',
    ],
    ['0x4', '', 'an extent is 0'],
  ])('says why a product of %s has none for "%s"', (sizes, rest, reason, shape = sizes) => {
    const [rows, depth] = shape.split('x');
    const types = [`${rows}x${depth}`, `${depth}x6`, `${rows}x6`].map((each) => `tensor<${each}xf32>`);
    const payload = `func.func @f(%a: ${types[0]}, %b: ${types[1]}, %c: ${types[2]}) -> ${types[2]} {
      %0 = linalg.matmul ins(%a, %b : ${types[0]}, ${types[1]}) outs(%c : ${types[2]}) -> ${types[2]}
      return %0 : ${types[2]}
    }`;
    expect(scriptTester(transforms)(payload, vectorize(rest, 'linalg.matmul')).diagnostics).toContain(
      `Attempted to vectorize, but failed: ${reason} [vectorize/failed]`,
    );
  });
});
