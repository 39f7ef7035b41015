import { describe, expect, it } from 'vitest';
import { tensor } from '../src/index.ts';
import { failure, iota, run } from './run.ts';

/** A function whose body computes `%r`. */
const computing = (parameters: string, result: string, body: string): string => `
  func.func @f(${parameters}) -> ${result} {
    ${body}
    return %r : ${result}
  }`;

it.each<[string, string, unknown[], unknown]>([
  [
    'extract',
    computing(
      '%t: tensor<2x3xf32>, %i: index, %j: index',
      'f32',
      '%r = tensor.extract %t[%i, %j] : tensor<2x3xf32>',
    ),
    [iota(2, 3), 1, 2],
    5,
  ],
  [
    'insert leaves the other elements',
    computing(
      '%t: tensor<3xf32>, %x: f32, %i: index',
      'tensor<3xf32>',
      '%r = tensor.insert %x into %t[%i] : tensor<3xf32>',
    ),
    [iota(3), 9, 1],
    [[3], [0, 9, 2]],
  ],
  [
    'extract_slice with strides',
    computing(
      '%t: tensor<4x5xf32>, %i: index',
      'tensor<2x2xf32>',
      '%r = tensor.extract_slice %t[%i, 0] [2, 2] [2, 3] : tensor<4x5xf32> to tensor<2x2xf32>',
    ),
    [iota(4, 5), 1],
    [
      [2, 2],
      [5, 8, 15, 18],
    ],
  ],
  [
    'extract_slice of lower rank and dynamic size',
    computing(
      '%t: tensor<2x1x3xf32>, %n: index',
      'tensor<?xf32>',
      '%r = tensor.extract_slice %t[1, 0, 1] [1, 1, %n] [1, 1, 1] : tensor<2x1x3xf32> to tensor<?xf32>',
    ),
    [iota(2, 1, 3), 2],
    [[2], [4, 5]],
  ],
  [
    'extract_slice keeps one of two unit dimensions',
    computing(
      '%t: tensor<2x3x4xf32>',
      'tensor<1x4xf32>',
      '%r = tensor.extract_slice %t[1, 2, 0] [1, 1, 4] [1, 1, 1] : tensor<2x3x4xf32> to tensor<1x4xf32>',
    ),
    [iota(2, 3, 4)],
    [
      [1, 4],
      [20, 21, 22, 23],
    ],
  ],
  [
    'insert_slice of lower rank',
    computing(
      '%s: tensor<2xf32>, %t: tensor<3x3xf32>',
      'tensor<3x3xf32>',
      '%r = tensor.insert_slice %s into %t[1, 0] [1, 2] [1, 2] : tensor<2xf32> into tensor<3x3xf32>',
    ),
    [tensor([2], new Float32Array([-1, -2])), iota(3, 3)],
    [
      [3, 3],
      [0, 1, 2, -1, 4, -2, 6, 7, 8],
    ],
  ],
  [
    'pack of tiles that are not full',
    computing(
      '%t: tensor<3x4xf32>, %d: tensor<2x2x2x2xf32>, %p: f32',
      'tensor<2x2x2x2xf32>',
      '%r = tensor.pack %t padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %d : tensor<3x4xf32> -> tensor<2x2x2x2xf32>',
    ),
    [iota(3, 4), iota(2, 2, 2, 2), -1],
    [
      [2, 2, 2, 2],
      [0, 4, 1, 5, 8, -1, 9, -1, 2, 6, 3, 7, 10, -1, 11, -1],
    ],
  ],
  [
    'unpack to a part of the tiles, of a size that is a value',
    computing(
      '%t: tensor<2x?xf32>, %d: tensor<3xf32>, %n: index',
      'tensor<3xf32>',
      '%r = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<2x?xf32> -> tensor<3xf32>',
    ),
    [iota(2, 2), iota(3), 2],
    [[3], [0, 1, 2]],
  ],
  [
    'collapse_shape',
    computing(
      '%t: tensor<2x3x2xf32>',
      'tensor<6x2xf32>',
      '%r = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x2xf32> into tensor<6x2xf32>',
    ),
    [iota(2, 3, 2)],
    [
      [6, 2],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    ],
  ],
  [
    'expand_shape to a dynamic shape',
    computing(
      '%t: tensor<?xf32>, %n: index',
      'tensor<2x?xf32>',
      '%r = tensor.expand_shape %t [[0, 1]] output_shape [2, %n] : tensor<?xf32> into tensor<2x?xf32>',
    ),
    [iota(6), 3],
    [
      [2, 3],
      [0, 1, 2, 3, 4, 5],
    ],
  ],
  [
    'reshape',
    computing(
      '%t: tensor<?x2xf32>, %s: tensor<2xindex>',
      'tensor<?x?xf32>',
      '%r = tensor.reshape %t(%s) : (tensor<?x2xf32>, tensor<2xindex>) -> tensor<?x?xf32>',
    ),
    [iota(3, 2), tensor([2], new Float64Array([1, 6]), { kind: 'index' })],
    [
      [1, 6],
      [0, 1, 2, 3, 4, 5],
    ],
  ],
  [
    'extract_slice of nothing, at the very end',
    computing(
      '%t: tensor<2x3xf32>, %n: index',
      'tensor<?x1xf32>',
      '%r = tensor.extract_slice %t[2, 2] [%n, 1] [1, 1] : tensor<2x3xf32> to tensor<?x1xf32>',
    ),
    [iota(2, 3), 0],
    [[0, 1], []],
  ],
  [
    'extract_slice of nothing, behind the end, as of a thread without work',
    computing(
      '%t: tensor<2x3xf32>, %n: index',
      'tensor<?x1xf32>',
      '%r = tensor.extract_slice %t[5, 2] [%n, 1] [1, 1] : tensor<2x3xf32> to tensor<?x1xf32>',
    ),
    [iota(2, 3), 0],
    [[0, 1], []],
  ],
  [
    'extract of a wide integer',
    computing('%t: tensor<2xi64>, %i: index', 'i64', '%r = tensor.extract %t[%i] : tensor<2xi64>'),
    [tensor([2], new BigInt64Array([5n, 6n])), 1],
    6n,
  ],
  [
    'insert of a wide integer',
    computing(
      '%t: tensor<2xi64>, %i: index, %x: i64',
      'tensor<2xi64>',
      '%r = tensor.insert %x into %t[%i] : tensor<2xi64>',
    ),
    [tensor([2], new BigInt64Array([5n, 6n])), 1, 7n],
    [[2], [5n, 7n]],
  ],
  [
    'generate of what does not depend on its indices',
    computing(
      '%n: index, %x: i64',
      'tensor<?xi64>',
      `%r = tensor.generate %n {
      ^bb0(%i: index):
        tensor.yield %x : i64
      } : tensor<?xi64>`,
    ),
    [2, 9n],
    [[2], [9n, 9n]],
  ],
  [
    'generate of an index itself',
    computing(
      '%n: index',
      'tensor<?x2xindex>',
      `%r = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        tensor.yield %j : index
      } : tensor<?x2xindex>`,
    ),
    [2],
    [
      [2, 2],
      [0, 1, 0, 1],
    ],
  ],
  [
    'dim',
    computing('%t: tensor<?x4xf32>, %i: index', 'index', '%r = tensor.dim %t, %i : tensor<?x4xf32>'),
    [iota(7, 4), 0],
    7,
  ],
  [
    'cast',
    computing('%t: tensor<?xf32>', 'tensor<2xf32>', '%r = tensor.cast %t : tensor<?xf32> to tensor<2xf32>'),
    [iota(2)],
    [[2], [0, 1]],
  ],
  [
    'from_elements',
    computing('%a: i64, %b: i64', 'tensor<2x1xi64>', '%r = tensor.from_elements %a, %b : tensor<2x1xi64>'),
    [3n, 4n],
    [
      [2, 1],
      [3n, 4n],
    ],
  ],
  [
    'splat',
    computing('%a: f32, %n: index', 'tensor<?xf32>', '%r = tensor.splat %a[%n] : tensor<?xf32>'),
    [3, 2],
    [[2], [3, 3]],
  ],
  [
    'generate',
    computing(
      '%n: index',
      'tensor<?x3xindex>',
      `%r = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        %0 = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
        tensor.yield %0 : index
      } : tensor<?x3xindex>`,
    ),
    [2],
    [
      [2, 3],
      [0, 1, 2, 10, 11, 12],
    ],
  ],
  [
    'pad',
    computing(
      '%t: tensor<1x2xf32>, %x: f32, %n: index',
      'tensor<2x?xf32>',
      `%r = tensor.pad %t low[1, %n] high[0, 1] {
      ^bb0(%i: index, %j: index):
        tensor.yield %x : f32
      } : tensor<1x2xf32> to tensor<2x?xf32>`,
    ),
    [tensor([1, 2], new Float32Array([1, 2])), 7, 2],
    [
      [2, 5],
      [7, 7, 7, 7, 7, 7, 7, 1, 2, 7],
    ],
  ],
  [
    'concat',
    computing(
      '%a: tensor<2x1xf32>, %b: tensor<2x2xf32>',
      'tensor<2x3xf32>',
      '%r = tensor.concat dim(1) %a, %b : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>',
    ),
    [iota(2, 1), iota(2, 2)],
    [
      [2, 3],
      [0, 0, 1, 1, 2, 3],
    ],
  ],
])('%s', (_, text, values, expected) => {
  expect(run(text, values as never)).toEqual([expected]);
});

