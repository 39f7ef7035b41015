import { machineFromFigures, type CacheName } from '@sconv/targets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cacheSimulator,
  costModels,
  hierarchy,
  planOfTiling,
  parseShape,
  slice,
  streamAccesses,
  tilingSpace,
  type SlicedConvolution,
  type Tiling,
} from '../src/index.ts';
import { arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

const fractions = { l1: 0.9, l2: 0.9, l3: 0.9 };

/** Tiles of 4 windows x 2 filters: #IN = 10, #FS = 6 at 8 channels; tiles of 1 and 0.5 lines per channel. */
const sliced = slice(parseShape('1x8x1x40,12x8x1x1'), { windows: 4, filters: 2 });
const tiling: Tiling = { schedule: 'is', nc: 4, k2: 4, k3: 4 };
const caches = hierarchy(
  machineFromFigures({
    name: 'sixteen-byte-lines',
    cacheBytes: [4096, 65_536, 1_048_576],
    lineBytes: 16,
    latencyCycles: [2, 10, 30, 300],
    source: 'a test',
  }),
  fractions,
);

describe('sc', () => {
  it('is Eqs. 6-14 with real division', () => {
    // Two channel sets; a window tile is 4 lines, a filter tile 2: 40 and 12 lines per set.
    const cold = 2 * (40 + 12);
    const reloads = 2 * Math.min(6 / 4 - 1, 1) * (10 / 4 - 1) * 12;
    const l3 = 2 * (6 / 4 - 1) * 40;
    const l2 = 2 * 9 * 12;
    expect(costModels.sc(sliced, tiling, caches)).toEqual({
      cycles: 10 * l2 + 30 * l3 + 300 * (cold + reloads),
      accesses: { l1: 0, l2, l3, memory: cold + reloads },
    });
  });

  it('exchanges the operands for WS', () => {
    const cold = 2 * (40 + 12);
    const reloads = 2 * Math.min(10 / 4 - 1, 1) * (6 / 4 - 1) * 40;
    expect(costModels.sc(sliced, { ...tiling, schedule: 'ws' }, caches).accesses).toEqual({
      l1: 0,
      l2: 2 * 5 * 40,
      l3: 2 * (10 / 4 - 1) * 12,
      memory: cold + reloads,
    });
  });

  it('reloads nothing where all tiles fit', () => {
    const { accesses } = costModels.sc(sliced, { schedule: 'is', nc: 8, k2: 6, k3: 10 }, caches);
    expect(accesses).toMatchObject({ l3: 0, memory: 2 * (40 + 12) });
  });
});

describe('reference', () => {
  it('divides integers, takes the larger value in Eq. 9, and reloads the output', () => {
    const cold = 2 * (40 + 12);
    // 6 div 4 - 1 = 0, so the larger of it and 1; 10 div 4 - 1 = 1.
    const reloads = 2 * 1 * 1 * 12;
    const l3 = 0;
    const l2 = 2 * 9 * 12;
    const outputs = 12 * 40;
    // (2 - 1) · 480 · 4 / 16 lines; 40·4 + 12·4 + 480 elements fit L1.
    const l1 = 2 * outputs * 8 - (cold + reloads + l3 + l2) + outputs;
    expect(costModels.reference(sliced, tiling, caches).accesses).toEqual({
      l1,
      l2,
      l3,
      memory: cold + reloads,
    });
  });

  // Two groups of two images with three taps: #IN = 10, #FS = 6 of 8 channels. A set holds 3,168 bytes where Nc is 2 and
  // 4,416 where it is 3. The 480 outputs are 120 lines, loaded again three times and once.
  const is: Tiling = { schedule: 'is', nc: 2, k2: 2, k3: 3 };
  const ws: Tiling = { schedule: 'ws', nc: 3, k2: 3, k3: 2 };
  const isOnce = { l1: 85_248 + 4 * 3 * 360, l2: 2592, l3: 1920, memory: 2400 };
  const wsOnce = { l1: 84_312 + 4 * 360, l2: 3600, l3: 432, memory: 3816 };
  it.each<[CacheName | 'memory', Tiling, readonly number[], typeof isOnce]>([
    ['l1', is, [4096, 65_536, 1_048_576], isOnce],
    // 0.9 of 3,520 bytes are 3,168.
    ['l1', is, [3520, 65_536, 1_048_576], isOnce],
    ['l2', is, [3519, 4096, 1_048_576], isOnce],
    ['l3', is, [1024, 2048, 4096], isOnce],
    ['memory', is, [1024, 2048, 3072], isOnce],
    ['memory', is, [1024, 2048, 0], isOnce],
    ['l1', ws, [8192, 65_536, 1_048_576], wsOnce],
    ['l2', ws, [4096, 65_536, 1_048_576], wsOnce],
    ['l3', ws, [1024, 2048, 8192], wsOnce],
    ['memory', ws, [1024, 2048, 4096], wsOnce],
  ])('reloads the output from %s by %j on caches of %j bytes', (level, by, cacheBytes, once) => {
    const of = slice(parseShape('2x16x1x40,24x8x1x3,p0x1,g2'), { windows: 4, filters: 2 });
    const machine = machineFromFigures({
      name: 'of some size',
      cacheBytes,
      lineBytes: 16,
      latencyCycles: [2, 10, 30, 300],
      source: 'a test',
    });
    const lines = 4 * 120 * (by === is ? 3 : 1);
    expect(costModels.reference(of, by, hierarchy(machine, fractions)).accesses).toEqual({
      ...once,
      [level]: once[level] + lines,
    });
  });
});

/** Two levels of LRU caches; the tiles of `sliced` fit both. */
const simulated = machineFromFigures({
  name: 'simulated',
  cacheBytes: [4096, 32_768, 262_144],
  lineBytes: 64,
  latencyCycles: [4, 14, 50, 200],
  ways: 8,
  source: 'a test',
});
const simulatedCaches = hierarchy(simulated, fractions);

const simulate = (of: SlicedConvolution, by: Tiling) => {
  const simulator = cacheSimulator(simulated);
  streamAccesses(of, planOfTiling(of, by), { lineBytes: 64 }, simulator.touch);
  return simulator.served();
};

const total = ({ l1, l2, l3, memory }: { l1: number; l2: number; l3: number; memory: number }): number =>
  l1 + l2 + l3 + memory;

const cycles = ({ l1, l2, l3, memory }: ReturnType<typeof simulate>): number =>
  4 * l1 + 14 * l2 + 50 * l3 + 200 * memory;

/** Share of the pairs of plans that two costs rank alike. */
const concordance = (a: readonly number[], b: readonly number[]): number => {
  let pairs = 0;
  let same = 0;
  a.forEach((first, i) => {
    a.slice(i + 1).forEach((second, offset) => {
      const [x = 0, y = 0] = [b[i], b[i + 1 + offset]];
      pairs += 1;
      if (first < second === x < y) same += 1;
    });
  });
  return same / pairs;
};

describe('traffic', () => {
  it('counts the accesses of the loop nest exactly where rows are aligned', () => {
    const aligned = slice(parseShape('1x12x16x16,20x12x1x1'), { windows: 16, filters: 4 });
    for (const schedule of ['is', 'ws'] as const) {
      for (const nc of [12, 5]) {
        const by = { schedule, nc, k2: 2, k3: 3 };
        expect(total(costModels.traffic(aligned, by, simulatedCaches).accesses)).toBeCloseTo(
          total(simulate(aligned, by)),
          6,
        );
      }
    }
  });

  it('counts them nearly everywhere', () => {
    fc.assert(
      fc.property(
        arbitraryShape(9),
        arbitraryMicrokernel,
        fc.constantFrom('is' as const, 'ws' as const),
        (shape, microkernel, schedule) => {
          const any = slice(shape, microkernel);
          const by = { schedule, nc: Math.ceil(any.channels / 2), k2: 1, k3: 1 };
          const ratio =
            total(costModels.traffic(any, by, simulatedCaches).accesses) / total(simulate(any, by));
          expect(ratio).toBeGreaterThan(0.8);
          expect(ratio).toBeLessThan(1.2);
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each(['1x96x14x14,48x96x1x1', '1x24x16x16,24x24x3x3', '1x16x31x31,32x16x3x3,s2'])(
    'orders the plans of %s as the simulator does, and better than sc',
    (text) => {
      const of = slice(parseShape(text), { windows: 8, filters: 4 });
      const space = tilingSpace(of, simulatedCaches);
      const tilings = Array.from({ length: 16 }, (_, index) =>
        space.at(Math.floor(((index + 0.5) * space.size) / 16)),
      );
      const truth = tilings.map((by) => cycles(simulate(of, by)));
      const order = (model: 'traffic' | 'sc'): number =>
        concordance(
          truth,
          tilings.map((by) => costModels[model](of, by, simulatedCaches).cycles),
        );
      expect(order('traffic')).toBeGreaterThan(0.85);
      expect(order('traffic')).toBeGreaterThan(order('sc'));
    },
  );

  it('sees the conflicts of a power-of-two stride', () => {
    // The lines of 8 filters of 128 channels are 512 bytes apart: one of L1's 8 sets, plus the packed tile.
    const of = (channels: number) =>
      slice(parseShape(`1x${channels}x8x8,32x${channels}x1x1`), { windows: 8, filters: 16 });
    const by = { schedule: 'is', nc: 8, k2: 2, k3: 2 } as const;
    const perChannel = (channels: number): number =>
      costModels.traffic(of(channels), by, simulatedCaches).accesses.l2 / channels;
    expect(perChannel(128)).toBeGreaterThan(1.5 * perChannel(120));
  });

  it('fetches a convolution smaller than a tile from memory once', () => {
    const of = slice(parseShape('1x32x2x2,3x32x1x1'), { windows: 8, filters: 4 });
    const by = { schedule: 'is', nc: 32, k2: 1, k3: 1 } as const;
    const { memory } = costModels.traffic(of, by, simulatedCaches).accesses;
    // 128 elements of input, 96 of filters, 12 of output.
    expect(simulate(of, by).memory).toBe(8 + 6 + 1);
    expect(memory).toBeGreaterThan(0.8 * 15);
    expect(memory).toBeLessThan(1.3 * 15);
  });

  it('prices all beyond the last level as memory', () => {
    const { accesses } = costModels.traffic(
      sliced,
      tiling,
      hierarchy({ cache: {}, memoryLatency: 200 }, fractions),
    );
    expect(accesses).toMatchObject({ l1: 0, l2: 0, l3: 0 });
    expect(accesses.memory).toBeGreaterThan(0);
  });
});
