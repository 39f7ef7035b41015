import type { Plan } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import { machineFromFigures } from '@sconv/targets';
import { expect, it } from 'vitest';
import type { Served } from '../src/index.ts';
import {
  cacheSimulator,
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
