/** Propagation of packings through elementwise ops, padding and reshapes, and what stays. */
import { unwrap } from '@sconv/diagnostics';
import { applyPatternsGreedily, edit, parseModule, printModule } from '@sconv/ir';
import { functionOf } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { dataLayoutPropagation, dataLayoutPropagationPatterns } from '../src/index.ts';
import { stays, testPass, testPatterns } from './support/rows.ts';
import { registry } from './support/table.ts';

const elementwise = (
  ins: string,
  maps: string,
  outs: string,
  types: string,
  kinds = ['parallel', 'parallel'],
): string => {
  const inputs = ins.split(', ').map((_, i) => `%x${i}: f32`);
  const kind = kinds.map((each) => `"${each}"`).join(', ');
  return `linalg.generic {indexing_maps = [${maps
    .split('; ')
    .map((map) => `affine_map<${map}>`)
    .join(
      ', ',
    )}], iterator_types = [${kind}]} ins(${ins} : ${types.split('; ')[0]!}) outs(${outs} : ${types.split('; ')[1]!}) {
    ^bb0(${[...inputs, '%o: f32'].join(', ')}):
      %s = arith.addf %x0, %x${inputs.length - 1} : f32
      linalg.yield %s : f32
    } -> ${types.split('; ')[1]!}`;
};

const twice = elementwise(
  '%0',
  '(i, j) -> (i, j); (i, j) -> (i, j)',
  '%e',
  'tensor<8x6xf32>; tensor<8x6xf32>',
);

