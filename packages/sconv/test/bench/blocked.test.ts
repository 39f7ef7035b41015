import { parseShape } from '@sconv/csa';
import { wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { oursBlocked } from '../../src/bench/blocked.ts';
import { ours } from '../../src/bench/ours.ts';
import { dataOf, withPaddingIncluded } from '../../src/bench/workload.ts';

describe('a convolution in blocked layouts', () => {
  it.each(['1x8x7x9,16x8x3x3,p1', '2x4x9x9,8x4x3x2,s2,p1', '1x3x6x6,4x3x1x1', '1x12x8x8,8x12x3x3,d2'])(
    'of %s is the same as in NCHW',
    async (text) => {
      const shape = withPaddingIncluded(parseShape(text));
      const data = dataOf(shape);
      const [expected, actual] = await Promise.all(
        [ours('sconv', wasm), oursBlocked('blocked', wasm)].map(async ({ prepare }) => {
          const { result, dispose } = await prepare(shape, 'bound', data);
          const output = await result();
          void dispose();
          return output;
        }),
      );
      expect(actual).toEqual(expected);
    },
  );

  it.each(['1x8x7x7,6x8x3x3', '1x9x7x7,8x9x3x3', '1x8x7x7,8x8x3x3,p1', '1x8x7x7,8x4x3x3,g2'])(
    'is refused for %s',
    async (text) => {
      const shape = parseShape(text);
      await expect(
        Promise.resolve().then(() => oursBlocked('blocked', wasm).prepare(shape, 'bound', dataOf(shape))),
      ).rejects.toThrow(/whole vectors only|no padding/);
    },
  );
});
