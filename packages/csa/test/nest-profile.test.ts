import type { LoopNode, OpenDimension, OpenPlan, Plan } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import { machineFromFigures } from '@sconv/targets';
import { expect, it } from 'vitest';
import type { Served } from '../src/index.ts';
import { footprintsOf, missesOf, touchedByKernels } from './open-plan-lru.ts';
import {
  cacheSimulator,
  contractionOf,
  convolution,
  hierarchy,
  parseShape,
  planLimits,
  planOfTiling,
  slice,
  streamAccesses,
  trafficOfPlan,
} from '../src/index.ts';

const machine = machineFromFigures({
  name: 'small-caches',
  cacheBytes: [4096, 32_768, 262_144],
  lineBytes: 64,
  latencyCycles: [4, 14, 50, 200],
  source: 'a test',
});
const caches = hierarchy(machine, { l1: 0.9, l2: 0.9, l3: 0.9 });
const sliced = slice(parseShape('1x24x16x16,24x24x3x3'), { windows: 14, filters: 4 });

type Dimension = 'batch' | 'channels' | 'windows' | 'filters';

const loop = (dimension: Dimension, count: number, step: number, body: Plan): Plan => ({
  kind: 'loop',
  dimension,
  step,
  count,
  body,
});
const pack = (operand: 'input' | 'filters', tiles: number, body: Plan): Plan => ({
  kind: 'pack',
  operand,
  tiles,
  body,
});
const leaf = (kind: 'kernel' | 'scalar', channels: number, windows: number, filters: number): Plan => {
  const extents = { batch: 1, group: 1, channels, windows, filters };
  return kind === 'scalar' ? { kind, extents } : { kind, lanes: 'windows', extents };
};
const tile = (channels: number): Plan =>
  pack('input', 1, loop('filters', 6, 4, pack('filters', 1, leaf('kernel', channels, 14, 4))));

it.each<readonly [string, Plan]>([
  ['one level of loops', loop('windows', 14, 14, tile(24))],
  [
    'all filters packed once',
    loop(
      'filters',
      1,
      24,
      pack(
        'filters',
        6,
        loop('windows', 14, 14, pack('input', 1, loop('filters', 6, 4, leaf('kernel', 24, 14, 4)))),
      ),
    ),
  ],
  [
    'channels in parts, inside of a loop',
    loop('windows', 14, 14, {
      kind: 'split',
      dimension: 'channels',
      parts: [
        { size: 16, body: tile(16) },
        { size: 8, body: tile(8) },
      ],
    }),
  ],
  ['channels outermost', loop('channels', 3, 8, loop('windows', 14, 14, tile(8)))],
  ['loops around scalar code', loop('windows', 14, 14, loop('filters', 2, 12, leaf('scalar', 24, 14, 12)))],
  [
    'a nest of Convolution Slicing in another loop',
    loop('channels', 1, 24, planOfTiling(sliced, { schedule: 'is', nc: 8, k2: 3, k3: 7 })),
  ],
])('prices about what a simulation counts: %s', (_, plan) => {
  expect(planProblems(plan, planLimits(sliced))).toEqual([]);
  const simulator = cacheSimulator(machine);
  streamAccesses(sliced, plan, { lineBytes: 64 }, simulator.touch);
  const served = simulator.served();
  const { accesses } = trafficOfPlan(sliced, plan, caches);
  const beyond = ({ l2, l3, memory }: Served) => l2 + l3 + memory;
  const far = ({ l3, memory }: Served) => l3 + memory;
  const ratios = [
    (accesses.l1 + beyond(accesses)) / (served.l1 + beyond(served)),
    beyond(accesses) / beyond(served),
    far(accesses) / far(served),
    accesses.memory / served.memory,
  ].map((ratio) => Number(ratio.toFixed(2)));
  const [all, ...others] = ratios;
  expect(all).toBeCloseTo(1, 1);
  for (const ratio of others) expect([ratio > 0.5 && ratio < 2.5, ratios]).toEqual([true, ratios]);
});

it('counts the padding of packed filters with the others', () => {
  const filters = (padded?: number): OpenPlan => ({
    kind: 'loop',
    dimension: 'rows',
    count: 3,
    step: 1,
    body: {
      kind: 'pack',
      operand: 'filters',
      tiles: 1,
      ...(padded !== undefined && { padded }),
      body: {
        kind: 'kernel',
        lanes: 'filters',
        extents: {
          batch: 1,
          group: 1,
          channels: 64,
          filters: 17,
          rows: 1,
          columns: 3,
          tapRows: 1,
          tapColumns: 1,
        },
        tiles: [{ firstWindow: 0, windows: 3, firstFilter: 0, filters: 17 }],
      },
    },
  });
  const layer = slice(parseShape('1x64x3x3,17x64x1x1'), { windows: 3, filters: 17 });
  const lines = (padded?: number): number => {
    const { l2, l3, memory } = trafficOfPlan(layer, filters(padded), caches).accesses;
    return l2 + l3 + memory;
  };
  expect(lines(32)).toBeGreaterThan(1.2 * lines());
  const problems = (padded?: number) => planProblems(filters(padded), { ...planLimits(layer), room: 5000 });
  const isLarge = (padded?: number) => problems(padded).some(({ code }) => code === 'plan/cache');
  expect([isLarge(), isLarge(32)]).toEqual([false, true]);
});

