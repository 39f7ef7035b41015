/** The vector dialect, compared with scalar loops. */
import { describe, expect, it } from 'vitest';
import { memref, tensor } from '../src/index.ts';
import { failure, iota, run } from './run.ts';

/** A function of a 4x8 matrix, a vector of its columns, and scalars; its body computes `%r`. */
const computing = (result: string, body: string): string => `
  func.func @f(%m: vector<4x8xf32>, %v: vector<8xf32>, %i: index, %x: f32) -> ${result} {
    ${body}
    return %r : ${result}
  }`;
const values = [iota(4, 8), tensor([8], Float32Array.of(1, -2, 3, -4, 5, -6, 7, -8)), 2, 0.5] as const;
const matrix = (row: number, column: number): number => 8 * row + column;
const vector = (i: number): number => (i + 1) * (i % 2 === 0 ? 1 : -1);

const table = (...sizes: readonly number[]) => ({
  of: (element: (...index: readonly number[]) => number): unknown => {
    const indices = sizes.reduce<readonly (readonly number[])[]>(
      (all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
      [[]],
    );
    return [[...sizes], indices.map((index) => element(...index))];
  },
});
const sum = (count: number, term: (i: number) => number): number =>
  Array.from({ length: count }, (_, i) => term(i)).reduce((a, b) => a + b, 0);

const maps = (lhs: string, rhs: string, out: string): string =>
  `indexing_maps = [affine_map<(i, j, k) -> (${lhs})>, affine_map<(i, j, k) -> (${rhs})>, affine_map<(i, j, k) -> (${out})>]`;

describe('arrangements', () => {
  it.each<[string, string, unknown]>([
    [
      'vector<4x8xf32>',
      '%r = vector.broadcast %v : vector<8xf32> to vector<4x8xf32>',
      table(4, 8).of((_, j) => vector(j)),
    ],
    ['vector<2x2xf32>', '%r = vector.broadcast %x : f32 to vector<2x2xf32>', table(2, 2).of(() => 0.5)],
    ['vector<3xf32>', '%r = vector.splat %x : vector<3xf32>', table(3).of(() => 0.5)],
    [
      'vector<8x4xf32>',
      '%r = vector.transpose %m, [1, 0] : vector<4x8xf32> to vector<8x4xf32>',
      table(8, 4).of((i, j) => matrix(j, i)),
    ],
    [
      'vector<2x16xf32>',
      '%r = vector.shape_cast %m : vector<4x8xf32> to vector<2x16xf32>',
      table(2, 16).of((i, j) => 16 * i + j),
    ],
    [
      'vector<3xf32>',
      '%r = vector.shuffle %v, %v [0, 9, 3] : vector<8xf32>, vector<8xf32>',
      [[3], [1, -2, -4]],
    ],
    [
      'vector<2x3xf32>',
      '%r = vector.extract_strided_slice %m {offsets = [1, 4], sizes = [2, 3], strides = [1, 1]} : vector<4x8xf32> to vector<2x3xf32>',
      table(2, 3).of((i, j) => matrix(i + 1, j + 4)),
    ],
    [
      'vector<4x8xf32>',
      '%r = vector.insert_strided_slice %v, %m {offsets = [2, 0], strides = [1]} : vector<8xf32> into vector<4x8xf32>',
      table(4, 8).of((i, j) => (i === 2 ? vector(j) : matrix(i, j))),
    ],
    [
      'vector<16xf32>',
      '%r = vector.interleave %v, %v : vector<8xf32> -> vector<16xf32>',
      table(16).of((i) => vector(Math.floor(i / 2))),
    ],
    [
      'vector<4xf32>',
      '%a, %r = vector.deinterleave %v : vector<8xf32> -> vector<4xf32>',
      table(4).of((i) => vector(2 * i + 1)),
    ],
    [
      'vector<8xf32>',
      '%r = vector.flat_transpose %v {rows = 2 : i32, columns = 4 : i32} : vector<8xf32> -> vector<8xf32>',
      table(8).of((i) => vector(2 * (i % 4) + Math.floor(i / 4))),
    ],
    ['vector<2xf32>', '%r = vector.from_elements %x, %x : vector<2xf32>', table(2).of(() => 0.5)],
    [
      'vector<8xf32>',
      '%r = vector.extract %m[%i] : vector<8xf32> from vector<4x8xf32>',
      table(8).of((j) => matrix(2, j)),
    ],
    ['f32', '%r = vector.extract %m[1, %i] : f32 from vector<4x8xf32>', 10],
    ['f32', '%r = vector.extractelement %v[%i : index] : vector<8xf32>', 3],
    [
      'vector<8xf32>',
      '%r = vector.insertelement %x, %v[%i : index] : vector<8xf32>',
      table(8).of((i) => (i === 2 ? 0.5 : vector(i))),
    ],
    [
      'vector<4x8xf32>',
      '%r = vector.insert %v, %m [%i] : vector<8xf32> into vector<4x8xf32>',
      table(4, 8).of((i, j) => (i === 2 ? vector(j) : matrix(i, j))),
    ],
    ['vector<3xindex>', '%r = vector.step : vector<3xindex>', [[3], [0, 1, 2]]],
    ['index', '%r = vector.vscale', 1],
    [
      'vector<2x3xi1>',
      '%r = vector.create_mask %i, %i : vector<2x3xi1>',
      [
        [2, 3],
        [1, 1, 0, 1, 1, 0],
      ],
    ],
    [
      'vector<2x2xi1>',
      '%r = vector.constant_mask [1, 2] : vector<2x2xi1>',
      [
        [2, 2],
        [1, 1, 0, 0],
      ],
    ],
    [
      'vector<8xi32>',
      '%r = vector.bitcast %v : vector<8xf32> to vector<8xi32>',
      [[8], [...new Int32Array(Float32Array.of(1, -2, 3, -4, 5, -6, 7, -8).buffer)]],
    ],
  ])('%s %s', (type, body, expected) => {
    expect(run(computing(type, body), values)).toEqual([expected]);
  });
});

describe('parts of scalable vectors', () => {
  const moved = (from: number, to: number): string => `
    func.func @f(%v: vector<[8]xf32>) -> vector<[8]xf32> {
      %s = vector.scalable.extract %v[${from}] : vector<2xf32> from vector<[8]xf32>
      %r = vector.scalable.insert %s, %v[${to}] : vector<2xf32> into vector<[8]xf32>
      return %r : vector<[8]xf32>
    }`;

  it('are read and replaced', () => {
    expect(run(moved(6, 2), [values[1]])).toEqual([
      table(8).of((i) => vector(i === 2 || i === 3 ? i + 4 : i)),
    ]);
  });

  it.each([
    ['from behind the end', 8, 0],
    ['from below', -2, 0],
    ['to behind the end', 0, 8],
  ])('are not moved %s', (_, from, to) => {
    expect(failure(moved(from, to), [values[1]]).code).toBe('interpreter/out-of-bounds');
  });
});

describe('sums', () => {
  it.each<[string, string, unknown]>([
    ['f32', '%r = vector.reduction <add>, %v : vector<8xf32> into f32', -4],
    ['f32', '%r = vector.reduction <maximumf>, %v, %x : vector<8xf32> into f32', 7],
    [
      'vector<8xf32>',
      '%r = vector.multi_reduction <add>, %m, %v [0] : vector<4x8xf32> to vector<8xf32>',
      table(8).of((j) => vector(j) + sum(4, (i) => matrix(i, j))),
    ],
    ['f32', '%r = vector.multi_reduction <minnumf>, %m, %x [0, 1] : vector<4x8xf32> to f32', 0],
    [
      'vector<8x8xf32>',
      '%r = vector.outerproduct %v, %v : vector<8xf32>, vector<8xf32>',
      table(8, 8).of((i, j) => vector(i) * vector(j)),
    ],
    [
      'vector<8xf32>',
      '%r = vector.outerproduct %v, %x, %v {kind = #vector.kind<maximumf>} : vector<8xf32>, f32',
      table(8).of((i) => Math.max(vector(i), vector(i) / 2)),
    ],
    [
      'vector<8xf32>',
      '%r = vector.fma %v, %v, %v : vector<8xf32>',
      table(8).of((i) => vector(i) ** 2 + vector(i)),
    ],
    [
      'vector<4x4xf32>',
      `%z = arith.constant dense<1.0> : vector<4x4xf32>
       %r = vector.contract {${maps('i, k', 'j, k', 'i, j')}, iterator_types = ["parallel", "parallel", "reduction"]} %m, %m, %z : vector<4x8xf32>, vector<4x8xf32> into vector<4x4xf32>`,
      table(4, 4).of((i, j) => 1 + sum(8, (k) => matrix(i, k) * matrix(j, k))),
    ],
    [
      'f32',
      `%r = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %v, %v, %x : vector<8xf32>, vector<8xf32> into f32`,
      0.5 + sum(8, (k) => vector(k) ** 2),
    ],
    [
      'vector<4xf32>',
      `%r = vector.matrix_multiply %v, %v {lhs_rows = 2 : i32, lhs_columns = 4 : i32, rhs_columns = 2 : i32} : (vector<8xf32>, vector<8xf32>) -> vector<4xf32>`,
      table(4).of((at) => sum(4, (k) => vector(2 * k + (at % 2)) * vector(4 * Math.floor(at / 2) + k))),
    ],
    [
      'vector<4x8xf32>',
      '%r, %e = vector.scan <add>, %m, %v {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>',
      table(4, 8).of((i, j) => sum(i + 1, (row) => matrix(row, j))),
    ],
    [
      'vector<4x8xf32>',
      '%r, %e = vector.scan <add>, %m, %v {inclusive = false, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>',
      table(4, 8).of((i, j) => vector(j) + sum(i, (row) => matrix(row, j))),
    ],
    [
      'f32',
      `%k = vector.create_mask %i : vector<8xi1>
       %r = vector.mask %k { vector.reduction <add>, %v, %x : vector<8xf32> into f32 } : vector<8xi1> -> f32`,
      -0.5,
    ],
    [
      'vector<8xf32>',
      '%c = arith.constant dense<2.0> : vector<8xf32>\n%r = arith.mulf %v, %c : vector<8xf32>',
      table(8).of((i) => 2 * vector(i)),
    ],
  ])('%s %s', (type, body, expected) => {
    expect(run(computing(type, body), values)).toEqual([expected]);
  });

  it('factors of few bits are as wide as what they are added to', () => {
    const text = `func.func @f(%a: vector<2xi8>, %s: i64) -> i64 {
      %r = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %a, %a, %s : vector<2xi8>, vector<2xi8> into i64
      return %r : i64
    }`;
    expect(run(text, [tensor([2], Int8Array.of(-100, 100)), 1n])).toEqual([20001n]);
  });
});

describe('memory', () => {
  /** A function of a 3x4 tensor with elements 0, 1, …. */
  const reading = (result: string, body: string): string => `
    func.func @f(%t: tensor<3x4xf32>, %i: index, %x: f32, %v: vector<4xf32>) -> ${result} {
      %c0 = arith.constant 0 : index
      %m = bufferization.to_memref %t : memref<3x4xf32>
      %k = arith.constant dense<[true, false, true, false]> : vector<4xi1>
      %at = arith.constant dense<[1, 0, 2, 3]> : vector<4xindex>
      ${body}
      return %r : ${result}
    }`;
  const given = [iota(3, 4), 2, 0.5, tensor([4], Float32Array.of(10, 20, 30, 40))] as const;

  it.each<[string, string, unknown]>([
    [
      'vector<2x4xf32>',
      '%r = vector.transfer_read %t[%i, %c0], %x {in_bounds = [false, true]} : tensor<3x4xf32>, vector<2x4xf32>',
      [
        [2, 4],
        [8, 9, 10, 11, 0.5, 0.5, 0.5, 0.5],
      ],
    ],
    [
      'vector<4x2xf32>',
      '%r = vector.transfer_read %m[%c0, %i], %x {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<3x4xf32>, vector<4x2xf32>',
      [
        [4, 2],
        [2, 2, 6, 6, 10, 10, 0.5, 0.5],
      ],
    ],
    [
      'vector<4xf32>',
      '%r = vector.transfer_read %t[%i, %c0], %x, %k {in_bounds = [true]} : tensor<3x4xf32>, vector<4xf32>',
      [[4], [8, 0.5, 10, 0.5]],
    ],
    [
      'tensor<3x4xf32>',
      '%r = vector.transfer_write %v, %t[%c0, %i] : vector<4xf32>, tensor<3x4xf32>',
      table(3, 4).of((i, j) => (i === 0 && j >= 2 ? 10 * (j - 1) : 4 * i + j)),
    ],
    [
      'tensor<3x4xf32>',
      '%r = vector.transfer_write %v, %t[%c0, %i], %k {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xf32>, tensor<3x4xf32>',
      [
        [3, 4],
        [0, 1, 10, 3, 4, 5, 6, 7, 8, 9, 30, 11],
      ],
    ],
    ['vector<4xf32>', '%r = vector.load %m[%i, %c0] : memref<3x4xf32>, vector<4xf32>', [[4], [8, 9, 10, 11]]],
    [
      'vector<4xf32>',
      '%r = vector.maskedload %m[%i, %c0], %k, %v : memref<3x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>',
      [[4], [8, 20, 10, 40]],
    ],
    [
      'vector<4xf32>',
      '%r = vector.gather %m[%i, %c0] [%at], %k, %v : memref<3x4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>',
      [[4], [9, 20, 10, 40]],
    ],
    [
      'vector<4xf32>',
      // Past the end of the row, the next one.
      '%r = vector.gather %m[%c0, %i] [%at], %k, %v : memref<3x4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>',
      [[4], [3, 20, 4, 40]],
    ],
    [
      'vector<4xf32>',
      '%r = vector.expandload %m[%i, %c0], %k, %v : memref<3x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>',
      [[4], [8, 20, 9, 40]],
    ],
    [
      'vector<4xf32>',
      '%r = vector.mask %k, %v { vector.transfer_read %m[%i, %c0], %x {in_bounds = [true]} : memref<3x4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>',
      [[4], [8, 20, 10, 40]],
    ],
    [
      'vector<4xf32>',
      // The mask of the gather counts, too.
      '%two = vector.constant_mask [2] : vector<4xi1>\n%r = vector.mask %two { vector.gather %m[%i, %c0] [%at], %k, %v : memref<3x4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> } : vector<4xi1> -> vector<4xf32>',
      [[4], [9, 20, 30, 40]],
    ],
  ])('%s %s', (type, body, expected) => {
    expect(run(reading(type, body), given)).toEqual([expected]);
  });

  it('vector.load of wide integers', () => {
    const text = `func.func @f(%m: memref<4xi64>, %i: index) -> vector<2xi64> {
      %r = vector.load %m[%i] : memref<4xi64>, vector<2xi64>
      return %r : vector<2xi64>
    }`;
    const wide = memref([4], new BigInt64Array([1n, 2n, -3n, 2n ** 60n]));
    expect(run(text, [wide, 2])).toEqual([[[2], [-3n, 2n ** 60n]]]);
  });

  it.each<[string, readonly number[]]>([
    ['vector.store %v, %m[%i, %c0] : memref<3x4xf32>, vector<4xf32>', [10, 20, 30, 40]],
    [
      'vector.maskedstore %m[%i, %c0], %k, %v : memref<3x4xf32>, vector<4xi1>, vector<4xf32>',
      [10, 9, 30, 11],
    ],
    [
      'vector.scatter %m[%i, %c0] [%at], %k, %v : memref<3x4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>',
      [8, 10, 30, 11],
    ],
    [
      'vector.compressstore %m[%i, %c0], %k, %v : memref<3x4xf32>, vector<4xi1>, vector<4xf32>',
      [10, 30, 10, 11],
    ],
    [
      'vector.mask %k { vector.transfer_write %v, %m[%i, %c0] {in_bounds = [true]} : vector<4xf32>, memref<3x4xf32> } : vector<4xi1>',
      [10, 9, 30, 11],
    ],
    [
      '%two = vector.constant_mask [2] : vector<4xi1>\nvector.mask %two { vector.scatter %m[%i, %c0] [%at], %k, %v : memref<3x4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> } : vector<4xi1>',
      [8, 10, 10, 11],
    ],
  ])('%s', (body, row) => {
    const text = reading(
      'vector<4xf32>',
      `${body}\nvector.print %v : vector<4xf32>\n%r = vector.load %m[%i, %c0] : memref<3x4xf32>, vector<4xf32>`,
    );
    expect(run(text, given)).toEqual([[[4], [...row]]]);
  });

  it.each([
    '%r = vector.load %m[%i, %i] : memref<3x4xf32>, vector<4xf32>',
    '%r = vector.transfer_read %t[%i, %i], %x {in_bounds = [true]} : tensor<3x4xf32>, vector<4xf32>',
    '%r = vector.gather %m[%i, %i] [%at], %k, %v : memref<3x4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>',
    // Two elements from the last one of the first row, as the loads and stores that they may become.
    '%j = arith.constant 3 : index %r = vector.expandload %m[%c0, %j], %k, %v : memref<3x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>',
    '%j = arith.constant 3 : index vector.compressstore %m[%c0, %j], %k, %v : memref<3x4xf32>, vector<4xi1>, vector<4xf32> %r = arith.addf %v, %v : vector<4xf32>',
  ])('%s is out of bounds', (body) => {
    expect(failure(reading('vector<4xf32>', body), given).code).toBe('interpreter/out-of-bounds');
  });
});

it('what cannot be done is refused', () => {
  const refused = (body: string) => failure(computing('vector<8xf32>', body), values).code;
  expect(
    refused(
      '%r = vector.bitcast %v : vector<8xf32> to vector<8xf32>\n%q = vector.bitcast %m : vector<4x8xf32> to vector<4x16xf16>',
    ),
  ).toBe('interpreter/unsupported-type');
  expect(
    refused(`%k = vector.create_mask %i : vector<8xi1>
      %r = vector.mask %k { arith.addf %v, %v : vector<8xf32> } : vector<8xi1> -> vector<8xf32>`),
  ).toBe('interpreter/unsupported-op');
  expect(
    failure(
      computing(
        'f32',
        `%c0 = arith.constant 0 : index
         %k = vector.create_mask %c0 : vector<8xi1>
         %r = vector.mask %k { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32`,
      ),
      values,
    ).code,
  ).toBe('interpreter/invalid-ir');
});
