import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sconvDefaults } from '@sconv/targets';
import {
  loopTreeOf,
  parseShape,
  planConvolution,
  slice,
  type LoopDimension,
  type LoopTree,
  type LoopTreeNode,
  type SlicedConvolution,
} from '../src/index.ts';
import { arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

type Position = Record<LoopDimension, number>;

/** Executes a tree: counts for each (image, filter, window) how many channels were added, and checks packing. */
const coverage = (sliced: SlicedConvolution, tree: LoopTree): Map<string, number> => {
  const channels = new Map<string, number>();
  const add = (at: Position, windows: number, filters: number, count: number): void => {
    for (let filter = at.filters; filter < at.filters + filters; filter += 1) {
      for (let window = at.windows; window < at.windows + windows; window += 1) {
        const key = [at.batch, at.group, filter, window].join(' ');
        channels.set(key, (channels.get(key) ?? 0) + count);
      }
    }
  };
  /** Where each operand's packed tiles begin and end. */
  const packed = { input: { from: 0, to: 0, channel: -1 }, filters: { from: 0, to: 0, channel: -1 } };
  const walk = (nodes: readonly LoopTreeNode[], at: Position): void => {
    for (const node of nodes) {
      switch (node.kind) {
        case 'loop':
          for (let index = node.from; index < node.to; index += node.step) {
            walk(node.body, { ...at, [node.dimension]: at[node.dimension] + index });
          }
          break;
        case 'pack': {
          const [tiles, , , , width] = node.shape;
          const from = node.operand === 'input' ? at.windows : at.filters;
          packed[node.operand] = { from, to: from + tiles * width, channel: at.channels };
          expect(node.bytes).toBe(
            node.shape.reduce((product, extent) => product * extent) * sliced.elementBytes,
          );
          break;
        }
        case 'microkernel':
          expect(node).toMatchObject(sliced.microkernel);
          for (const [operand, start, width] of [
            ['input', at.windows, node.windows],
            ['filters', at.filters, node.filters],
          ] as const) {
            expect(packed[operand].channel).toBe(at.channels);
            expect(start).toBeGreaterThanOrEqual(packed[operand].from);
            expect(start + width).toBeLessThanOrEqual(packed[operand].to);
          }
          add(at, node.windows, node.filters, node.channels);
          break;
        case 'edge':
          add(at, node.windows, node.filters, node.channels);
          break;
      }
    }
  };
  const origin = { batch: 0, group: 0, channels: 0, windows: 0, filters: 0 };
  for (const { body } of [...tree.fragments, ...tree.edges]) walk(body, origin);
  return channels;
};

describe('the loop tree', () => {
  it('computes every output once, over all channels, from tiles that lie packed', () => {
    fc.assert(
      fc.property(
        arbitraryShape(9),
        arbitraryMicrokernel,
        fc.constantFrom('is' as const, 'ws' as const),
        fc.record({ nc: fc.nat(), k2: fc.nat(), k3: fc.nat() }),
        (shape, microkernel, schedule, random) => {
          const sliced = slice(shape, microkernel);
          const [stationary, moving] =
            schedule === 'is'
              ? [sliced.tiles.windows, sliced.tiles.filters]
              : [sliced.tiles.filters, sliced.tiles.windows];
          const tree = loopTreeOf(sliced, {
            schedule,
            nc: 1 + (random.nc % sliced.channels),
            k2: 1 + (random.k2 % Math.max(1, moving)),
            k3: 1 + (random.k3 % Math.max(1, stationary)),
          });
          const channels = coverage(sliced, tree);
          expect(channels.size).toBe(shape.batch * shape.filters * shape.outputHeight * shape.outputWidth);
          expect(new Set(channels.values())).toEqual(new Set([sliced.channels]));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is that of ST Listing 7 for Listing 1', () => {
    const { loops } = planConvolution(parseShape('1x32x152x152,256x32x3x3,s2'), sconvDefaults);
    const lines: string[] = [];
    const print = (nodes: readonly LoopTreeNode[], indent: string): void => {
      for (const node of nodes) {
        if (node.kind === 'loop') {
          lines.push(`${indent}for ${node.dimension} = ${node.from} to ${node.to} step ${node.step}`);
          print(node.body, `${indent}  `);
        } else if (node.kind === 'pack') {
          lines.push(`${indent}pack ${node.operand} ${node.shape.join('x')}`);
        } else {
          lines.push(`${indent}${node.kind} ${node.windows}x${node.filters}x${node.channels}`);
        }
      }
    };
    for (const { body } of [...loops.fragments, ...loops.edges]) print(body, '');
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "for batch = 0 to 1 step 1
        for channels = 0 to 32 step 32
          for windows = 0 to 5568 step 1392
            for filters = 0 to 256 step 256
              pack filters 32x32x3x3x8
              for windows = 0 to 1392 step 16
                pack input 1x32x3x3x16
                for filters = 0 to 256 step 8
                  microkernel 16x8x32
      for batch = 0 to 1 step 1
        for channels = 0 to 32 step 32
          for windows = 5568 to 5616 step 48
            for filters = 0 to 256 step 256
              pack filters 32x32x3x3x8
              for windows = 0 to 48 step 16
                pack input 1x32x3x3x16
                for filters = 0 to 256 step 8
                  microkernel 16x8x32
      for batch = 0 to 1 step 1
        for windows = 5616 to 5625 step 9
          for filters = 0 to 256 step 256
            edge 9x256x32"
    `);
  });

  it.each([
    ['no edge', '1x1x4x6,8x1x1x1', []],
    ['windows', '1x1x5x5,8x1x1x1', ['24-25 x 0-8']],
    ['filters', '1x1x4x6,9x1x1x1', ['0-24 x 8-9']],
    ['windows, over all filters, then filters', '1x1x5x5,9x1x1x1', ['24-25 x 0-9', '0-24 x 8-9']],
    ['all, with fewer windows than a tile', '1x1x1x3,9x1x1x1', ['0-3 x 0-9']],
    ['all, with fewer filters than a tile', '1x1x5x5,3x1x1x1', ['0-25 x 0-3']],
    ['all, with fewer of both', '1x1x1x3,3x1x1x1', ['0-3 x 0-3']],
  ])('leaves an edge of %s', (_, shape, expected) => {
    const sliced = slice(parseShape(shape), { windows: 4, filters: 4 });
    const { edges } = loopTreeOf(sliced, { schedule: 'is', nc: 1, k2: 1, k3: 1 });
    expect(
      edges.map(({ windows, filters }) => `${windows.from}-${windows.to} x ${filters.from}-${filters.to}`),
    ).toEqual(expected);
  });

  it('splits at K2, then K3, then Nc', () => {
    const sliced = slice(parseShape('1x5x1x20,12x5x1x1'), { windows: 4, filters: 4 });
    const tree = loopTreeOf(sliced, { schedule: 'is', nc: 2, k2: 2, k3: 3 });
    expect(
      tree.fragments.map(({ windows, filters, channels, nc, k2, k3 }) => [
        `${windows.from}-${windows.to} ${filters.from}-${filters.to} ${channels.from}-${channels.to}`,
        nc,
        k2,
        k3,
      ]),
    ).toEqual([
      ['0-12 0-8 0-4', 2, 2, 3],
      ['0-12 0-8 4-5', 1, 2, 3],
      ['12-20 0-8 0-4', 2, 2, 2],
      ['12-20 0-8 4-5', 1, 2, 2],
      ['0-12 8-12 0-4', 2, 1, 3],
      ['0-12 8-12 4-5', 1, 1, 3],
      ['12-20 8-12 0-4', 2, 1, 2],
      ['12-20 8-12 4-5', 1, 1, 2],
    ]);
  });
});
