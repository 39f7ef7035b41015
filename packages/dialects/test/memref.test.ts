import { affineMap } from '@sconv/affine';
import { describe, expect, it } from 'vitest';
import {
  affineMapAttribute,
  DYNAMIC,
  f32,
  indexType,
  integerAttribute,
  memrefType,
  stridedLayoutAttribute,
} from '@sconv/ir';
import type { Attribute } from '@sconv/ir';
import {
  hasElementsApart,
  inferSubviewType,
  isContiguous,
  memrefDialect,
  rowMajorStrides,
  stridedLayoutOf,
} from '../src/memref.ts';
import { errorsOf, findOperation, inFunction, reprint } from './support.ts';

const values =
  '%arg0: memref<4x8xf32>, %arg1: memref<?x8xf32>, %arg2: index, %arg3: f32, %arg4: memref<64xi8>, %arg5: memref<4x8xf32, strided<[8, 1], offset: ?>>, %arg6: memref<f32>';

describe('text', () => {
  it.each([
    '%alloc = memref.alloc() : memref<4xf32>',
    '%alloc = memref.alloc(%arg2) {alignment = 64 : i64} : memref<4x?xf32>',
    '%alloc = memref.alloc()[%arg2] : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>',
    '%alloca = memref.alloca() : memref<4xf32>',
    'memref.dealloc %arg0 : memref<4x8xf32>',
    '%0 = memref.load %arg0[%arg2, %arg2] : memref<4x8xf32>',
    'memref.store %arg3, %arg0[%arg2, %arg2] : memref<4x8xf32>',
    'memref.copy %arg0, %arg1 : memref<4x8xf32> to memref<?x8xf32>',
    '%dim = memref.dim %arg1, %arg2 : memref<?x8xf32>',
    '%subview = memref.subview %arg0[0, %arg2] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: ?>>',
    '%subview = memref.subview %arg0[1, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: 8>>',
    '%reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [%arg2], sizes: [4], strides: [1] : memref<4x8xf32> to memref<4xf32, strided<[1], offset: ?>>',
    '%collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<4x8xf32> into memref<32xf32>',
    '%expand_shape = memref.expand_shape %arg0 [[0], [1, 2]] output_shape [4, 2, 4] : memref<4x8xf32> into memref<4x2x4xf32>',
    '%cast = memref.cast %arg0 : memref<4x8xf32> to memref<?x8xf32>',
    '%view = memref.view %arg4[%arg2][] : memref<64xi8> to memref<4xf32>',
    '%transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>',
    '%base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x8xf32> -> memref<f32>, index, index, index, index, index',
    '%base_buffer, %offset = memref.extract_strided_metadata %arg6 : memref<f32> -> memref<f32>, index',
    '%intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<4x8xf32> -> index',
    'memref.prefetch %arg0[%arg2, %arg2], read, locality<3>, data : memref<4x8xf32>',
    '%0 = memref.atomic_rmw addf %arg3, %arg0[%arg2, %arg2] : (f32, memref<4x8xf32>) -> f32',
    'memref.assume_alignment %arg0, 16 : memref<4x8xf32>',
  ])('%s', (line) => {
    const text = inFunction(values, line);
    // Layout maps are printed as aliases.
    expect(reprint(text).replaceAll('#map', 'affine_map<(d0)[s0] -> (d0 + s0)>')).toContain(line);
  });

  it.each([
    'memref.global "private" constant @c : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>',
    'memref.global "private" constant @c : memref<2xf32> = dense_resource<w>',
    'memref.global @c : memref<2xf32> = uninitialized',
    'memref.global @c : memref<2xf32>',
  ])('%s', (line) => {
    const text = `module {\n  ${line}\n}\n`;
    expect(reprint(text)).toBe(text);
  });
});

describe('verifier', () => {
  it('compares the type of a global with that of its bytes', () => {
    const text =
      '"memref.global"() <{sym_name = "c", type = memref<2xf32>, initial_value = dense_resource<w> : tensor<3xf32>}>';
    expect(errorsOf(`${text} : () -> ()`).join()).toContain(
      "of type 'tensor<2xf32>', but was of type 'tensor<3xf32>'",
    );
  });
  it.each([
    [
      '%0 = memref.view %arg4[%arg2][%arg2] : memref<64xi8> to memref<4x4xf32>',
      "incorrect number of size operands for type 'memref<4x4xf32>'",
    ],
    [
      '%0 = memref.subview %arg0[0, 0] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32>',
      "expected result type to be 'memref<2x3xf32, strided<[8, 1]>>' or a rank-reduced version. (mismatch of result layout)",
    ],
    [
      '%0 = memref.subview %arg0[0, 0] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1]>>',
      '(mismatch of result sizes)',
    ],
    [
      '%0 = memref.collapse_shape %arg0 [[0, 1]] : memref<4x8xf32> into memref<32xf32, strided<[2]>>',
      "expected collapsed type to be 'memref<32xf32>' but found 'memref<32xf32, strided<[2]>>'",
    ],
    ['%0 = memref.load %arg0[%arg2] : memref<4x8xf32>', 'incorrect number of indices for load'],
    [
      'memref.store %arg3, %arg0[%arg2] : memref<4x8xf32>',
      'store index operand count not equal to memref rank',
    ],
    [
      '%0 = memref.alloc() : memref<?xf32>',
      'dimension operand count does not equal memref dynamic dimension count',
    ],
    [
      '"memref.store"(%arg2, %arg0, %arg2, %arg2) : (index, memref<4x8xf32>, index, index) -> ()',
      "type of 'value' matches element type of 'memref'",
    ],
  ])('%s', (line, message) => {
    expect(errorsOf(inFunction(values, line)).join('\n')).toContain(message);
  });
});

