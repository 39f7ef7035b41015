import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { MemRefType } from '@sconv/ir';
import { DYNAMIC, f32, parseType, printType, tensorType } from '@sconv/ir';
import {
  collapsedShape,
  inferCollapsedType,
  inferExpandedType,
  isGuaranteedCollapsible,
} from '../src/reshape-types.ts';
import type { Reassociation } from '../src/attribute-kinds.ts';
import { registry } from './support.ts';

const buffer = (text: string): MemRefType => {
  const type = unwrap(parseType(text, { registry }));
  if (type.kind !== 'memref') throw new Error(`${text} is no buffer`);
  return type;
};
const textOf = (type: MemRefType | undefined): string | undefined =>
  type === undefined ? undefined : printType(type);

// What mlir-opt-19 infers; undefined where it rejects the dimensions as not contiguous.
describe('a buffer is collapsed', () => {
  it.each<[string, Reassociation, string | undefined]>([
    ['memref<1xf32>', [], 'memref<f32>'],
    ['memref<1xf32, strided<[1]>>', [], 'memref<f32>'],
    ['memref<1xf32, strided<[5]>>', [], 'memref<f32, strided<[]>>'],
    ['memref<1xf32, strided<[1], offset: 3>>', [], 'memref<f32, strided<[], offset: 3>>'],
    ['memref<1xf32, strided<[?], offset: ?>>', [], 'memref<f32, strided<[], offset: ?>>'],
    ['memref<1x1xf32>', [], 'memref<f32>'],
    ['memref<1x1xf32, strided<[1, 1]>>', [], 'memref<f32, strided<[]>>'],
    ['memref<1x1xf32, strided<[4, 2], offset: ?>>', [], 'memref<f32, strided<[], offset: ?>>'],
    ['memref<4x8xf32>', [[0, 1]], 'memref<32xf32>'],
    ['memref<4x8xf32, strided<[8, 1]>>', [[0, 1]], 'memref<32xf32, strided<[1]>>'],
    ['memref<4x8xf32, strided<[8, 1], offset: 5>>', [[0, 1]], 'memref<32xf32, strided<[1], offset: 5>>'],
    ['memref<4x8xf32, strided<[16, 1]>>', [[0, 1]], undefined],
    ['memref<4x8xf32, strided<[16, 2]>>', [[0, 1]], 'memref<32xf32, strided<[2]>>'],
    ['memref<4x8xf32, strided<[?, 1]>>', [[0, 1]], 'memref<32xf32, strided<[1]>>'],
    ['memref<4x8xf32, strided<[8, ?]>>', [[0, 1]], 'memref<32xf32, strided<[?]>>'],
    ['memref<4x?xf32, strided<[?, 1]>>', [[0, 1]], 'memref<?xf32, strided<[?]>>'],
    ['memref<?x8xf32, strided<[8, 1]>>', [[0, 1]], 'memref<?xf32, strided<[1]>>'],
    ['memref<?x8xf32, strided<[9, 1]>>', [[0, 1]], undefined],
    ['memref<1x8xf32, strided<[99, 1]>>', [[0, 1]], undefined],
    ['memref<8x1xf32, strided<[3, 7]>>', [[0, 1]], 'memref<8xf32, strided<[3]>>'],
    ['memref<1x1xf32, strided<[3, 7]>>', [[0, 1]], 'memref<1xf32, strided<[3]>>'],
    ['memref<1x1x4xf32, strided<[3, 7, 2]>>', [[0, 1], [2]], 'memref<1x4xf32, strided<[3, 2]>>'],
    ['memref<2x3x4xf32, strided<[12, 4, 1]>>', [[0], [1, 2]], 'memref<2x12xf32, strided<[12, 1]>>'],
    ['memref<2x1x4xf32, strided<[4, 100, 1]>>', [[0, 1, 2]], undefined],
    ['memref<2x?x4xf32, strided<[?, 4, 1]>>', [[0, 1, 2]], 'memref<?xf32, strided<[1]>>'],
    ['memref<4x?xf32, strided<[?, ?], offset: ?>>', [[0, 1]], 'memref<?xf32, strided<[?], offset: ?>>'],
    ['memref<?x?xf32>', [[0, 1]], 'memref<?xf32>'],
    ['memref<0x8xf32, strided<[8, 1]>>', [[0, 1]], 'memref<0xf32, strided<[1]>>'],
    ['memref<4x8xf32, affine_map<(d0, d1) -> (d0 * 8 + d1)>>', [[0, 1]], 'memref<32xf32, strided<[1]>>'],
    [
      'memref<4x8xf32, affine_map<(d0, d1) -> (d0 * 8 + d1 + 2)>>',
      [[0, 1]],
      'memref<32xf32, strided<[1], offset: 2>>',
    ],
    ['memref<4x8xf32, 3>', [[0, 1]], 'memref<32xf32, 3>'],
    ['memref<4xf32, strided<[2]>>', [[0]], 'memref<4xf32, strided<[2]>>'],
    ['memref<4xf32>', [[0]], 'memref<4xf32>'],
  ])('%s by %j to %s', (source, groups, result) => {
    expect(textOf(inferCollapsedType(buffer(source), groups))).toBe(result);
  });
});