testPatterns('linalg.data_layout_propagation', [
  [
    'a packed elementwise op',
    '(%0: tensor<8x6xf32>, %d: tensor<4x3x2x2xf32>) -> tensor<4x3x2x2xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %1 = ${twice}
    %r = tensor.pack %1 inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %d : tensor<8x6xf32> -> tensor<4x3x2x2xf32>`,
    'tensor.empty, tensor.pack, linalg.generic, arith.addf',
    'outs(%arg1 : tensor<4x3x2x2xf32>)',
  ],
  [
    'an unpacked operand, and another that is broadcast',
    '(%t: tensor<3x8x2xf32>, %b: tensor<6xf32>) -> tensor<8x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %0 = tensor.unpack %t outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2] into %e : tensor<3x8x2xf32> -> tensor<8x6xf32>
    %r = ${elementwise('%0, %b', '(i, j) -> (i, j); (i, j) -> (j); (i, j) -> (i, j)', '%e', 'tensor<8x6xf32>, tensor<6xf32>; tensor<8x6xf32>')}`,
    '4 tensor.empty, 2 tensor.unpack, 2 tensor.pack, linalg.generic, arith.addf',
    'affine_map<(d0, d1, d2) -> (d0, d2)>',
  ],
  [
    'a packed padding of another dimension',
    '(%t: tensor<8x6xf32>) -> tensor<4x8x2xf32>',
    `%p = tensor.pad %t low[0, 1] high[0, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %f2 : f32
    } : tensor<8x6xf32> to tensor<8x8xf32>
    %e = tensor.empty() : tensor<4x8x2xf32>
    %r = tensor.pack %p inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<8x8xf32> -> tensor<4x8x2xf32>`,
    'tensor.empty, tensor.pack, tensor.pad',
    'low[0, 1, 0] high[0, 1, 0]',
  ],
  [
    'a packed padding of a tiled dimension',
    '(%t: tensor<8x6xf32>) -> tensor<8x4x2xf32>',
    `%p = tensor.pad %t low[0, 1] high[0, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %f2 : f32
    } : tensor<8x6xf32> to tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x4x2xf32>
    %r = tensor.pack %p inner_dims_pos = [1] inner_tiles = [2] into %e : tensor<8x8xf32> -> tensor<8x4x2xf32>`,
    stays,
  ],
  [
    'a padded unpacking',
    '(%t: tensor<4x6x2xf32>) -> tensor<8x8xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %0 = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<4x6x2xf32> -> tensor<8x6xf32>
    %r = tensor.pad %0 low[0, 1] high[0, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %f2 : f32
    } : tensor<8x6xf32> to tensor<8x8xf32>`,
    'tensor.pad, tensor.empty, tensor.unpack',
  ],
  [
    'a packed collapse of what tiles divide',
    '(%t: tensor<3x8x6xf32>) -> tensor<12x6x2xf32>',
    `%0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<3x8x6xf32> into tensor<24x6xf32>
    %e = tensor.empty() : tensor<12x6x2xf32>
    %r = tensor.pack %0 inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<24x6xf32> -> tensor<12x6x2xf32>`,
    'tensor.empty, tensor.pack, tensor.collapse_shape',
    'inner_dims_pos = [1] inner_tiles = [2]',
  ],
  [
    'an expanded unpacking',
    '(%t: tensor<12x6x2xf32>) -> tensor<3x8x6xf32>',
    `%e = tensor.empty() : tensor<24x6xf32>
    %0 = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<12x6x2xf32> -> tensor<24x6xf32>
    %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [3, 8, 6] : tensor<24x6xf32> into tensor<3x8x6xf32>`,
    'tensor.expand_shape, tensor.empty, tensor.unpack',
  ],
]);

// Where upstream is wrong: each keeps what it computes.
testPatterns('linalg.data_layout_propagation', [
  [
    'rows of which each is padded to its tiles',
    '(%t: tensor<14xf32>) -> tensor<2x1x8xf32>',
    `%0 = tensor.expand_shape %t [[0, 1]] output_shape [2, 7] : tensor<14xf32> into tensor<2x7xf32>
    %e = tensor.empty() : tensor<2x1x8xf32>
    %r = tensor.pack %0 padding_value(%f2 : f32) inner_dims_pos = [1] inner_tiles = [8] into %e : tensor<2x7xf32> -> tensor<2x1x8xf32>`,
    stays,
  ],
  [
    'a packing with padding into an empty tensor',
    '(%0: tensor<8x6xf32>) -> tensor<3x6x3xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %1 = ${twice}
    %d = tensor.empty() : tensor<3x6x3xf32>
    %r = tensor.pack %1 padding_value(%f2 : f32) inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<8x6xf32> -> tensor<3x6x3xf32>`,
    stays,
  ],
  [
    'an unpacking without tiles',
    '(%t: tensor<8x6xf32>) -> tensor<8x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %0 = tensor.unpack %t inner_dims_pos = [] inner_tiles = [] into %e : tensor<8x6xf32> -> tensor<8x6xf32>
    %r = ${twice}`,
    stays,
  ],
  [
    'an unpacking of tiles of which the last is partial',
    '(%t: tensor<3x6x3xf32>) -> tensor<8x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %0 = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [3] into %e : tensor<3x6x3xf32> -> tensor<8x6xf32>
    %r = ${twice}`,
    stays,
  ],
  [
    'a reduction that the permutation moves',
    '(%t: tensor<6x4x2xf32>, %e: tensor<8xf32>) -> tensor<8xf32>',
    `%d = tensor.empty() : tensor<8x6xf32>
    %0 = tensor.unpack %t outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<6x4x2xf32> -> tensor<8x6xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x6xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%x0: f32, %o: f32):
      %s = arith.addf %x0, %o : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>`,
    '4 tensor.empty, 2 tensor.unpack, 2 tensor.pack, linalg.generic, arith.addf',
    'iterator_types = ["reduction", "parallel", "parallel"]',
  ],
  [
    'windows whose dimensions the permutation moves',
    '(%t: tensor<4x9x5xf32>, %w: tensor<3x2xf32>, %d: tensor<4x4x2x2xf32>) -> tensor<4x4x2x2xf32>',
    `%e = tensor.empty() : tensor<4x4x4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(c, h, w, k, l) -> (c, h * 2 + k, w + l)>, affine_map<(c, h, w, k, l) -> (k, l)>, affine_map<(c, h, w, k, l) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%t, %w : tensor<4x9x5xf32>, tensor<3x2xf32>) outs(%e : tensor<4x4x4xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o: f32):
      linalg.yield %x0 : f32
    } -> tensor<4x4x4xf32>
    %r = tensor.pack %1 outer_dims_perm = [2, 1, 0] inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<4x4x4xf32> -> tensor<4x4x2x2xf32>`,
    '2 tensor.empty, 2 tensor.pack, linalg.generic',
    '(d0 + d4, d1 * 2 + d3, d2, d5)',
  ],
]);

const unpacked = (name: string, source: string): string =>
  `%${name} = tensor.unpack ${source} inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<4x6x2xf32> -> tensor<8x6xf32>`;