const map = (text: string): Attribute => affineMapAttribute(affineMap(text));

describe('stridedLayoutOf', () => {
  it.each([
    ['row-major', memrefType([2, 3, 4], f32), 0, [12, 4, 1]],
    ['of a dynamic size', memrefType([2, DYNAMIC, 4], f32), 0, [DYNAMIC, 4, 1]],
    ['strided', memrefType([2, 3], f32, stridedLayoutAttribute(5, [7, 2])), 5, [7, 2]],
    ['by a map', memrefType([2, 3], f32, map('(d0, d1) -> (d0 * 7 + d1 + 5)')), 5, [7, 1]],
    ['by an identity map', memrefType([2, 3], f32, map('(d0, d1) -> (d0, d1)')), 0, [3, 1]],
    ['by sums and differences', memrefType([2, 3], f32, map('(d0, d1) -> ((d0 - d1) * 2 + d0)')), 0, [3, -2]],
    ['by a constant', memrefType([], f32, map('() -> (5)')), 5, []],
    ['by symbols', memrefType([2], f32, map('(d0)[s0, s1] -> (d0 * s0 + s1)')), DYNAMIC, [DYNAMIC]],
  ])('%s', (_, type, offset, strides) => {
    expect(stridedLayoutOf(type)).toEqual({ offset, strides });
  });

  it.each([
    ['tiles', memrefType([8], f32, map('(d0) -> (d0 floordiv 4, d0 mod 4)'))],
    ['several results', memrefType([2, 3], f32, map('(d0, d1) -> (d1, d0)'))],
    ['no result', memrefType([2], f32, map('(d0) -> ()'))],
    ['one place for all', memrefType([2, 3], f32, map('(d0, d1) -> (d1)'))],
    ['a remainder', memrefType([8], f32, map('(d0) -> (d0 mod 4 + 1)'))],
  ])('is undefined for a map of %s', (_, type) => {
    expect(stridedLayoutOf(type)).toBeUndefined();
  });

  it.each<
    [layout: string, shape: readonly number[], strides: readonly number[] | undefined, expected: boolean]
  >([
    ['row-major', [DYNAMIC, DYNAMIC], undefined, true],
    ['columns', [2, 3], [1, 2], true],
    ['columns that meet', [3, 3], [1, 2], false],
    ['a gap', [2, DYNAMIC, 3], [20, DYNAMIC, 1], false],
    ['rows of a known size', [DYNAMIC, 4], [4, 1], true],
    ['rows of an unknown size', [4, DYNAMIC], [8, 1], false],
    ['backwards', [2, 3], [-3, 1], true],
    ['one element', [3], [0], false],
    ['one row', [1, 3], [0, 1], true],
    ['nothing', [3, 0], [1, 1], true],
  ])('knows whether elements are apart: %s', (_, shape, strides, expected) => {
    const layout = strides && stridedLayoutAttribute(DYNAMIC, strides);
    expect(hasElementsApart(memrefType(shape, f32, layout))).toBe(expected);
  });

  it('knows contiguous buffers', () => {
    expect(isContiguous(memrefType([2, 3], f32))).toBe(true);
    expect(isContiguous(memrefType([2, 3], f32, stridedLayoutAttribute(0, [3, 1])))).toBe(true);
    expect(isContiguous(memrefType([2, 3], f32, stridedLayoutAttribute(1, [3, 1])))).toBe(false);
  });

  it('does not take strides that are not known for contiguous', () => {
    const strided = stridedLayoutAttribute(0, [DYNAMIC, 1]);
    expect(isContiguous(memrefType([2, DYNAMIC], f32))).toBe(true);
    expect(isContiguous(memrefType([2, DYNAMIC], f32, strided))).toBe(false);
  });

  it.each([
    ['no dimension', [], []],
    ['sizes', [2, 3, 4], [12, 4, 1]],
    ['a dynamic size', [2, DYNAMIC, 4], [DYNAMIC, 4, 1]],
    ['no elements', [2, 3, 0, 4], [DYNAMIC, DYNAMIC, 4, 1]],
  ])('has the row-major strides of %s', (_, shape, strides) => {
    expect(rowMajorStrides(shape)).toEqual(strides);
  });
});

