import { affineMap } from '@sconv/affine';
import { expect, it } from 'vitest';
import { straightLanes } from '../src/index.ts';

/** First, stride, jump and rows of an expression over d0, s0 and lanes. */
const shown = (text: string, lane: 'd1' | 's1'): string | undefined => {
  const { results } = affineMap(`(d0, d1)[s0, s1] -> (${text}, ${lane})`);
  const lanes = straightLanes(results[0]!, results[1]!);
  return (
    lanes &&
    [
      lanes.first,
      lanes.stride,
      lanes.jump,
      ...lanes.rows.map(({ first, length }) => `${String(first)}:${length}`),
    ].join(' ')
  );
};

it.each([
  ['d0 + s0', 'd0 + s0 0 0'],
  ['lane * 2 + d0', 'd0 2 0'],
  // A row of eight windows ends between lanes.
  ['(lane + d0) mod 8', 'd0 mod 8 1 -8 d0 mod 8:8'],
  ['((lane + d0) floordiv 8) * 10', '(d0 floordiv 8) * 10 0 10 d0 mod 8:8'],
  // Every second lane in a row would leave it elsewhere.
  ['(lane * 2 + d0) mod 8', undefined],
])('%s as a function of its lanes', (text, expected) => {
  for (const lane of ['d1', 's1'] as const) expect(shown(text.replace('lane', lane), lane)).toBe(expected);
});