describe('a buffer is expanded', () => {
  it.each<[string, Reassociation, readonly number[], string]>([
    ['memref<f32>', [], [1], 'memref<1xf32>'],
    ['memref<f32>', [], [1, 1, 1, 1, 1], 'memref<1x1x1x1x1xf32>'],
    ['memref<f32>', [], [], 'memref<f32>'],
    ['memref<f32, strided<[]>>', [], [1], 'memref<1xf32, strided<[1]>>'],
    ['memref<f32, strided<[]>>', [], [1, 1, 1, 1, 1], 'memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1]>>'],
    ['memref<f32, strided<[]>>', [], [], 'memref<f32, strided<[]>>'],
    ['memref<f32, strided<[], offset: 3>>', [], [1], 'memref<1xf32, strided<[1], offset: 3>>'],
    [
      'memref<f32, strided<[], offset: 3>>',
      [],
      [1, 1, 1, 1, 1],
      'memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1], offset: 3>>',
    ],
    ['memref<f32, strided<[], offset: 3>>', [], [], 'memref<f32, strided<[], offset: 3>>'],
    ['memref<f32, strided<[], offset: ?>>', [], [1], 'memref<1xf32, strided<[1], offset: ?>>'],
    [
      'memref<f32, strided<[], offset: ?>>',
      [],
      [1, 1, 1, 1, 1],
      'memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1], offset: ?>>',
    ],
    ['memref<f32, strided<[], offset: ?>>', [], [], 'memref<f32, strided<[], offset: ?>>'],
    ['memref<32xf32>', [[0, 1]], [4, 8], 'memref<4x8xf32>'],
    ['memref<32xf32, strided<[1]>>', [[0, 1]], [4, 8], 'memref<4x8xf32>'],
    ['memref<32xf32, strided<[2]>>', [[0, 1]], [4, 8], 'memref<4x8xf32, strided<[16, 2]>>'],
    ['memref<32xf32, strided<[?]>>', [[0, 1]], [4, 8], 'memref<4x8xf32, strided<[?, ?]>>'],
    [
      'memref<32xf32, strided<[2], offset: ?>>',
      [[0, 1]],
      [4, 8],
      'memref<4x8xf32, strided<[16, 2], offset: ?>>',
    ],
    ['memref<?xf32, strided<[2]>>', [[0, 1]], [DYNAMIC, 8], 'memref<?x8xf32, strided<[16, 2]>>'],
    ['memref<?xf32, strided<[2]>>', [[0, 1]], [4, DYNAMIC], 'memref<4x?xf32, strided<[?, 2]>>'],
    ['memref<?xf32>', [[0, 1]], [4, DYNAMIC], 'memref<4x?xf32>'],
    ['memref<1xf32, strided<[5]>>', [[0, 1]], [1, 1], 'memref<1x1xf32, strided<[5, 5]>>'],
    ['memref<1xf32>', [[0, 1]], [1, 1], 'memref<1x1xf32>'],
    ['memref<4xf32, strided<[5]>>', [[0, 1, 2]], [1, 4, 1], 'memref<1x4x1xf32, strided<[20, 5, 5]>>'],
    ['memref<4x6xf32, strided<[?, 1]>>', [[0], [1, 2]], [4, 2, 3], 'memref<4x2x3xf32, strided<[?, 3, 1]>>'],
    ['memref<4x6xf32, strided<[6, 1]>>', [[0], [1, 2]], [4, 2, 3], 'memref<4x2x3xf32, strided<[6, 3, 1]>>'],
    ['memref<0xf32, strided<[2]>>', [[0, 1]], [0, 8], 'memref<0x8xf32, strided<[16, 2]>>'],
    ['memref<0xf32, strided<[2]>>', [[0, 1]], [8, 0], 'memref<8x0xf32, strided<[0, 2]>>'],
    ['memref<0xf32>', [[0, 1]], [8, 0], 'memref<8x0xf32>'],
    [
      'memref<32xf32, affine_map<(d0) -> (d0 * 2 + 1)>>',
      [[0, 1]],
      [4, 8],
      'memref<4x8xf32, strided<[16, 2], offset: 1>>',
    ],
    ['memref<32xf32, 3>', [[0, 1]], [4, 8], 'memref<4x8xf32, 3>'],
    ['memref<?xf32>', [[0, 1]], [DYNAMIC, DYNAMIC], 'memref<?x?xf32>'],
  ])('%s by %j to %s', (source, groups, shape, result) => {
    expect(textOf(inferExpandedType(buffer(source), shape, groups))).toBe(result);
  });

  it('unless it is not strided', () => {
    const tiles = buffer('memref<32xf32, affine_map<(d0) -> (d0 floordiv 2)>>');
    expect(inferExpandedType(tiles, [4, 8], [[0, 1]])).toBeUndefined();
    expect(inferCollapsedType(tiles, [[0]])).toBeUndefined();
  });
});