describe('types of views', () => {
  const whole = { offsets: [0, 0], sizes: [4, 8], strides: [1, 1] };

  it('a subview has a strided layout', () => {
    const type = inferSubviewType(memrefType([4, 8], f32), {
      offsets: [1, 2],
      sizes: [2, 3],
      strides: [2, 1],
    });
    expect(type).toEqual(memrefType([2, 3], f32, stridedLayoutAttribute(10, [16, 1])));
    expect(inferSubviewType(memrefType([4, 8], f32), whole)).toEqual(
      memrefType([4, 8], f32, stridedLayoutAttribute(0, [8, 1])),
    );
  });

  it('a rank-reduced subview keeps the strides of what is left', () => {
    const slice = { offsets: [3, 0], sizes: [1, 8], strides: [1, 1] };
    expect(inferSubviewType(memrefType([4, 8], f32), slice, 1)).toEqual(
      memrefType([8], f32, stridedLayoutAttribute(24, [1])),
    );
  });
});

describe('fold', () => {
  const arg = 'the source';
  const whole = 'memref<4x8xf32, strided<[8, 1]>>';
  const constantIndex = (value: number) => integerAttribute(value, indexType);

  it.each<[string, string, readonly (Attribute | undefined)[], unknown]>([
    [
      'a static size',
      'memref.dim %m, %i : memref<4x?xf32>',
      [undefined, constantIndex(0)],
      [constantIndex(4)],
    ],
    ['no dynamic size', 'memref.dim %m, %i : memref<4x?xf32>', [undefined, constantIndex(1)], undefined],
    [
      'no size that there is not',
      'memref.dim %m, %i : memref<4x?xf32>',
      [undefined, constantIndex(2)],
      undefined,
    ],
    [
      'no size of an unknown dimension',
      'memref.dim %m, %i : memref<4x?xf32>',
      [undefined, undefined],
      undefined,
    ],
    [
      'no size of unknown rank',
      'memref.dim %m, %i : memref<*xf32>',
      [undefined, constantIndex(0)],
      undefined,
    ],
    ['a rank', 'memref.rank %m : memref<4x?xf32>', [], [constantIndex(2)]],
    ['no unknown rank', 'memref.rank %m : memref<*xf32>', [], undefined],
    ['a view of all', `memref.subview %m[0, 0] [4, 8] [1, 1] : ${whole} to ${whole}`, [], arg],
    [
      'no view that is moved',
      'memref.subview %m[%i, 0] [4, 8] [1, 1] : memref<4x8xf32, strided<[8, 1], offset: ?>> to memref<4x8xf32, strided<[8, 1], offset: ?>>',
      [],
      undefined,
    ],
    [
      'no part',
      'memref.subview %m[0, 0] [2, 8] [1, 1] : memref<4x8xf32, strided<[8, 1]>> to memref<2x8xf32, strided<[8, 1]>>',
      [],
      undefined,
    ],
    [
      'collapsing nothing',
      'memref.collapse_shape %m [[0], [1]] : memref<4x8xf32> into memref<4x8xf32>',
      [],
      arg,
    ],
    [
      'collapsing no more',
      'memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32>',
      [],
      undefined,
    ],
    [
      'expanding nothing',
      'memref.expand_shape %m [[0], [1]] output_shape [4, 8] : memref<4x8xf32> into memref<4x8xf32>',
      [],
      arg,
    ],
  ])('%s', (_, line, constants, expected) => {
    const type = /: (memref<.*?>+)( (to|into) .*)?$/.exec(line)?.[1] ?? '';
    const operation = findOperation(
      inFunction(`%m: ${type}, %i: index`, `%0 = ${line}`),
      line.split(' ', 1)[0]!,
    );
    const folded = memrefDialect.operations
      .find(({ name }) => name === operation.name)
      ?.fold?.(operation, constants, () => undefined);
    expect(folded).toEqual(expected === arg ? [operation.operands[0]] : expected);
  });
});

it.each([
  ['memref<4xf32>', 'memref<?xf32>', true],
  ['memref<4xf32>', 'memref<5xf32>', false],
  ['memref<4xf32>', 'memref<4x1xf32>', false],
  ['memref<4xf32>', 'memref<4xf64>', false],
  ['memref<4xf32>', 'memref<4xf32, 1>', false],
  ['memref<4xf32>', 'memref<*xf32>', true],
  ['memref<*xf32>', 'memref<4xf32>', true],
  ['memref<*xf32>', 'memref<*xf32>', false],
  ['memref<*xf32, 1>', 'memref<4xf32>', false],
  ['memref<4xf32>', 'memref<4xf32, strided<[?], offset: ?>>', true],
  ['memref<4xf32>', 'memref<4xf32, strided<[2]>>', false],
  ['memref<4xf32, strided<[1], offset: 3>>', 'memref<4xf32, strided<[1]>>', false],
  ['memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>', 'memref<4xf32>', false],
])('%s can be cast to %s: %s', (from, to, expected) => {
  const errors = errorsOf(inFunction(`%m: ${from}`, `%0 = memref.cast %m : ${from} to ${to}`));
  expect(errors).toEqual(
    expected ? [] : [`'memref.cast' op operand type '${from}' and result type '${to}' are cast incompatible`],
  );
});
