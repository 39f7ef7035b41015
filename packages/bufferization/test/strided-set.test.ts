import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stride, StridedSet } from '../src/strided-set.ts';
import { addSet, isWhole, stridedSet } from '../src/strided-set.ts';

const sums = (offset: number, strides: readonly Stride[]): readonly number[] =>
  strides.reduce<readonly number[]>(
    (all, { count, stride }) => all.flatMap((at) => Array.from({ length: count }, (_, i) => at + i * stride)),
    [offset],
  );

const elementsOf = (sets: readonly StridedSet[]): readonly number[] =>
  sets.flatMap(({ offset, strides }) => sums(offset, strides)).sort((a, b) => a - b);

const anyStrides = fc.array(fc.record({ count: fc.nat(4), stride: fc.integer({ min: 1, max: 12 }) }), {
  maxLength: 4,
});

describe('a strided set', () => {
  it('has each of its elements once', () => {
    fc.assert(
      fc.property(fc.nat(5), anyStrides, (offset, strides) => {
        const set = stridedSet(offset, strides);
        const expected = [...sums(offset, strides)].sort((a, b) => a - b);
        if (set !== undefined) {
          expect(elementsOf([set])).toEqual(expected);
          expect(new Set(expected).size).toBe(expected.length);
        }
      }),
    );
  });

  it.each<[string, readonly Stride[], readonly Stride[] | undefined]>([
    [
      'rows side by side are one',
      [
        { count: 4, stride: 8 },
        { count: 8, stride: 1 },
      ],
      [{ count: 32, stride: 1 }],
    ],
    [
      'rows apart are not',
      [
        { count: 8, stride: 1 },
        { count: 4, stride: 9 },
      ],
      [
        { count: 8, stride: 1 },
        { count: 4, stride: 9 },
      ],
    ],
    ['one step is none', [{ count: 1, stride: 5 }], []],
    [
      'rows may not overlap',
      [
        { count: 8, stride: 1 },
        { count: 4, stride: 7 },
      ],
      undefined,
    ],
    ['steps go forward', [{ count: 3, stride: -1 }], undefined],
    ['steps go anywhere', [{ count: 3, stride: 0 }], undefined],
    ['nothing is no set', [{ count: 0, stride: 1 }], undefined],
  ])('%s', (_, strides, expected) => {
    expect(stridedSet(3, strides)?.strides).toEqual(expected);
  });
});

/** A box that is cut in two repeatedly: sizes, and where it begins in a box of `shape`. */
type Box = readonly { readonly first: number; readonly size: number }[];

const cut = (box: Box, cuts: readonly (readonly [number, number])[]): readonly Box[] => {
  const [now, ...later] = cuts;
  if (now === undefined) return [box];
  const dimension = now[0] % box.length;
  const { first, size } = box[dimension]!;
  const left = now[1] % size;
  if (left === 0) return cut(box, later);
  const parts = [
    box.with(dimension, { first, size: left }),
    box.with(dimension, { first: first + left, size: size - left }),
  ];
  return parts.flatMap((part, i) =>
    cut(
      part,
      later.filter((_, k) => k % 2 === i),
    ),
  );
};

describe('parts of a box', () => {
  const shapes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 });
  const cuts = fc.array(fc.tuple(fc.nat(3), fc.nat(9)), { maxLength: 6 });
  const partsOf = (
    shape: readonly number[],
    all: readonly (readonly [number, number])[],
  ): readonly StridedSet[] => {
    const strides = shape.map((_, i) => shape.slice(i + 1).reduce((product, size) => product * size, 1));
    const boxes = cut(
      shape.map((size) => ({ first: 0, size })),
      all,
    );
    return boxes.map((box) => {
      const offset = box.reduce((sum, { first }, i) => sum + first * strides[i]!, 0);
      return stridedSet(
        offset,
        box.map(({ size }, i) => ({ count: size, stride: strides[i]! })),
      )!;
    });
  };

  const wholeOf = (shape: readonly number[]): StridedSet =>
    stridedSet(0, [{ count: shape.reduce((product, size) => product * size, 1), stride: 1 }])!;

  it('are the whole, or as many elements as they are', () => {
    fc.assert(
      fc.property(shapes, cuts, (shape, all) => {
        const parts = partsOf(shape, all);
        const joined = parts.reduce<readonly StridedSet[]>(addSet, []);
        const count = shape.reduce((product, size) => product * size, 1);
        expect(elementsOf(joined)).toEqual(Array.from({ length: count }, (_, i) => i));
        if (isWhole(joined, wholeOf(shape))) expect(joined).toHaveLength(1);
      }),
    );
  });

  it('are the whole where they are cut across', () => {
    // All parts of one cut, in any order of two cuts.
    fc.assert(
      fc.property(shapes, fc.tuple(fc.nat(3), fc.nat(9)), fc.boolean(), (shape, once, reversed) => {
        const parts = partsOf(shape, [once]);
        const joined = (reversed ? parts.toReversed() : parts).reduce<readonly StridedSet[]>(addSet, []);
        expect(isWhole(joined, wholeOf(shape))).toBe(true);
      }),
    );
  });

  it('are not the whole without one of them', () => {
    fc.assert(
      fc.property(shapes, cuts, fc.nat(), (shape, all, left) => {
        const parts = partsOf(shape, all);
        const others = parts.toSpliced(left % parts.length, 1).reduce<readonly StridedSet[]>(addSet, []);
        expect(isWhole(others, wholeOf(shape))).toBe(false);
      }),
    );
  });

  it('are not the whole where one counts twice', () => {
    fc.assert(
      fc.property(shapes, cuts, fc.nat(), (shape, all, twice) => {
        const parts = partsOf(shape, all);
        const more = [...parts, parts[twice % parts.length]!].reduce<readonly StridedSet[]>(addSet, []);
        expect(isWhole(more, wholeOf(shape))).toBe(false);
      }),
    );
  });
});
