import { machineFromFigures, sconvDefaults } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { hierarchy, parseShape, slice, tilingSpace } from '../src/index.ts';

const fractions = { l1: 0.9, l2: 0.9, l3: 0.9 };

describe('tilingSpace', () => {
  // Some tilings fill the second machine to the last byte.
  it.each([[[384, 600, 900]], [[320, 544, 896]]])(
    'lists every valid tiling once on caches of %j',
    (cacheBytes) => {
      const of = slice(parseShape('1x4x6x6,16x4x1x1'), { windows: 8, filters: 4 });
      const small = hierarchy(
        machineFromFigures({
          name: 'small',
          cacheBytes,
          lineBytes: 16,
          latencyCycles: [1, 2, 3, 4],
          source: 'a test',
        }),
        { l1: 1, l2: 1, l3: 1 },
      );
      const space = tilingSpace(of, small);
      const listed = Array.from({ length: space.size }, (_, index) => JSON.stringify(space.at(index)));
      const [l1, l2, l3] = cacheBytes as readonly number[] as readonly [number, number, number];
      const expected: string[] = [];
      for (const schedule of ['is', 'ws'] as const) {
        const [a, b, tilesA, tilesB] = schedule === 'is' ? [32, 16, 4, 4] : [16, 32, 4, 4];
        for (let nc = 1; nc <= 4; nc += 1) {
          for (let k2 = 1; k2 <= tilesB; k2 += 1) {
            for (let k3 = 1; k3 <= tilesA; k3 += 1) {
              const valid =
                nc * (a + b) + 128 <= l1 &&
                nc * a + k2 * (nc * b + 128) <= l2 &&
                k3 * nc * a + k2 * nc * b + k2 * k3 * 128 <= l3;
              if (valid) expected.push(JSON.stringify({ schedule, nc, k2, k3 }));
            }
          }
        }
      }
      expect(expected.length).toBeGreaterThan(4);
      expect(listed).toEqual(expected);
      expect(() => space.at(space.size)).toThrow(RangeError);
    },
  );

  it('holds every plan', () => {
    const of = slice(parseShape('1x32x20x20,64x32x3x3'), { windows: 16, filters: 8 });
    expect(tilingSpace(of, hierarchy(sconvDefaults.machine, fractions)).size).toBeGreaterThan(1000);
  });
});