it('what nobody has written is NaN, or a conspicuous integer', () => {
  expect(run(computing('', 'tensor<2xf32>', '%r = tensor.empty() : tensor<2xf32>'))).toEqual([
    [[2], [NaN, NaN]],
  ]);
  expect(run(computing('', 'tensor<1xi32>', '%r = tensor.empty() : tensor<1xi32>'))).toEqual([
    [[1], [0xdeadbeef | 0]],
  ]);
});

it('a tensor that was inserted into still has its own elements', () => {
  const text = `func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.cast %t : tensor<4xf32> to tensor<4xf32>
    %a = tensor.insert %x into %t[%c0] : tensor<4xf32>
    %sq = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    %b = tensor.insert %x into %a[%c1] : tensor<4xf32>
    return %e, %b, %sq : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>
  }`;
  expect(run(text, [iota(4), 9])).toEqual([
    [[4], [0, 1, 2, 3]],
    [[4], [9, 9, 2, 3]],
    [
      [2, 2],
      [9, 1, 2, 3],
    ],
  ]);
});

describe('out of bounds', () => {
  it.each<[string, string, unknown[], string]>([
    [
      'extract',
      computing(
        '%t: tensor<2x3xf32>, %i: index, %j: index',
        'f32',
        '%r = tensor.extract %t[%i, %j] : tensor<2x3xf32>',
      ),
      [iota(2, 3), 1, 3],
      "'tensor.extract' accesses [1, 3], which is out of bounds of the shape 2x3",
    ],
    [
      'extract below zero',
      computing('%t: tensor<2xf32>, %i: index', 'f32', '%r = tensor.extract %t[%i] : tensor<2xf32>'),
      [iota(2), -1],
      "'tensor.extract' accesses [-1], which is out of bounds of the shape 2",
    ],
    [
      'insert',
      computing(
        '%t: tensor<3xf32>, %x: f32, %i: index',
        'tensor<3xf32>',
        '%r = tensor.insert %x into %t[%i] : tensor<3xf32>',
      ),
      [iota(3), 9, 3],
      "'tensor.insert' accesses [3], which is out of bounds of the shape 3",
    ],
    [
      'the end of a slice',
      computing(
        '%t: tensor<4x5xf32>, %i: index',
        'tensor<2x3xf32>',
        '%r = tensor.extract_slice %t[%i, 0] [2, 3] [2, 2] : tensor<4x5xf32> to tensor<2x3xf32>',
      ),
      [iota(4, 5), 2],
      "'tensor.extract_slice' slices [4, 4], which is out of bounds of the shape 4x5",
    ],
    [
      'the start of a slice',
      computing(
        '%s: tensor<2xf32>, %t: tensor<4xf32>, %i: index',
        'tensor<4xf32>',
        '%r = tensor.insert_slice %s into %t[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>',
      ),
      [iota(2), iota(4), -1],
      "'tensor.insert_slice' slices [-1], which is out of bounds of the shape 4",
    ],
    [
      'dim',
      computing('%t: tensor<?x4xf32>, %i: index', 'index', '%r = tensor.dim %t, %i : tensor<?x4xf32>'),
      [iota(7, 4), 2],
      "'tensor.dim' asks for dimension [2], which is out of bounds of the shape 7x4",
    ],
  ])('%s', (_, text, values, message) => {
    expect(failure(text, values as never)).toMatchObject({
      code: 'interpreter/out-of-bounds',
      message,
      location: { file: 'test.mlir', line: 3 },
    });
  });
});

