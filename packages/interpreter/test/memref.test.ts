import { describe, expect, it } from 'vitest';
import { memref } from '../src/index.ts';
import { failure, run } from './run.ts';

const iota = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => i);

it('stores through a view are seen by the views of the same memory', () => {
  const data = iota(12);
  const text = `func.func @f(%m: memref<3x4xf32>, %x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.subview %m[1, 0] [2, 2] [1, 2] : memref<3x4xf32> to memref<2x2xf32, strided<[4, 2], offset: 4>>
    %w = memref.subview %v[1, 0] [1, 2] [1, 1] : memref<2x2xf32, strided<[4, 2], offset: 4>> to memref<2xf32, strided<[2], offset: 8>>
    memref.store %x, %w[%c1] : memref<2xf32, strided<[2], offset: 8>>
    %0 = memref.load %v[%c1, %c1] : memref<2x2xf32, strided<[4, 2], offset: 4>>
    return %0 : f32
  }`;
  expect(run(text, [memref([3, 4], data), 99])).toEqual([99]);
  expect([...data]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 99, 11]);
});

it.each<[string, string, unknown]>([
  [
    'subview with dynamic offsets',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<2x3xf32, strided<[6, 1], offset: ?>> {
      %0 = memref.subview %m[%i, 2] [2, 3] [1, 1] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1], offset: ?>>
      return %0 : memref<2x3xf32, strided<[6, 1], offset: ?>>
    }`,
    { sizes: [2, 3], offset: 8, strides: [6, 1] },
  ],
  [
    'collapse_shape of a dimension of one element, whose stride means nothing',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<4xf32, strided<[6], offset: ?>> {
      %0 = memref.subview %m[0, %i] [4, 1] [1, 1] : memref<4x6xf32> to memref<4x1xf32, strided<[6, 1], offset: ?>>
      %1 = memref.collapse_shape %0 [[0, 1]] : memref<4x1xf32, strided<[6, 1], offset: ?>> into memref<4xf32, strided<[6], offset: ?>>
      return %1 : memref<4xf32, strided<[6], offset: ?>>
    }`,
    { sizes: [4], offset: 1, strides: [6] },
  ],
  [
    'collapse_shape of such a dimension behind others',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<2x3xf32, strided<[12, 2], offset: ?>> {
      %0 = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 2, 3, 2] : memref<4x6xf32> into memref<2x2x3x2xf32>
      %1 = memref.subview %0[0, %i, 0, %i] [2, 1, 3, 1] [1, 1, 1, 1] : memref<2x2x3x2xf32> to memref<2x1x3x1xf32, strided<[12, 6, 2, 1], offset: ?>>
      %2 = memref.collapse_shape %1 [[0, 1], [2, 3]] : memref<2x1x3x1xf32, strided<[12, 6, 2, 1], offset: ?>> into memref<2x3xf32, strided<[12, 2], offset: ?>>
      return %2 : memref<2x3xf32, strided<[12, 2], offset: ?>>
    }`,
    { sizes: [2, 3], offset: 7, strides: [12, 2] },
  ],
  [
    'a cast of the stride of a dimension of one element',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<1x6xf32, strided<[99, 1], offset: ?>> {
      %0 = memref.subview %m[%i, 0] [1, 6] [1, 1] : memref<4x6xf32> to memref<1x6xf32, strided<[6, 1], offset: ?>>
      %1 = memref.cast %0 : memref<1x6xf32, strided<[6, 1], offset: ?>> to memref<1x6xf32, strided<[?, 1], offset: ?>>
      %2 = memref.cast %1 : memref<1x6xf32, strided<[?, 1], offset: ?>> to memref<1x6xf32, strided<[99, 1], offset: ?>>
      return %2 : memref<1x6xf32, strided<[99, 1], offset: ?>>
    }`,
    { sizes: [1, 6], offset: 6, strides: [6, 1] },
  ],
  [
    'collapse_shape',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<24xf32> {
      %0 = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32> into memref<24xf32>
      return %0 : memref<24xf32>
    }`,
    { sizes: [24], offset: 0, strides: [1] },
  ],
  [
    'expand_shape',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<4x2x3xf32> {
      %0 = memref.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 3] : memref<4x6xf32> into memref<4x2x3xf32>
      return %0 : memref<4x2x3xf32>
    }`,
    { sizes: [4, 2, 3], offset: 0, strides: [6, 3, 1] },
  ],
  [
    'reinterpret_cast',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<2x3xf32, strided<[1, 2], offset: ?>> {
      %0 = memref.reinterpret_cast %m to offset: [%i], sizes: [2, 3], strides: [1, 2] : memref<4x6xf32> to memref<2x3xf32, strided<[1, 2], offset: ?>>
      return %0 : memref<2x3xf32, strided<[1, 2], offset: ?>>
    }`,
    { sizes: [2, 3], offset: 1, strides: [1, 2] },
  ],
  [
    'reshape',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<?x12x1xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %twelve = arith.constant 12 : i32
      %s = memref.alloc() : memref<3xi32>
      memref.store %two, %s[%c0] : memref<3xi32>
      memref.store %twelve, %s[%c1] : memref<3xi32>
      memref.store %one, %s[%c2] : memref<3xi32>
      %0 = memref.reshape %m(%s) : (memref<4x6xf32>, memref<3xi32>) -> memref<?x12x1xf32>
      return %0 : memref<?x12x1xf32>
    }`,
    { sizes: [2, 12, 1], offset: 0, strides: [12, 1, 1] },
  ],
  [
    'transpose',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<6x4xf32, strided<[1, 6]>> {
      %0 = memref.transpose %m (a, b) -> (b, a) : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>>
      return %0 : memref<6x4xf32, strided<[1, 6]>>
    }`,
    { sizes: [6, 4], offset: 0, strides: [1, 6] },
  ],
  [
    'cast',
    `func.func @f(%m: memref<4x6xf32>, %i: index) -> memref<?x6xf32, strided<[?, 1], offset: ?>> {
      %0 = memref.cast %m : memref<4x6xf32> to memref<?x6xf32, strided<[?, 1], offset: ?>>
      return %0 : memref<?x6xf32, strided<[?, 1], offset: ?>>
    }`,
    { sizes: [4, 6], offset: 0, strides: [6, 1] },
  ],
])('%s', (_, text, expected) => {
  expect(run(text, [memref([4, 6], iota(24)), 1])).toEqual([expected]);
});

it.each<[string, string]>([
  ['memory_space_cast', '%v = memref.memory_space_cast %m : memref<2x3xi64> to memref<2x3xi64, 1>'],
  ['expand_shape', '%v = memref.expand_shape %m [[0], [1, 2]] output_shape [2, 1, 3] : memref<2x3xi64> into memref<2x1x3xi64>'],
  ['a scope', `%v = memref.alloca_scope -> (memref<2x3xi64>) {
      memref.alloca_scope.return %m : memref<2x3xi64>
    }`],
])('%s gives a view of the same memory', (_, text) => {
  const type = text.includes('2x1x3') ? 'memref<2x1x3xi64>' : text.includes('space') ? 'memref<2x3xi64, 1>' : 'memref<2x3xi64>';
  const at = type.includes('2x1x3') ? '%c1, %c0, %c1' : '%c1, %c1';
  const data = new BigInt64Array(6);
  run(
    `func.func @f(%m: memref<2x3xi64>, %x: i64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      memref.assume_alignment %m, 16 : memref<2x3xi64>
      ${text}
      memref.store %x, %v[${at}] : ${type}
      return
    }`,
    [memref([2, 3], data), 7n],
  );
  expect([...data]).toEqual([0n, 0n, 0n, 0n, 7n, 0n]);
}); // prettier-ignore

it('wide integers are loaded and stored', () => {
  const text = `func.func @f(%m: memref<2x2xi64>, %i: index, %j: index) -> i64 {
    %0 = memref.load %m[%i, %j] : memref<2x2xi64>
    memref.store %0, %m[%j, %i] : memref<2x2xi64>
    %1 = affine.load %m[%j, %i] : memref<2x2xi64>
    return %1 : i64
  }`;
  const data = BigInt64Array.of(1n, 2n, 3n, 4n);
  expect(run(text, [memref([2, 2], data), 1, 0])).toEqual([3n]);
  expect([...data]).toEqual([1n, 3n, 3n, 4n]);
  expect(failure(text, [memref([2, 2], data), 2, 0]).code).toBe('interpreter/out-of-bounds');
});

it('a clone has memory of its own', () => {
  const text = `func.func @f(%m: memref<2x2xf32>, %x: f32) -> (f32, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = bufferization.clone %m : memref<2x2xf32> to memref<2x2xf32>
    memref.store %x, %n[%c1, %c1] : memref<2x2xf32>
    %0 = memref.load %n[%c0, %c1] : memref<2x2xf32>
    %1 = memref.load %n[%c1, %c1] : memref<2x2xf32>
    return %0, %1 : f32, f32
  }`;
  const data = iota(4);
  expect(run(text, [memref([2, 2], data), 9])).toEqual([1, 9]);
  expect([...data]).toEqual([0, 1, 2, 3]);
});

it.each([
  ['memref<2x3xf32>', { sizes: [2, 3], offset: 0, strides: [3, 1] }],
  ['memref<2x3xf32, affine_map<(d0, d1) -> (d0, d1)>>', { sizes: [2, 3], offset: 0, strides: [3, 1] }],
  ['memref<2x3xf32, strided<[8, 2], offset: 3>>', { sizes: [2, 3], offset: 3, strides: [8, 2] }],
  ['memref<3x0xf32, strided<[-8, 2]>>', { sizes: [3, 0], offset: 0, strides: [-8, 2] }],
  ['memref<f32>', { sizes: [], offset: 0, strides: [] }],
])('an allocation of %s has its layout', (type, layout) => {
  const text = `func.func @f() -> ${type} {
    %0 = memref.alloc() : ${type}
    return %0 : ${type}
  }`;
  expect(run(text)).toEqual([layout]);
});

it('extract_strided_metadata gives what reinterpret_cast takes', () => {
  const text = `func.func @f(%m: memref<4x6xf32>) -> (index, index, index, index, index, f32) {
    %c1 = arith.constant 1 : index
    %v = memref.subview %m[1, 2] [2, 3] [2, 1] : memref<4x6xf32> to memref<2x3xf32, strided<[12, 1], offset: 8>>
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : memref<2x3xf32, strided<[12, 1], offset: 8>> -> memref<f32>, index, index, index, index, index
    %w = memref.reinterpret_cast %base to offset: [%offset], sizes: [2, 3], strides: [%strides#0, %strides#1] : memref<f32> to memref<2x3xf32, strided<[?, ?], offset: ?>>
    %0 = memref.load %w[%c1, %c1] : memref<2x3xf32, strided<[?, ?], offset: ?>>
    return %offset, %sizes#0, %sizes#1, %strides#0, %strides#1, %0 : index, index, index, index, index, f32
  }`;
  expect(run(text, [memref([4, 6], iota(24))])).toEqual([8, 2, 3, 12, 1, 21]);
});

it.each([
  ['[24, 2], offset: 8', 24, 2],
  ['[24, 3], offset: 8', 24, 3],
])('a view keeps that dimension of size 1 of which strided<%s> has the stride', (layout, rows, columns) => {
  const view = `memref<3x1xf32, strided<${layout}>>`;
  const text = `func.func @f(%m: memref<5x4x3xf32>) -> (index, index) {
    %v = memref.subview %m[0, 2, 2] [3, 1, 1] [2, 1, 2] : memref<5x4x3xf32> to ${view}
    %b, %o, %n:2, %s:2 = memref.extract_strided_metadata %v : ${view} -> memref<f32>, index, index, index, index, index
    return %s#0, %s#1 : index, index
  }`;
  expect(run(text, [memref([5, 4, 3], iota(60))])).toEqual([rows, columns]);
});

it('copy takes its source before it writes, also within one allocation', () => {
  const data = iota(5);
  const text = `func.func @f(%m: memref<5xf32>) {
    %a = memref.subview %m[0] [4] [1] : memref<5xf32> to memref<4xf32, strided<[1]>>
    %b = memref.subview %m[1] [4] [1] : memref<5xf32> to memref<4xf32, strided<[1], offset: 1>>
    memref.copy %a, %b : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: 1>>
    return
  }`;
  run(text, [memref([5], data)]);
  expect([...data]).toEqual([0, 0, 1, 2, 3]);
});

it('bytes may be seen as booleans', () => {
  const text = `func.func @f(%m: memref<4xi8>, %i: index) -> (i1, i1) {
    %c2 = arith.constant 2 : index
    %v = memref.view %m[%c2][] : memref<4xi8> to memref<2xi1>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.load %v[%c0] : memref<2xi1>
    %1 = memref.load %v[%c1] : memref<2xi1>
    return %0, %1 : i1, i1
  }`;
  expect(run(text, [memref([4], Int8Array.of(0, 0, 1, 0)), 0])).toEqual([1, 0]);
});

it('new memory is NaN until it is written', () => {
  const text = `func.func @f(%n: index, %x: f32) -> (f32, f32, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc(%n) : memref<?x2xf32>
    memref.store %x, %m[%c0, %c1] : memref<?x2xf32>
    %0 = memref.load %m[%c0, %c1] : memref<?x2xf32>
    %1 = memref.load %m[%c0, %c0] : memref<?x2xf32>
    %2 = memref.dim %m, %c0 : memref<?x2xf32>
    memref.dealloc %m : memref<?x2xf32>
    return %0, %1, %2 : f32, f32, index
  }`;
  expect(run(text, [3, 7])).toEqual([7, NaN, 3]);
});

it('globals are one memory in an execution', () => {
  const text = `
    memref.global "private" @g : memref<2xf32>
    memref.global "private" @h : memref<2xf32> = dense<5.0>
    func.func private @set(%i: index, %x: f32) {
      %m = memref.get_global @g : memref<2xf32>
      memref.store %x, %m[%i] : memref<2xf32>
      return
    }
    func.func @f(%i: index, %x: f32) -> (f32, f32) {
      call @set(%i, %x) : (index, f32) -> ()
      call @set(%i, %x) : (index, f32) -> ()
      %m = memref.get_global @g : memref<2xf32>
      %n = memref.get_global @h : memref<2xf32>
      %0 = memref.load %m[%i] : memref<2xf32>
      %1 = memref.load %n[%i] : memref<2xf32>
      return %0, %1 : f32, f32
    }`;
  expect(run(text, [1, 7])).toEqual([7, 5]);
});

it('globals hold their initial value in every execution', () => {
  const text = `
    memref.global "private" @g : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
    func.func @f(%i: index, %x: f32) -> f32 {
      %m = memref.get_global @g : memref<2x2xf32>
      %0 = memref.load %m[%i, %i] : memref<2x2xf32>
      memref.store %x, %m[%i, %i] : memref<2x2xf32>
      return %0 : f32
    }`;
  expect(run(text, [1, 7])).toEqual([4]);
  expect(run(text, [1, 7])).toEqual([4]);
});

it.each<[string, string, number | bigint, number | bigint]>([
  ['assign', 'i32', 5, 5],
  ['addi', 'i32', 5, 15],
  ['maxu', 'i32', -1, -1],
  ['muli', 'i64', 7n, 70n],
  ['minimumf', 'f32', 2.5, 2.5],
])('an atomic update gives the old value: %s of %s', (kind, type, given, after) => {
  const text = `func.func @f(%m: memref<2x${type}>, %i: index, %x: ${type}) -> ${type} {
    %0 = memref.atomic_rmw ${kind} %x, %m[%i] : (${type}, memref<2x${type}>) -> ${type}
    return %0 : ${type}
  }`;
  const data =
    { i32: new Int32Array([3, 10]), i64: new BigInt64Array([3n, 10n]) }[type] ?? new Float32Array([3, 10]);
  const [three, old] = data;
  expect(run(text, [memref([2], data), 1, given])).toEqual([old]);
  expect([...data]).toEqual([three, after]);
});

it.each<[string, Int32Array | BigInt64Array, number | bigint, number | bigint]>([
  ['i32', new Int32Array([3, 10]), 4, 40],
  ['i64', new BigInt64Array([3n, 10n]), 4n, 40n],
])('a body makes an atomic update: %s', (type, data, given, after) => {
  const text = `func.func @f(%m: memref<2x${type}>, %i: index, %x: ${type}) -> ${type} {
    %0 = memref.generic_atomic_rmw %m[%i] : memref<2x${type}> {
    ^bb0(%old: ${type}):
      %new = arith.muli %old, %x : ${type}
      memref.atomic_yield %new : ${type}
    }
    return %0 : ${type}
  }`;
  const [three, old] = data;
  expect(run(text, [memref([2], data), 1, given])).toEqual([old]);
  expect([...data]).toEqual([three, after]);
  expect(failure(text, [memref([2], data), 2, given]).code).toBe('interpreter/out-of-bounds');
});

describe('errors', () => {
  const freed = (use: string): string => `func.func @f(%i: index) {
    %m = memref.alloc() : memref<2xf32>
    %v = memref.cast %m : memref<2xf32> to memref<?xf32>
    memref.dealloc %m : memref<2xf32>
    ${use}
    return
  }`;
  it.each<[string, string, number[], string, string]>([
    [
      'a load out of bounds',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<2x3xf32>\n%0 = memref.load %m[%i, %i] : memref<2x3xf32>\nreturn\n}',
      [2],
      'interpreter/out-of-bounds',
      "'memref.load' accesses [2, 2], which is out of bounds of the shape 2x3",
    ],
    [
      'a store below zero',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<4xindex>\nmemref.store %i, %m[%i] : memref<4xindex>\nreturn\n}',
      [-1],
      'interpreter/out-of-bounds',
      "'memref.store' accesses [-1], which is out of bounds of the shape 4",
    ],
    [
      'a subview that is too large',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<4xf32>\n%v = memref.subview %m[1] [%i] [1] : memref<4xf32> to memref<?xf32, strided<[1], offset: 1>>\nreturn\n}',
      [4],
      'interpreter/out-of-bounds',
      "'memref.subview' slices [4], which is out of bounds of the shape 4",
    ],
    [
      'a reinterpret_cast beyond the allocation',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<4xf32>\n%v = memref.reinterpret_cast %m to offset: [%i], sizes: [2], strides: [3] : memref<4xf32> to memref<2xf32, strided<[3], offset: ?>>\nreturn\n}',
      [1],
      'interpreter/out-of-bounds',
      "'memref.reinterpret_cast' reaches from element 1 to 4 of an allocation of 4",
    ],
    [
      'a reshape to another number of elements',
      'func.func @f(%i: index) {\n%c0 = arith.constant 0 : index\n%m = memref.alloc() : memref<4xf32>\n%s = memref.alloc() : memref<1xindex>\nmemref.store %i, %s[%c0] : memref<1xindex>\n%v = memref.reshape %m(%s) : (memref<4xf32>, memref<1xindex>) -> memref<?xf32>\nreturn\n}',
      [3],
      'interpreter/shape-mismatch',
      "'memref.reshape' has a source of 4 for 3",
    ],
    [
      'a view of more bytes than there are',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<8xi8>\n%c4 = arith.constant 4 : index\n%v = memref.view %m[%c4][%i] : memref<8xi8> to memref<?xf32>\nreturn\n}',
      [2],
      'interpreter/out-of-bounds',
      "'memref.view' views 8 bytes from 4 on of 8",
    ],
    [
      'a view of bytes that are not aligned',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<8xi8>\n%v = memref.view %m[%i][] : memref<8xi8> to memref<f32>\nreturn\n}',
      [2],
      'interpreter/unsupported-type',
      "'memref.view' views bytes as f32",
    ],
    [
      'a view of bytes as elements that take others here',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<8xi8>\n%v = memref.view %m[%i][] : memref<8xi8> to memref<f16>\nreturn\n}',
      [0],
      'interpreter/unsupported-type',
      "'memref.view' views bytes as f16",
    ],
    [
      'a use of a view of bytes that are freed',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<8xi8>\n%v = memref.view %m[%i][] : memref<8xi8> to memref<f32>\nmemref.dealloc %m : memref<8xi8>\n%0 = memref.load %v[] : memref<f32>\nreturn\n}',
      [0],
      'interpreter/use-after-free',
      "'memref.load' uses a buffer that has been deallocated",
    ],
    [
      'a use after deallocation, through another view',
      freed('%0 = memref.load %v[%i] : memref<?xf32>'),
      [0],
      'interpreter/use-after-free',
      "'memref.load' uses a buffer that has been deallocated",
    ],
    [
      'a second deallocation',
      freed('memref.dealloc %v : memref<?xf32>'),
      [0],
      'interpreter/double-free',
      "'memref.dealloc' deallocates a buffer that has been deallocated",
    ],
    [
      'a collapse of dimensions that are apart',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<4x4xf32>\n%v = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>\n%c = memref.cast %v : memref<2x2xf32, strided<[4, 1]>> to memref<2x2xf32, strided<[?, ?]>>\n%w = memref.collapse_shape %c [[0, 1]] : memref<2x2xf32, strided<[?, ?]>> into memref<4xf32, strided<[?]>>\nreturn\n}',
      [0],
      'interpreter/shape-mismatch',
      "'memref.collapse_shape' collapses dimensions 0 and 1, which are apart",
    ],
    [
      'a cast to other strides',
      'func.func @f(%i: index) {\n%m = memref.alloc() : memref<4x4xf32>\n%v = memref.cast %m : memref<4x4xf32> to memref<4x4xf32, strided<[?, ?], offset: ?>>\n%w = memref.cast %v : memref<4x4xf32, strided<[?, ?], offset: ?>> to memref<4x4xf32, strided<[1, 4], offset: ?>>\nreturn\n}',
      [0],
      'interpreter/shape-mismatch',
      "'memref.cast' has a buffer of the layout strided<[4, 1], offset: 0> for memref<4x4xf32, strided<[1, 4], offset: ?>>",
    ],
    [
      'an allocation of a negative size',
      'func.func @f(%i: index) {\n%m = memref.alloc(%i) : memref<?xf32>\nreturn\n}',
      [-1],
      'interpreter/shape-mismatch',
      "'memref.alloc' has a negative size: -1",
    ],
  ])('%s', (_, text, values, code, message) => {
    expect(failure(text, values)).toMatchObject({ code, message });
  });
});
