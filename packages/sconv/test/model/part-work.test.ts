import { unwrap } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { bodyOf, parseModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { defaultRegistry } from '../../src/index.ts';
import { countFloatOperations, weightBytesOf } from '../../src/model/part-work.ts';

const functionOf = (text: string): Operation =>
  bodyOf(unwrap(parseModule(text, { registry: defaultRegistry })).root).operations[0]!;

const id = 'affine_map<(i, j) -> (i, j)>';
const generic = (type: string, body: string): string => `func.func @f(%x: ${type}, %y: ${type}) -> ${type} {
  %0 = linalg.generic {indexing_maps = [${id}, ${id}], iterator_types = ["parallel", "parallel"]}
    ins(%x : ${type}) outs(%y : ${type}) {
  ^bb0(%a: f32, %b: f32):
    ${body}
  } -> ${type}
  return %0 : ${type}
}`;

it.each([
  [
    'two for each product of a convolution',
    `func.func @f(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x3x3xf32>, %y: tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32> {
      %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>)
        outs(%y : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
      return %0 : tensor<1x3x3x3xf32>
    }`,
    2 * 3 * 9 * 2 * 9,
  ],
  [
    'what a body computes, of floats',
    generic(
      'tensor<4x5xf32>',
      `%e = math.exp %a : f32
    %c = arith.constant 1.0 : f32
    %s = arith.addf %e, %c : f32
    %t = arith.extf %s : f32 to f64
    %u = arith.truncf %t : f64 to f32
    %i = linalg.index 0 : index
    %j = arith.addi %i, %i : index
    linalg.yield %u : f32`,
    ),
    2 * 20,
  ],
  ['nothing that is copied', generic('tensor<4x5xf32>', 'linalg.yield %a : f32'), 0],
  [
    'not what has no end that is known',
    generic('tensor<4x?xf32>', '%s = arith.addf %a, %a : f32\n    linalg.yield %s : f32'),
    undefined,
  ],
])('the operations on floats: %s', (_, text, count) => {
  expect(countFloatOperations(defaultRegistry, functionOf(text))).toBe(count);
});

it('the bytes of weights are those of constants with elements of their own', () => {
  const text = `func.func @f() -> (tensor<2x3xf32>, tensor<2xi64>, tensor<9xf32>) {
  %w = arith.constant dense_resource<w> : tensor<2x3xf32>
  %s = arith.constant dense<[1, 2]> : tensor<2xi64>
  %z = arith.constant dense<0.0> : tensor<9xf32>
  return %w, %s, %z : tensor<2x3xf32>, tensor<2xi64>, tensor<9xf32>
}`;
  expect(weightBytesOf(functionOf(text))).toBe(24 + 16);
});
