import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConvolutionShape, ThreadParts } from '../src/index.ts';
import { parseShape, partsForThreads, printShape } from '../src/index.ts';
import { arbitraryShape } from './arbitrary.ts';

/** Outputs of a shape. */
const outputs = ({ batch, filters, outputHeight, outputWidth }: ConvolutionShape): number =>
  batch * filters * outputHeight * outputWidth;

/** Outputs of all parts together. */
const covered = (parts: ThreadParts): number =>
  parts.kind === 'whole'
    ? outputs(parts.shape)
    : parts.count * outputs(parts.part) + (parts.rest === undefined ? 0 : covered(parts.rest));

/** `2 filters: part + rest`. */
const shown = (parts: ThreadParts): string => {
  if (parts.kind === 'whole') return printShape(parts.shape);
  const rest = parts.rest === undefined ? '' : ` + ${shown(parts.rest)}`;
  return `${parts.count} ${parts.dimension} of ${parts.size}: ${printShape(parts.part)}${rest}`;
};

describe('parts for threads', () => {
  it.each([
    ['8x32x16x16,64x32x3x3', 2, '8 batch of 1: 1x32x16x16,64x32x3x3'],
    ['1x512x9x9,512x512x3x3', 2, '8 filters of 64: 1x512x9x9,64x512x3x3'],
    ['1x64x226x226,63x64x3x3', 2, '16 rows of 14: 1x64x16x226,63x64x3x3'],
    [
      '1x32x152x152,255x32x3x3,s2',
      2,
      '14 rows of 5: 1x32x11x152,255x32x3x3,s2 + 4 filters of 63: 1x32x11x152,63x32x3x3,s2 + 1x32x11x152,3x32x3x3,s2',
    ],
    // No remainder, and whole tiles of 8 windows.
    ['1x128x30x30,128x128x3x3', 2, '14 rows of 2: 1x128x4x30,128x128x3x3'],
    ['4x256x28x28,512x256x1x1', 2, '14 rows of 2: 4x256x2x28,512x256x1x1'],
    ['1x3x8x8,4x3x3x3', 4, '1x3x8x8,4x3x3x3'],
    ['1x64x58x58,64x1x3x3,g64', 2, '1x64x58x58,64x1x3x3,g64'],
    ['1x64x58x58,64x64x3x3', 1, '1x64x58x58,64x64x3x3'],
  ])('of %s are, for %d', (text, threads, expected) => {
    expect(shown(partsForThreads(parseShape(text), threads))).toBe(expected);
  });

  it('are fewer on a machine that does more in the time of a fork', () => {
    const shape = parseShape('1x32x30x30,16x32x3x3');
    const kinds = [16, 32, 64].map((flopPerCycle) => partsForThreads(shape, 2, { flopPerCycle }).kind);
    expect(kinds).toEqual(['shared', 'shared', 'whole']);
    expect(partsForThreads(shape, 2)).toEqual(partsForThreads(shape, 2, { flopPerCycle: 16 }));
  });

  it('are all of it', () => {
    fc.assert(
      fc.property(
        arbitraryShape(60),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 8 }),
        (image, batch, threads) => {
          const shape = { ...image, batch };
          expect(covered(partsForThreads(shape, threads))).toBe(outputs(shape));
        },
      ),
    );
  });

  it.each([0, -1, 1.5, NaN])('are not for %d threads', (threads) => {
    const shape = parseShape('1x3x8x8,4x3x3x3');
    expect(() => partsForThreads(shape, threads)).toThrow(
      `threads: must be a positive integer, not ${threads}`,
    );
  });
});
