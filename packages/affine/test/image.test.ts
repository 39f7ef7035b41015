import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { affineMap, evaluate, imageSize, injectivity } from '../src/index.ts';
import type { AffineMap, Domain } from '../src/index.ts';
import { arbitraryMap } from '../src/arbitraries.ts';

const dims = 3;

const smallMap = arbitraryMap({ numDims: dims, numSymbols: 0 });

const smallBox: fc.Arbitrary<Record<`d${number}`, readonly [number, number]>> = fc
  .array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 4 })), {
    minLength: dims,
    maxLength: dims,
  })
  .map((ends) => Object.fromEntries(ends.map(([low, size], i) => [`d${i}`, [low, low + size]])));

/** The values of a map at all points of a box. */
const valuesOver = (map: AffineMap, over: Readonly<Record<string, readonly [number, number]>>) => {
  const points = Array.from({ length: dims }, (_, i) => over[`d${i}`]!).reduce<number[][]>(
    (all, [low, high]) =>
      all.flatMap((point) => Array.from({ length: high - low }, (_, offset) => [...point, low + offset])),
    [[]],
  );
  return points.map((point) => evaluate(map, point));
};

describe('imageSize', () => {
  it.each<[string, Domain, number]>([
    ['(d0, d1) -> (d0, d1)', { d0: [0, 4], d1: [3, 8] }, 20],
    ['(d0, d1) -> (d0 + d1)', { d0: [0, 4], d1: [0, 5] }, 8],
    ['(d0, d1) -> (d0 * 5 + d1)', { d0: [0, 4], d1: [0, 5] }, 20],
    ['(d0) -> (d0 floordiv 3, d0 mod 2)', { d0: [0, 12] }, 8],
    ['(d0) -> (7)', { d0: [0, 12] }, 1],
    ['(d0, d1) -> (d0 * 1000000 + d1)', { d0: [0, 1e6], d1: [0, 1e6] }, 1e12],
  ])('%s over %o has %d values', (map, over, expected) => {
    expect(imageSize(affineMap(map), over)).toBe(expected);
  });

  it.each<[string, Domain, number]>([
    // Results that share a variable with the next, and with a result further on.
    ['(d0, d1, d2) -> (d0 + d1, d1 + d2)', { d0: [0, 2], d1: [0, 2], d2: [0, 2] }, 7],
    ['(d0, d1, d2) -> (d0 + d1, d2 floordiv 2, d1)', { d0: [0, 2], d1: [0, 3], d2: [0, 4] }, 12],
  ])('%s over %o has %d values: its results depend on each other', (map, over, expected) => {
    expect(imageSize(affineMap(map), over)).toBe(expected);
  });

  it('is the number of different values', () => {
    fc.assert(
      fc.property(smallMap, smallBox, (map, over) => {
        expect(imageSize(map, over)).toBe(new Set(valuesOver(map, over).map(String)).size);
      }),
    );
  });

  it('refuses what it cannot enumerate', () => {
    const map = affineMap('(d0) -> (d0 mod 7)');
    const tooLarge = expect.objectContaining({ code: 'affine/domain-too-large' }) as Error;
    expect(() => imageSize(map, {})).toThrow(tooLarge);
    expect(() => imageSize(map, { d0: [0, 1e9] })).toThrow(tooLarge);
  });
});

describe('injectivity', () => {
  it.each<[string, Domain, string]>([
    ['(d0, d1) -> (d1, d0)', { d0: [0, 1e9], d1: [0, 1e9] }, 'strides'],
    ['(d0, d1) -> (d0 * 152 + d1)', { d0: [0, 100], d1: [0, 152] }, 'strides'],
    ['(d0) -> (d0 floordiv 3, d0 mod 3)', { d0: [0, 30] }, 'exhaustion'],
    ['(d0)[s0] -> (d0 + s0)', { d0: [0, 3], s0: [0, 3] }, 'exhaustion'],
    ['(d0, d1) -> (d0)', { d0: [0, 3], d1: [2, 3] }, 'strides'],
  ])('%s over %o: by %s', (map, over, by) => {
    expect(injectivity(affineMap(map), over)).toEqual({ injective: true, by });
  });

  it('says whether values are different, and where not', () => {
    fc.assert(
      fc.property(smallMap, smallBox, (map, over) => {
        const values = valuesOver(map, over).map(String);
        const answer = injectivity(map, over);
        expect(answer.injective).toBe(new Set(values).size === values.length);
        if (answer.injective) return;
        const { first, second, symbols, values: at } = answer.collision;
        expect(first).not.toEqual(second);
        expect([evaluate(map, first, symbols), evaluate(map, second, symbols)]).toEqual([at, at]);
      }),
    );
  });

  it.each<[string, Domain, number[], number[]]>([
    ['(d0, d1) -> (d0 * 152 + d1)', { d0: [0, 2], d1: [0, 153] }, [0, 152], [1, 0]],
    ['(d0) -> (d0 floordiv 2)', { d0: [0, 4] }, [0], [1]],
    ['(d0, d1) -> (d0)', { d0: [0, 3], d1: [0, 2] }, [0, 0], [0, 1]],
    ['(d0, d1)[s0] -> (d0 + s0)', { d0: [5, 8], d1: [-9, -3], s0: [7, 9] }, [5, -4], [5, -5]],
    ['(d0, d1)[s0] -> (d0 floordiv 2 + s0)', { d0: [5, 8], d1: [3, 4], s0: [7, 9] }, [6, 3], [7, 3]],
  ])('%s over %o collides', (map, over, first, second) => {
    expect(injectivity(affineMap(map), over)).toMatchObject({
      injective: false,
      collision: { first, second },
    });
  });
});
