import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sconvDefaults } from '@sconv/targets';
import {
  edgeKinds,
  extentsOf,
  parseShape,
  planConvolution,
  planOfTiling,
  slice,
  slicingNest,
  spansOf,
  type Edges,
  type SlicedConvolution,
} from '../src/index.ts';
import {
  foldPlan,
  planPaths,
  printPlan,
  type ConvolutionDimension,
  type Extents,
  type Plan,
} from '@sconv/plans';
import { arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

type Position = Record<ConvolutionDimension, number>;

interface Packed {
  readonly from: number;
  readonly to: number;
  readonly channel: number;
}

/** Executes a plan: counts the channels accumulated for each (image, filter, window), and checks packing. */
const coverage = (sliced: SlicedConvolution, plan: Plan): Map<string, number> => {
  const channels = new Map<string, number>();
  const add = (at: Position, { windows, filters, channels: count }: Extents): void => {
    for (let filter = at.filters; filter < at.filters + filters; filter += 1) {
      for (let window = at.windows; window < at.windows + windows; window += 1) {
        const key = [at.batch, at.group, filter, window].join(' ');
        channels.set(key, (channels.get(key) ?? 0) + count);
      }
    }
  };
  /** Where each operand's packed tiles begin and end. */
  const packed: Record<'input' | 'filters', Packed | undefined> = { input: undefined, filters: undefined };
  const run = (node: Plan, at: Position, extents: Extents): void => {
    switch (node.kind) {
      case 'loop':
        for (let i = 0; i < node.count; i += 1) {
          const inner = { ...extents, [node.dimension]: node.step };
          run(node.body, { ...at, [node.dimension]: at[node.dimension] + i * node.step }, inner);
        }
        break;
      case 'split': {
        let from = at[node.dimension];
        for (const { size, body } of node.parts) {
          run(body, { ...at, [node.dimension]: from }, { ...extents, [node.dimension]: size });
          from += size;
        }
        break;
      }
      case 'pack': {
        const dimension = node.operand === 'input' ? 'windows' : 'filters';
        const from = at[dimension];
        packed[node.operand] = { from, to: from + extents[dimension], channel: at.channels };
        run(node.body, at, extents);
        packed[node.operand] = undefined;
        break;
      }
      case 'kernel':
        expect(node.extents).toEqual(extents);
        for (const [operand, start, width] of [
          ['input', at.windows, extents.windows],
          ['filters', at.filters, extents.filters],
        ] as const) {
          expect(packed[operand]?.channel).toBe(at.channels);
          expect(start).toBeGreaterThanOrEqual(packed[operand]!.from);
          expect(start + width).toBeLessThanOrEqual(packed[operand]!.to);
        }
        add(at, extents);
        break;
      case 'scalar':
        expect(node.extents).toEqual(extents);
        for (let group = 0; group < extents.group; group += 1) {
          for (let batch = 0; batch < extents.batch; batch += 1)
            add({ ...at, group: at.group + group, batch: at.batch + batch }, extents);
        }
        break;
    }
  };
  run(plan, { batch: 0, group: 0, channels: 0, windows: 0, filters: 0 }, extentsOf(sliced));
  return channels;
};

const print = (plan: Plan): string =>
  foldPlan<ConvolutionDimension, (indent: string) => readonly string[]>(plan, {
    loop:
      ({ dimension, step, count }, body) =>
      (indent) => [`${indent}${count} x ${step} ${dimension}`, ...body(`${indent}  `)],
    split:
      ({ dimension, parts }, bodies) =>
      (indent) =>
        bodies.flatMap((body, i) => [`${indent}${parts[i]!.size} ${dimension}:`, ...body(`${indent}  `)]),
    pack:
      ({ operand, tiles }, body) =>
      (indent) => [`${indent}pack ${tiles} of ${operand}`, ...body(indent)],
    kernel:
      ({ extents: { windows, filters, channels } }) =>
      (indent) => [`${indent}kernel ${windows}x${filters}x${channels}`],
    scalar:
      ({ extents: { windows, filters, channels } }) =>
      (indent) => [`${indent}scalar ${windows}x${filters}x${channels}`],
  })('').join('\n');

describe('planOfTiling', () => {
  it.each(edgeKinds)(
    'computes every output once, over all channels, from tiles that lie packed: %s',
    (edges) => {
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
            const tiling = {
              schedule,
              nc: 1 + (random.nc % sliced.channels),
              k2: 1 + (random.k2 % Math.max(1, moving)),
              k3: 1 + (random.k3 % Math.max(1, stationary)),
            };
            const plan = planOfTiling(sliced, tiling, edges);
            const channels = coverage(sliced, plan);
            expect(channels.size).toBe(shape.batch * shape.filters * shape.outputHeight * shape.outputWidth);
            expect(new Set(channels.values())).toEqual(new Set([sliced.channels]));
            const scalars = planPaths(plan).filter(({ leaf }) => leaf.kind === 'scalar');
            if (edges !== 'scalar') expect(scalars).toEqual([]);
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  it('is that of ST Listing 7 for Listing 1', () => {
    const { tree } = planConvolution(parseShape('1x32x152x152,256x32x3x3,s2'), sconvDefaults);
    expect(print(tree)).toMatchInlineSnapshot(`
      "5616 windows:
        5568 windows:
          1 x 1 batch
            1 x 32 channels
              4 x 1392 windows
                1 x 256 filters
                  pack 32 of filters
                  87 x 16 windows
                    pack 1 of input
                    32 x 8 filters
                      kernel 16x8x32
        48 windows:
          1 x 1 batch
            1 x 32 channels
              1 x 48 windows
                1 x 256 filters
                  pack 32 of filters
                  3 x 16 windows
                    pack 1 of input
                    32 x 8 filters
                      kernel 16x8x32
      9 windows:
        scalar 9x256x32"
    `);
  });

  it.each([
    ['no edge', '1x1x4x6,8x1x1x1', []],
    ['windows', '1x1x5x5,8x1x1x1', ['24-25 x 0-8']],
    ['filters', '1x1x4x6,9x1x1x1', ['0-24 x 8-9']],
    ['filters, then windows over all filters', '1x1x5x5,9x1x1x1', ['0-24 x 8-9', '24-25 x 0-9']],
    ['all, with fewer windows than a tile', '1x1x1x3,9x1x1x1', ['0-3 x 0-9']],
    ['all, with fewer filters than a tile', '1x1x5x5,3x1x1x1', ['0-25 x 0-3']],
    ['all, with fewer of both', '1x1x1x3,3x1x1x1', ['0-3 x 0-3']],
  ])('leaves an edge of %s', (_, shape, expected) => {
    const sliced = slice(parseShape(shape), { windows: 4, filters: 4 });
    const plan = planOfTiling(sliced, { schedule: 'is', nc: 1, k2: 1, k3: 1 });
    const edges = planPaths(plan).filter(({ leaf }) => leaf.kind === 'scalar');
    expect(
      edges.map((path) => {
        const { windows, filters } = spansOf(path);
        return `${windows.from}-${windows.to} x ${filters.from}-${filters.to}`;
      }),
    ).toEqual(expected);
  });

  it('splits at K2, then K3, then Nc', () => {
    const sliced = slice(parseShape('1x5x1x20,12x5x1x1'), { windows: 4, filters: 4 });
    const plan = planOfTiling(sliced, { schedule: 'is', nc: 2, k2: 2, k3: 3 });
    expect(
      planPaths(plan).map((path) => {
        const { windows, filters, channels } = spansOf(path);
        const nest = slicingNest(path);
        return [
          `${windows.from}-${windows.to} ${filters.from}-${filters.to} ${channels.from}-${channels.to}`,
          nest?.nc,
          nest?.k2,
          nest?.k3,
        ];
      }),
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

  /** The leaves of a plan of 25 windows and 10 filters in tiles of 16 and 8. */
  const leavesOf = (shape: string, edges: Edges): readonly string[] => {
    const sliced = slice(parseShape(shape), { windows: 16, filters: 8 });
    const plan = planOfTiling(sliced, { schedule: 'ws', nc: 2, k2: 1, k3: 1 }, edges);
    return planPaths(plan).map(({ leaf, ...path }) => {
      const { windows, filters } = spansOf({ leaf, ...path });
      const { windows: width, filters: height } = leaf.extents;
      return `${leaf.kind} ${width}x${height} in ${windows.from}-${windows.to} x ${filters.from}-${filters.to}`;
    });
  };

  it.each([
    [
      'scalar',
      '1x2x5x5,10x2x1x1',
      ['kernel 16x8 in 0-16 x 0-8', 'scalar 16x2 in 0-16 x 8-10', 'scalar 9x10 in 16-25 x 0-10'],
    ],
    [
      'small',
      '1x2x5x5,10x2x1x1',
      [
        'kernel 16x8 in 0-16 x 0-8',
        'kernel 16x2 in 0-16 x 8-10',
        'kernel 9x8 in 16-25 x 0-8',
        'kernel 9x2 in 16-25 x 8-10',
      ],
    ],
    ['composed', '1x2x5x5,10x2x1x1', ['kernel 13x5 in 0-13 x 0-10', 'kernel 12x5 in 13-25 x 0-10']],
    ['scalar', '1x2x5x5,4x2x1x1', ['scalar 25x4 in 0-25 x 0-4']],
    ['scalar', '1x2x3x3,8x2x1x1', ['scalar 9x8 in 0-9 x 0-8']],
    ['small', '1x2x3x3,4x2x1x1', ['kernel 9x4 in 0-9 x 0-4']],
    ['composed', '1x2x3x3,4x2x1x1', ['kernel 9x4 in 0-9 x 0-4']],
  ] as const)('leaves edges %s: %s', (edges, shape, leaves) => {
    expect(leavesOf(shape, edges)).toEqual(leaves);
  });
});

it('prints the plan of a convolution', () => {
  const shape = parseShape('1x32x152x152,256x32x3x3,s2');
  expect(printPlan(planConvolution(shape, sconvDefaults).tree)).toMatchInlineSnapshot(`
    "part windows 5616
      part windows 5568
        loop batch 1 x 1
          loop channels 1 x 32
            loop windows 4 x 1392
              loop filters 1 x 256
                pack filters 32
                loop windows 87 x 16
                  pack input 1
                  loop filters 32 x 8
                    kernel along windows: batch 1, channels 32, filters 8, group 1, windows 16
      part windows 48
        loop batch 1 x 1
          loop channels 1 x 32
            loop windows 1 x 48
              loop filters 1 x 256
                pack filters 32
                loop windows 3 x 16
                  pack input 1
                  loop filters 32 x 8
                    kernel along windows: batch 1, channels 32, filters 8, group 1, windows 16
    part windows 9
      scalar: batch 1, channels 32, filters 256, group 1, windows 9
    "
  `);
});
