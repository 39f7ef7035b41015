import { machineFromFigures } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import {
  cacheSimulator,
  edgeKinds,
  costModels,
  hierarchy,
  planOfTiling,
  parseShape,
  slice,
  streamAccesses,
  trafficOfPlan,
  type Served,
  type Tiling,
} from '../src/index.ts';

const machine = machineFromFigures({
  name: 'small-caches',
  cacheBytes: [4096, 32_768, 262_144],
  lineBytes: 64,
  latencyCycles: [4, 14, 50, 200],
  ways: 8,
  source: 'a test',
});
const caches = hierarchy(machine, { l1: 0.9, l2: 0.9, l3: 0.9 });

type Case = readonly [
  shape: string,
  microkernel: readonly [number, number],
  tiling: Tiling,
  served: readonly [l1: number, l2: number, l3: number, memory: number],
];

/** Plans with remainders in every dimension, and the accesses that the model expects of each level. */
const cases: readonly Case[] = [
  ['1x12x16x16,20x12x1x1', [16, 4], { schedule: 'is', nc: 5, k2: 2, k3: 3 }, [34497, 1523.4, 65.1, 586.5]],
  ['1x12x16x16,20x12x1x1', [16, 4], { schedule: 'ws', nc: 5, k2: 3, k3: 2 }, [34505.9, 1500, 79.6, 586.5]],
  [
    '1x24x16x16,24x24x3x3',
    [8, 4],
    { schedule: 'is', nc: 7, k2: 4, k3: 10 },
    [403119.1, 28616.1, 1319.7, 1441.2],
  ],
  [
    '1x24x16x16,24x24x3x3',
    [8, 4],
    { schedule: 'ws', nc: 9, k2: 10, k3: 4 },
    [390935, 34622.3, 5195.1, 1439.7],
  ],
  [
    '1x16x31x31,32x16x3x3,s2',
    [8, 4],
    { schedule: 'is', nc: 16, k2: 3, k3: 5 },
    [409601.2, 38137.1, 5459, 2034.7],
  ],
  [
    '1x16x31x31,32x16x3x3,s2',
    [8, 4],
    { schedule: 'ws', nc: 6, k2: 7, k3: 3 },
    [409943.2, 29070.4, 3116.6, 1837.8],
  ],
  [
    '1x96x14x14,48x96x1x1',
    [8, 4],
    { schedule: 'is', nc: 40, k2: 5, k3: 9 },
    [307606.3, 39392.9, 5320.7, 2880.1],
  ],
  [
    '1x96x14x14,48x96x1x1',
    [8, 4],
    { schedule: 'ws', nc: 40, k2: 9, k3: 5 },
    [303094.4, 42381.8, 6843.7, 2880.1],
  ],
  ['1x128x8x8,32x128x1x1', [8, 16], { schedule: 'is', nc: 8, k2: 2, k3: 2 }, [79568, 21904, 0, 928]],
  ['1x128x8x8,32x128x1x1', [8, 16], { schedule: 'ws', nc: 8, k2: 4, k3: 1 }, [87013.6, 14458.4, 0, 928]],
  [
    '2x16x12x20,8x8x3x1,d2x1,g2',
    [6, 2],
    { schedule: 'is', nc: 3, k2: 2, k3: 7 },
    [59367.2, 653.3, 0, 1163.5],
  ],
  ['2x16x12x20,8x8x3x1,p1,g2', [6, 2], { schedule: 'ws', nc: 5, k2: 7, k3: 1 }, [139137.2, 5863.8, 0, 1175]],
];

const slicedOf = ([shape, [windows, filters]]: Case) => slice(parseShape(shape), { windows, filters });

describe.each(cases)('of %s by %j and %j', (...given) => {
  const [, , tiling, [l1, l2, l3, memory]] = given;
  const sliced = slicedOf(given);
  const { accesses, cycles } = costModels.traffic(sliced, tiling, caches);
  it('each level serves what is expected', () => {
    expect(accesses.l1).toBeCloseTo(l1, 0);
    expect(accesses.l2).toBeCloseTo(l2, 0);
    expect(accesses.l3).toBeCloseTo(l3, 0);
    expect(accesses.memory).toBeCloseTo(memory, 0);
  });
  it('they are priced by the latencies', () => {
    expect(cycles).toBeCloseTo(
      4 * accesses.l1 + 14 * accesses.l2 + 50 * accesses.l3 + 200 * accesses.memory,
      3,
    );
  });
  it('there are about as many as in a simulation, and of the far ones not many more', () => {
    const simulator = cacheSimulator(machine);
    streamAccesses(sliced, planOfTiling(sliced, tiling), { lineBytes: 64 }, simulator.touch);
    const served = simulator.served();
    const all = served.l1 + served.l2 + served.l3 + served.memory;
    expect((l1 + l2 + l3 + memory) / all).toBeCloseTo(1, 1);
    expect((l2 + l3 + memory) / (served.l2 + served.l3 + served.memory)).toBeLessThan(1.7);
    expect((l2 + l3 + memory) / (served.l2 + served.l3 + served.memory)).toBeGreaterThan(0.3);
  });
});

describe('trafficOfPlan', () => {
  it('counts the accesses of all kernels, as many as the simulated plan has', () => {
    const uneven = slice(parseShape('1x12x7x7,22x12x3x3'), { windows: 8, filters: 4 });
    for (const edges of edgeKinds) {
      const plan = planOfTiling(uneven, { schedule: 'is', nc: 5, k2: 2, k3: 2 }, edges);
      const simulator = cacheSimulator(machine);
      streamAccesses(uneven, plan, { lineBytes: 64 }, simulator.touch);
      const total = ({ l1, l2, l3, memory }: Served) => l1 + l2 + l3 + memory;
      const predicted = total(trafficOfPlan(uneven, plan, caches).accesses);
      expect(predicted / total(simulator.served())).toBeCloseTo(1, 1);
    }
  });
});
