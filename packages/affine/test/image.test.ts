import { describe, expect, it } from 'vitest';
import { affineMap, imageSize, injectivity } from '../src/index.ts';
import type { Domain } from '../src/index.ts';

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