testPatterns('linalg.further_data_layout_propagation', [
  [
    'a sum of two unpacked operands',
    '(%a: tensor<4x6x2xf32>, %b: tensor<4x6x2xf32>) -> tensor<8x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    ${unpacked('0', '%a')}
    ${unpacked('1', '%b')}
    %r = linalg.add ins(%0, %1 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>`,
    '4 tensor.empty, 3 tensor.unpack, 2 tensor.pack, linalg.generic, arith.addf',
  ],
  [
    'a pooling of other dimensions',
    '(%a: tensor<1x2x6x6x2xf32>, %w: tensor<2x2xf32>, %o: tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>',
    `%e = tensor.empty() : tensor<1x4x6x6xf32>
    %0 = tensor.unpack %a inner_dims_pos = [1] inner_tiles = [2] into %e : tensor<1x2x6x6x2xf32> -> tensor<1x4x6x6xf32>
    %r = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%0, %w : tensor<1x4x6x6xf32>, tensor<2x2xf32>) outs(%o : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>`,
    '4 tensor.empty, 2 tensor.unpack, 2 tensor.pack, linalg.generic, arith.maximumf',
    '"parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "parallel"',
  ],
  [
    'a gather, whose indices are those of the elements',
    '(%a: tensor<6x4x2xf32>, %w: tensor<6x8xf32>) -> tensor<8x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %0 = tensor.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<6x4x2xf32> -> tensor<8x6xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) {
    ^bb0(%x0: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %g = tensor.extract %w[%j, %i] : tensor<6x8xf32>
      %s = arith.addf %x0, %g : f32
      linalg.yield %s : f32
    } -> tensor<8x6xf32>`,
    '3 tensor.empty, 2 tensor.unpack, tensor.pack, linalg.generic, 3 linalg.index, affine.apply, tensor.extract, arith.addf',
    'affine_map<(d0, d1) -> (d0 * 2 + d1)>',
  ],
  [
    'a sum over what tiles are of',
    '(%a: tensor<4x6x2xf32>, %o: tensor<6xf32>) -> tensor<6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    ${unpacked('0', '%a')}
    %r = linalg.reduce { arith.addf } ins(%0 : tensor<8x6xf32>) outs(%o : tensor<6xf32>) dimensions = [0]`,
    '2 tensor.empty, tensor.unpack, tensor.pack, linalg.generic, arith.addf',
    'iterator_types = ["reduction", "parallel", "reduction"]',
  ],
  [
    'a product over what tiles are of',
    '(%a: tensor<4x6x2xf32>, %b: tensor<3x8xf32>, %o: tensor<3x6xf32>) -> tensor<3x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    ${unpacked('0', '%a')}
    %r = linalg.matmul ins(%b, %0 : tensor<3x8xf32>, tensor<8x6xf32>) outs(%o : tensor<3x6xf32>) -> tensor<3x6xf32>`,
    stays,
  ],
  [
    'a concatenation of whole tiles',
    '(%a: tensor<4x6x2xf32>, %b: tensor<4x6x2xf32>) -> tensor<16x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    ${unpacked('0', '%a')}
    ${unpacked('1', '%b')}
    %r = tensor.concat dim(0) %0, %1 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>`,
    'tensor.concat, tensor.empty, tensor.unpack',
  ],
  [
    'a concatenation of tiles of different sizes',
    '(%a: tensor<4x6x2xf32>, %b: tensor<2x6x4xf32>) -> tensor<16x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    ${unpacked('0', '%a')}
    %1 = tensor.unpack %b inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<2x6x4xf32> -> tensor<8x6xf32>
    %r = tensor.concat dim(0) %0, %1 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>`,
    stays,
  ],
  [
    'a concatenation of partial tiles',
    '(%a: tensor<3x6x3xf32>, %b: tensor<3x6x3xf32>) -> tensor<16x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %0 = tensor.unpack %a inner_dims_pos = [0] inner_tiles = [3] into %e : tensor<3x6x3xf32> -> tensor<8x6xf32>
    %1 = tensor.unpack %b inner_dims_pos = [0] inner_tiles = [3] into %e : tensor<3x6x3xf32> -> tensor<8x6xf32>
    %r = tensor.concat dim(0) %0, %1 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>`,
    stays,
  ],
]);

testPass(dataLayoutPropagation(), [
  [
    'nothing is packed',
    '(%0: tensor<8x6xf32>) -> tensor<8x6xf32>',
    `%e = tensor.empty() : tensor<8x6xf32>
    %r = ${twice}`,
    stays,
  ],
]);

describe('a control', () => {
  it.each([
    ['asks for each place', true, 'linalg.generic'],
    ['keeps packings where they are', false, 'tensor.pack'],
  ])('%s', (_, allowed, last) => {
    const payload = functionOf(
      '(%0: tensor<8x6xf32>, %d: tensor<4x6x2xf32>) -> tensor<4x6x2xf32>',
      `%e = tensor.empty() : tensor<8x6xf32>
      %1 = ${twice}
      %r = tensor.pack %1 inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<8x6xf32> -> tensor<4x6x2xf32>`,
    );
    const asked: string[] = [];
    const patterns = dataLayoutPropagationPatterns(({ producer, consumer, operand }) => {
      asked.push(`${producer.name} ${consumer.name} ${operand}`);
      return allowed;
    });
    const before = unwrap(parseModule(payload, { registry }));
    const { module } = edit(before, { registry }, (rewriter) => {
      unwrap(applyPatternsGreedily(rewriter, [rewriter.root], patterns));
    });
    expect(new Set(asked)).toEqual(new Set(['linalg.generic tensor.pack 0']));
    const made = [...printModule(module, { registry }).matchAll(/= (linalg\.generic|tensor\.pack)/g)];
    expect(made.at(-1)![1]).toBe(last);
  });
});
