import { describe, expect, it } from 'vitest';
import {
  avx2,
  kernelFamily,
  kernelShares,
  kernelUnrolls,
  keptKernels,
  sconvDefaults,
  targets,
} from '../src/index.ts';

const plain = { channels: 1, tapRows: 1, tapColumns: 1 };

describe('kernelUnrolls', () => {
  it('are the four classes of each number of taps, and unrolled channels', () => {
    const all = kernelUnrolls([3]).map(({ channels, tapRows, tapColumns }) => [
      channels,
      tapRows,
      tapColumns,
    ]);
    expect(all).toEqual([
      [1, 1, 1],
      [2, 1, 1],
      [4, 1, 1],
      [1, 1, 3],
      [1, 3, 1],
      [1, 3, 3],
    ]);
  });
});

describe('keptKernels', () => {
  it('are those from a share of the best on, without classes that have none', () => {
    const shares = [[0.2, 0.85, 0.84, 0.9], [0.5, 0.6], [1]];
    const family = { lanes: 8, grids: [{ unroll: plain, shares }], source: 'a test' };
    expect(keptKernels(family)).toEqual({
      lanes: 8,
      classes: [
        { unroll: plain, vectors: 1, heights: [2, 4] },
        { unroll: plain, vectors: 3, heights: [1] },
      ],
      source: 'a test',
    });
    expect(keptKernels(family, 0.6).classes.map(({ heights }) => heights)).toEqual([[2, 3, 4], [2], [1]]);
  });
});

describe('kernels of a target', () => {
  it('are estimated by the bounds of its unit where none are measured, and say so', () => {
    const { kernels: _, ...unmeasured } = avx2;
    const { classes, source, lanes } = kernelFamily(unmeasured)!;
    expect({ lanes, source }).toEqual({ lanes: 8, source: expect.stringMatching(/not measured/) as string });
    // Seven or eight sums hide the latency; sixteen registers hold twelve of two or three vectors.
    const heights = classes.filter(
      ({ unroll }) => unroll.tapRows * unroll.tapColumns * unroll.channels === 1,
    );
    expect(heights.map((each) => [each.vectors, each.heights])).toEqual([
      [1, [7, 8, 9, 10, 11, 12, 13, 14]],
      [2, [4, 5, 6]],
      [3, [3, 4]],
      [4, [2]],
    ]);
    expect(kernelShares(unmeasured)!.fingerprint).toBeUndefined();
  });

  it('have a best one, and tell what measured them', () => {
    for (const each of targets) {
      const shares = kernelShares(each);
      if (shares === undefined) continue;
      expect(Math.max(...shares.grids.flatMap((grid) => grid.shares.flat())), each.name).toBe(1);
      expect(shares.fingerprint === undefined, each.name).toBe(each.kernels === undefined);
    }
  });

  it('are unknown without vectors', () => {
    expect(kernelFamily(sconvDefaults)).toBeUndefined();
  });
});