it('a shape that contradicts its type is an error', () => {
  const text = computing(
    '%t: tensor<?xf32>',
    'tensor<2xf32>',
    '%r = tensor.cast %t : tensor<?xf32> to tensor<2xf32>',
  );
  expect(failure(text, [iota(3)])).toMatchObject({
    code: 'interpreter/shape-mismatch',
    message: "'tensor.cast' has a value of 3 for tensor<2xf32>",
  });
});

it.each([
  [
    'into tiles of another size',
    '%r = tensor.pack %t inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<4xf32> -> tensor<2x?xf32>',
    3,
    "'tensor.pack' tiles 4 by [3] to 2x2",
  ],
  [
    'without a padding',
    '%r = tensor.pack %s inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<?xf32> -> tensor<2x?xf32>',
    2,
    "'tensor.pack' has tiles that are not full and no padding",
  ],
])('packing %s is an error', (_, line, tile, message) => {
  const text = computing(
    '%t: tensor<4xf32>, %s: tensor<?xf32>, %d: tensor<2x?xf32>, %n: index',
    'tensor<2x?xf32>',
    line,
  );
  expect(failure(text, [iota(4), iota(3), iota(2, 2), tile])).toMatchObject({
    code: 'interpreter/shape-mismatch',
    message,
  });
});
