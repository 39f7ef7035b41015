import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convolution, planConvolution } from '@sconv/csa';
import type { Plan } from '@sconv/csa';
import { machineFromFigures, sconvDefaults } from '@sconv/targets';
import { fragmentsOf, splitTree } from '../src/index.ts';

const listing1 = convolution({
  inputChannels: 32,
  inputHeight: 152,
  inputWidth: 152,
  filters: 256,
  filterHeight: 3,
  filterWidth: 3,
  strides: { h: 2, w: 2 },
});

/** Plans on machines with small caches, so that every parameter is cut. */
const plans: fc.Arbitrary<Plan> = fc
  .record({
    channels: fc.integer({ min: 1, max: 70 }),
    filters: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 3, max: 25 }),
    width: fc.integer({ min: 3, max: 25 }),
    windows: fc.integer({ min: 1, max: 16 }),
    tile: fc.integer({ min: 1, max: 8 }),
    l1: fc.integer({ min: 200, max: 4000 }),
    schedule: fc.constantFrom('is' as const, 'ws' as const),
  })
  .map(({ channels, filters, height, width, windows, tile, l1, schedule }) =>
    planConvolution(
      convolution({
        inputChannels: channels,
        inputHeight: height,
        inputWidth: width,
        filters,
        filterHeight: 3,
        filterWidth: 3,
      }),
      {
        machine: machineFromFigures({
          name: 'test',
          cacheBytes: [l1, l1 * 3, l1 * 9],
          lineBytes: 64,
          latencyCycles: [2, 10, 30, 300],
          source: 'test',
        }),
        microkernel: { windows, filters: tile },
      },
      { schedule },
    ),
  );

describe('splitTree', () => {
  it("gives the fragments of the paper's example: 5568 + 48 + 9 windows (ST §5.2)", () => {
    const plan = planConvolution(listing1, sconvDefaults);
    expect(fragmentsOf(splitTree(plan, 'scalar'))).toEqual([
      {
        windows: 5568,
        filters: 256,
        channels: 32,
        microkernel: { windows: 16, filters: 8 },
        tile: { windows: 1392, filters: 256, channels: 32 },
      },
      {
        windows: 48,
        filters: 256,
        channels: 32,
        microkernel: { windows: 16, filters: 8 },
        tile: { windows: 48, filters: 256, channels: 32 },
      },
      {
        windows: 9,
        filters: 256,
        channels: 32,
        microkernel: undefined,
        tile: { windows: 9, filters: 256, channels: 32 },
      },
    ]);
  });

  it('cuts the windows of a tile off the edge, then those of the tiling', () => {
    const plan = planConvolution(listing1, sconvDefaults);
    const [first, second, edge] = fragmentsOf(splitTree(plan, 'scalar'));
    expect(splitTree(plan, 'scalar')).toEqual({
      kind: 'cut',
      dimension: 'windows',
      at: 5616,
      low: {
        kind: 'cut',
        dimension: 'windows',
        at: 5568,
        low: { kind: 'fragment', fragment: first },
        high: { kind: 'fragment', fragment: second },
      },
      high: { kind: 'fragment', fragment: edge },
    });
  });

  it('tiles the edge by a smaller microkernel when asked to', () => {
    const plan = planConvolution(listing1, sconvDefaults);
    const kernels = fragmentsOf(splitTree(plan, 'small')).map(({ microkernel }) => microkernel);
    expect(kernels[2]).toEqual({ windows: 9, filters: 8 });
  });

  it('covers the domain, and every tile divides what it tiles', () => {
    fc.assert(
      fc.property(plans, fc.constantFrom('scalar' as const, 'small' as const), (plan, edges) => {
        const fragments = fragmentsOf(splitTree(plan, edges));
        const { outputHeight, outputWidth, filters, inputChannels } = plan.shape;
        const volume = fragments.reduce((sum, each) => sum + each.windows * each.filters * each.channels, 0);
        expect(volume).toBe(outputHeight * outputWidth * filters * inputChannels);
        for (const { microkernel, tile, ...extents } of fragments) {
          for (const dimension of ['windows', 'filters', 'channels'] as const) {
            expect(extents[dimension] % tile[dimension]).toBe(0);
          }
          if (microkernel === undefined) continue;
          expect([tile.windows % microkernel.windows, tile.filters % microkernel.filters]).toEqual([0, 0]);
        }
        if (edges === 'small')
          expect(fragments.every(({ microkernel }) => microkernel !== undefined)).toBe(true);
      }),
    );
  });
});
