import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeKinds } from '../src/index.ts';
import { tiledRuns, tileRuns } from '../src/edges.ts';
import type { Edges, MicrokernelShape } from '../src/index.ts';

/** `2 of 20, 1 of 9`. */
const runs = (size: number, width: number, edges: Edges, lanes: number): string =>
  tileRuns(size, width, edges, lanes)
    .map((run) =>
      run.width === undefined ? `${run.size} scalar` : `${run.size / run.width} of ${run.width}`,
    )
    .join(', ');

describe('tileRuns', () => {
  it.each([
    // Whole tiles have no edge, whatever the kind.
    [48, 16, 'scalar', 4, '3 of 16'],
    [48, 16, 'composed', 4, '3 of 16'],
    [49, 16, 'scalar', 4, '3 of 16, 1 scalar'],
    [49, 16, 'small', 4, '3 of 16, 1 of 1'],
    [9, 16, 'scalar', 4, '9 scalar'],
    [9, 16, 'small', 4, '1 of 9'],
    [9, 16, 'composed', 4, '1 of 9'],
    // At least 13 vectors; 12 + 12 + 12 + 13 has that many, and no tile below 12.
    [49, 16, 'composed', 4, '1 of 13, 3 of 12'],
    [49, 20, 'composed', 4, '1 of 17, 2 of 16'],
    // As in TT §5.3.
    [34, 12, 'composed', 1, '1 of 12, 2 of 11'],
    [25, 16, 'composed', 4, '1 of 13, 1 of 12'],
    // A single width.
    [24, 16, 'composed', 4, '2 of 12'],
    [10, 8, 'composed', 1, '2 of 5'],
    // One partial vector, not two.
    [5, 4, 'composed', 4, '1 of 4, 1 of 1'],
    [5, 4, 'composed', 1, '1 of 3, 1 of 2'],
    [3, 2, 'composed', 1, '1 of 2, 1 of 1'],
  ] as const)('%i in tiles of %i, %s, vectors of %i: %s', (size, width, edges, lanes, expected) => {
    expect(runs(size, width, edges, lanes)).toBe(expected);
  });

  it('cover everything in whole tiles of at most the width, as few as there can be', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 32 }),
        fc.constantFrom(...edgeKinds),
        fc.constantFrom(1, 2, 4, 8),
        (size, width, edges, lanes) => {
          const covered = tileRuns(size, width, edges, lanes);
          expect(covered.reduce((sum, run) => sum + run.size, 0)).toBe(size);
          expect(covered.length).toBeLessThanOrEqual(2);
          if (edges === 'scalar') return;
          expect(
            covered.every((run) => (run.size % run.width!) + Math.max(0, run.width! - width) === 0),
          ).toBe(true);
          const tiles = covered.reduce((sum, run) => sum + run.size / run.width!, 0);
          expect(tiles).toBe(Math.ceil(size / width));
        },
      ),
    );
  });

  it('composes tiles that fill no more vectors than one small tile does, the narrowest no narrower than it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 24 }),
        fc.constantFrom(1, 4),
        (size, width, lanes) => {
          const measure = (edges: Edges) => {
            const all = tileRuns(size, width, edges, lanes);
            return {
              vectors: all.reduce(
                (sum, run) => sum + (run.size / run.width!) * Math.ceil(run.width! / lanes),
                0,
              ),
              partial: all.reduce(
                (sum, run) => sum + (run.width! % lanes === 0 ? 0 : run.size / run.width!),
                0,
              ),
              narrowest: Math.min(...all.map((run) => run.width!)),
            };
          };
          const [small, composed] = [measure('small'), measure('composed')];
          expect(composed.vectors).toBeLessThanOrEqual(small.vectors);
          if (composed.vectors < small.vectors) return;
          expect(composed.partial).toBeLessThanOrEqual(small.partial);
          if (composed.partial === small.partial)
            expect(composed.narrowest).toBeGreaterThanOrEqual(small.narrowest);
        },
      ),
    );
  });
});

describe('tiledRuns', () => {
  /** `8 of 24 with 36 of 4` for each run of windows; `|` before its runs of filters if lanes are along them. */
  const text = (windows: number, filters: number, microkernel: MicrokernelShape, edges: Edges): string =>
    tiledRuns({ windows, filters }, microkernel, edges, 4)
      .map((run) => {
        const [ofWindows, ...ofFilters] = [run.windows, ...run.filters].map(
          ({ size, width }) => `${size / (width ?? size)} of ${width ?? 'scalar'}`,
        );
        return `${ofWindows!} ${run.lanes === 'filters' ? 'along' : 'with'} ${ofFilters.join(' + ')}`;
      })
      .join(', ');

  it.each([
    [196, 144, 24, 4, 'small', '8 of 24 with 36 of 4, 1 of 4 with 36 of 4'],
    [196, 144, 24, 4, 'transposed', '8 of 24 with 36 of 4, 1 of 4 along 9 of 16'],
    [196, 144, 48, 8, 'transposed', '4 of 48 with 18 of 8, 1 of 4 along 2 of 64 + 1 of 16'],
    [169, 104, 24, 4, 'transposed', '7 of 24 with 26 of 4, 1 of 1 along 1 of 64 + 1 of 40'],
    // At least two of the narrowest vectors.
    [225, 74, 24, 4, 'transposed', '9 of 24 with 18 of 4 + 1 of 2, 1 of 9 along 9 of 8 + 1 of 2'],
    [239, 16, 24, 4, 'transposed', '9 of 24 with 4 of 4, 1 of 23 along 2 of 8'],
    [193, 160, 48, 8, 'transposed', '4 of 48 with 20 of 8, 1 of 1 along 2 of 64 + 1 of 32'],
    // Without whole tiles and a remainder of the windows, nothing is transposed.
    [9, 18, 24, 4, 'transposed', '1 of 9 with 4 of 4 + 1 of 2'],
    [48, 18, 24, 4, 'transposed', '2 of 24 with 4 of 4 + 1 of 2'],
  ] as const)(
    '%i windows, %i filters in tiles of %ix%i, %s: %s',
    (windows, filters, w, f, edges, expected) => {
      expect(text(windows, filters, { windows: w, filters: f }, edges)).toBe(expected);
    },
  );
});
