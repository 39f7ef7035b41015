/**
 * The packing equations, splits and tilings of ConvBench's convolutions, proved: for all windows and positions, not for
 * those that are tried. `time-packing-proofs.mjs` says how long each proof takes.
 */
import { fromMap, isEqual } from '@sconv/presburger';
import { absoluteInputMap } from '@sconv/packing-equations';
import { dependences, legality, tiledSchedule } from '@sconv/presburger/dependences';
import { describe, expect, it } from 'vitest';
import { convBenchConvolutions, convolutionOf, packingClaims } from '../packing-claims.mjs';

const convolutions = convBenchConvolutions(process.env['THOROUGH'] === undefined ? 40 : 500);

describe('of each of ConvBench', () => {
  it.each(Object.entries(packingClaims))('%s', (_, holds) => {
    expect(convolutions.filter((convolution) => !holds(convolution))).toEqual([]);
  });

  it('is refused what does not hold', () => {
    // Eq. 7 with the dilation of the other dimension, as the paper has it.
    const { geometry } = convolutionOf('1x3x32x32,8x3x3x3');
    const dilated = { ...geometry, dilationH: 2 };
    expect(isEqual(fromMap(absoluteInputMap(geometry)), fromMap(absoluteInputMap(dilated)))).toBe(false);
  });
});

describe('a tiling of a convolution', () => {
  const convolution = {
    domain: '[n] -> { [w, f, c] : 0 <= w, f, c < n }',
    reads: [{ array: 'output', elements: '(w, f, c) -> (f, w)' }],
    writes: [{ array: 'output', elements: '(w, f, c) -> (f, w)' }],
  };
  it('keeps the order of its sums, whatever the sizes', () => {
    const found = dependences([convolution]);
    expect(legality(found, [tiledSchedule([16, 8, 4])])).toEqual({ legal: true });
  });
});