it('tensors keep nothing but their elements', () => {
  const source = tensorType([2, 3, 4], f32);
  expect(inferCollapsedType(source, [[0], [1, 2]])).toEqual(tensorType([2, 12], f32));
  expect(inferExpandedType(source, [2, 3, 2, 2], [[0], [1], [2, 3]])).toEqual(tensorType([2, 3, 2, 2], f32));
});

it.each<[readonly number[], Reassociation, readonly number[]]>([
  [
    [2, 3, 4],
    [[0, 1], [2]],
    [6, 4],
  ],
  [
    [2, DYNAMIC, 4],
    [[0, 1], [2]],
    [DYNAMIC, 4],
  ],
  [[0, 3], [[0, 1]], [0]],
  [[1, 1], [], []],
])('the shape %j collapses by %j to %j', (shape, groups, collapsed) => {
  expect(collapsedShape(shape, groups)).toEqual(collapsed);
});

it('a size of 2^60, which is static and no safe integer, is refused', () => {
  expect(() => collapsedShape([2 ** 30, 2 ** 30], [[0, 1]])).toThrow('(2^53)');
});

describe('a buffer is known to be contiguous in groups', () => {
  it.each<[string, Reassociation, boolean]>([
    ['memref<4x8xf32>', [[0, 1]], true],
    ['memref<?x?xf32>', [[0, 1]], true],
    ['memref<4x8xf32, strided<[8, 1], offset: ?>>', [[0, 1]], true],
    ['memref<4x8xf32, strided<[9, 1]>>', [[0, 1]], false],
    ['memref<4x8xf32, strided<[?, ?], offset: ?>>', [[0, 1]], false],
    ['memref<4x8xf32, strided<[?, 1]>>', [[0, 1]], false],
    ['memref<4x8xf32, strided<[8, ?]>>', [[0, 1]], false],
    ['memref<4x8xf32, strided<[?, ?], offset: ?>>', [[0], [1]], true],
  ])('%s in %j: %s', (text, groups, isKnown) => {
    expect(isGuaranteedCollapsible(buffer(text), groups)).toBe(isKnown);
  });
});