/** xorshift32 in `[0, 1)`. */
let seed = 5;
const random = (): number => {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) / 2 ** 32;
};

const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** A nest of random loops over rows, columns and taps, which reads its operands where they lie. */
const drawNest = () => {
  const [filterHeight, filterWidth] = pick([1, 1], [1, 1], [2, 2], [1, 3], [3, 1]);
  const [rows, columns] = [pick(2, 4, 6), pick(2, 4)];
  const shape = convolution({
    batch: 1,
    groups: 1,
    inputChannels: pick(1, 2, 4),
    filters: pick(2, 4, 8),
    inputHeight: rows + filterHeight - 1,
    inputWidth: columns + filterWidth - 1,
    filterHeight: filterHeight,
    filterWidth: filterWidth,
    strides: { h: 1, w: 1 },
    dilations: { h: 1, w: 1 },
    elementType: 'f32',
  });
  const extents: Record<OpenDimension, number> = {
    batch: 1,
    group: 1,
    channels: shape.inputChannels,
    filters: shape.filters,
    rows,
    columns,
    tapRows: shape.filterHeight,
    tapColumns: shape.filterWidth,
  };
  const loops: Omit<LoopNode<OpenDimension>, 'body'>[] = [];
  for (let i = 0; i < 8; i += 1) {
    const dimension = pick('channels', 'filters', 'rows', 'columns', 'tapRows', 'tapColumns');
    const count = pick(2, 3, 4, 8);
    if (extents[dimension] % count !== 0) continue;
    extents[dimension] /= count;
    loops.push({ kind: 'loop', dimension, step: extents[dimension], count });
  }
  const nest = loops.reduceRight<OpenPlan>((body, each) => ({ ...each, body }), {
    kind: 'kernel',
    lanes: 'columns',
    extents,
  });
  return { shape, nest, contraction: contractionOf(shape) };
};

/** The misses of a cache of so many elements: predicted, and those of LRU. */
const missesIn = ({ shape, nest, contraction }: ReturnType<typeof drawNest>, capacity: number) => {
  const cache = machineFromFigures({
    name: 'elements',
    cacheBytes: [4 * capacity, 0, 0],
    lineBytes: 4,
    latencyCycles: [1, 1, 1, 10],
    source: 'a test',
  });
  const ofElements = slice(shape, { windows: 1, filters: 1 });
  const { accesses } = trafficOfPlan(ofElements, nest, hierarchy(cache, { l1: 1, l2: 1, l3: 1 }));
  return [accesses.memory, missesOf(touchedByKernels(nest, contraction), capacity)] as const;
};

const cases = process.env['THOROUGH'] === undefined ? 20 : 500;

it('predicts what LRU misses where bodies of loops take at most half of the cache, or at least two of it', () => {
  const differing: number[] = [];
  for (let i = 0; i < cases;) {
    const drawn = drawNest();
    const footprints = footprintsOf(drawn.nest, drawn.contraction);
    const gap = footprints.findIndex((each, at) => each >= 4 * (footprints[at + 1] ?? Infinity));
    if (gap < 0) continue;
    const [predicted, missed] = missesIn(drawn, Math.floor(footprints[gap]! / 2));
    i += 1;
    if (predicted === missed) continue;
    // Windows that overlap may be touched again sooner than after the whole body, on both sides of its end.
    expect(drawn.shape.filterHeight * drawn.shape.filterWidth).toBeGreaterThan(1);
    differing.push(Math.abs(predicted / missed - 1));
  }
  expect(differing.length / cases).toBeLessThanOrEqual(0.05);
  expect(Math.max(0, ...differing)).toBeLessThan(0.05);
});

it('predicts what LRU misses elsewhere within 5 % in the median, and in the same order', () => {
  const drawn = Array.from({ length: cases }, () => {
    const each = drawNest();
    const [whole] = footprintsOf(each.nest, each.contraction);
    return missesIn(each, Math.max(4, Math.floor(whole! * (0.1 + 0.8 * random()))));
  });
  const errors = drawn.map(([predicted, missed]) => Math.abs(predicted / missed - 1)).sort((a, b) => a - b);
  expect(errors[cases / 2]).toBeLessThan(0.05);
  const ranksOf = (values: readonly number[]): readonly number[] =>
    values.map((value) => values.filter((other) => other < value).length);
  const [predicted, missed] = [0, 1].map((side) => ranksOf(drawn.map((each) => each[side]!)));
  const squares = predicted!.reduce((sum, rank, i) => sum + (rank - missed![i]!) ** 2, 0);
  expect(1 - (6 * squares) / (cases * (cases ** 2 - 1))).toBeGreaterThan(0.95);
});
