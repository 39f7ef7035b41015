import { unwrap } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { bodyOf, parseModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { defaultRegistry } from '../../src/index.ts';
import { countFloatOperations, trafficOf } from '../../src/model/part-work.ts';

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

const [whole, slice] = ['tensor<8x3xf32>', 'tensor<2x3xf32>'];

it.each([
  [
    'constants with elements of their own are weights',
    `func.func @f(%x: ${slice}) -> (${slice}, ${slice}, tensor<2xi64>, tensor<9xf32>) {
      %w = arith.constant dense_resource<w> : ${slice}
      %s = arith.constant dense<[1, 2]> : tensor<2xi64>
      %z = arith.constant dense<0.0> : tensor<9xf32>
      return %x, %w, %s, %z : ${slice}, ${slice}, tensor<2xi64>, tensor<9xf32>
    }`,
    { readBytes: 24 + 24 + 16, writtenBytes: 24 + 24 + 16 + 36, weightBytes: 24 + 16 },
  ],
  [
    'what a slice is inserted into stays where it is',
    `func.func @f(%x: ${slice}, %y: ${whole}) -> ${whole} {
      %0 = tensor.insert_slice %x into %y[2, 0] [2, 3] [1, 1] : ${slice} into ${whole}
      return %0 : ${whole}
    }`,
    { readBytes: 24, writtenBytes: 24, weightBytes: 0 },
  ],
  [
    'a slice is inserted into what is new',
    `func.func @f(%x: ${slice}) -> ${whole} {
      %y = tensor.empty() : ${whole}
      %0 = tensor.insert_slice %x into %y[2, 0] [2, 3] [1, 1] : ${slice} into ${whole}
      return %0 : ${whole}
    }`,
    { readBytes: 24, writtenBytes: 96, weightBytes: 0 },
  ],
  [
    'slices are read alone',
    `func.func @f(%x: ${whole}) -> ${slice} {
      %0 = tensor.extract_slice %x[4, 0] [2, 3] [1, 1] : ${whole} to ${slice}
      return %0 : ${slice}
    }`,
    { readBytes: 24, writtenBytes: 24, weightBytes: 0 },
  ],
])('the bytes that are moved: %s', (_, text, traffic) => {
  expect(trafficOf(functionOf(text))).toEqual(traffic);
});
