import type { MemRefType } from '@sconv/ir';
import { DYNAMIC, f32, memrefType, stridedLayoutAttribute } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { commonType, isMoreGeneral } from '../src/rewriting/buffers.ts';

const sizes = [4, 5, DYNAMIC];
const strides = [1, 2, DYNAMIC];
const offsets = [0, 3, DYNAMIC];

/** All vectors of these sizes, strides and offsets. */
const vectors = sizes.flatMap((size) =>
  strides.flatMap((stride) =>
    offsets.map((offset) => ({
      parts: [size, stride, offset],
      type: memrefType([size], f32, stridedLayoutAttribute(offset, [stride])),
    })),
  ),
);

const matrix = (shape: readonly number[], layout: readonly number[], offset = 0): MemRefType =>
  memrefType(shape, f32, stridedLayoutAttribute(offset, layout));

describe('isMoreGeneral', () => {
  it('asks for each size, stride and offset to be equal, or not known', () => {
    for (const to of vectors) {
      for (const from of vectors) {
        const expected = to.parts.every((part, i) => part === DYNAMIC || part === from.parts[i]);
        expect(isMoreGeneral(to.type, from.type)).toBe(expected);
      }
    }
  });

  it.each([
    ['the identity layout is one of strides', memrefType([2, 3], f32), matrix([2, 3], [3, 1]), true],
    ['every stride counts', matrix([2, 3], [3, 1]), matrix([2, 3], [4, 1]), false],
    ['every size counts', matrix([2, 3], [4, 1]), matrix([2, 4], [4, 1]), false],
    ['one stride too many is another rank', matrix([2, 3], [3, 1]), memrefType([2], f32), false],
    ['and one too few', memrefType([2], f32), matrix([2, 3], [3, 1]), false],
  ])('%s', (_, to, from, expected) => {
    expect(isMoreGeneral(to, from)).toBe(expected);
  });
});

it('both types can be cast to their common type, which is one of them if that will do', () => {
  for (const a of vectors.filter(({ parts: [size] }) => size === 4)) {
    for (const b of vectors.filter(({ parts: [size] }) => size === 4)) {
      const common = commonType(a.type, b.type);
      expect(isMoreGeneral(common, a.type)).toBe(true);
      expect(isMoreGeneral(common, b.type)).toBe(true);
      if (isMoreGeneral(a.type, b.type)) expect(common).toBe(a.type);
      else if (isMoreGeneral(b.type, a.type)) expect(common).toBe(b.type);
    }
  }
});
