import { machineFromFigures } from '@sconv/targets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cacheSimulator,
  loopTreeOf,
  parseShape,
  slice,
  streamAccesses,
  type MachineCaches,
} from '../src/index.ts';
import { arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

/** Lines of 64 bytes; `ways` in each set, or fully associative. */
const machine = (cacheBytes: readonly number[], ways?: number): MachineCaches =>
  machineFromFigures({
    name: 'simulated',
    cacheBytes,
    lineBytes: 64,
    latencyCycles: [4, 14, 50, 200],
    ...(ways === undefined ? {} : { ways }),
    source: 'a test',
  });

const run = (caches: MachineCaches, lines: readonly number[]) => {
  const simulator = cacheSimulator(caches);
  for (const line of lines) simulator.touch(line * 64 + 8, 0);
  return simulator.served();
};

describe('the simulator', () => {
  it.each([
    ['hits what it holds', [0, 1, 0, 1], { l1: 2, memory: 2 }],
    ['evicts the least recently used', [0, 1, 0, 2, 0, 1], { l1: 2, memory: 4 }],
    ['thrashes on a cycle one longer than itself', [0, 1, 2, 0, 1, 2], { l1: 0, memory: 6 }],
  ])('of two lines %s', (_, lines, served) => {
    expect(run(machine([128]), lines)).toMatchObject(served);
  });

  it('maps lines to sets', () => {
    // Two sets of one way: 0 and 2 conflict, 1 does not.
    expect(run(machine([128], 1), [0, 1, 0, 1, 2, 0, 1])).toMatchObject({ l1: 3, memory: 4 });
  });

  it('serves from the nearest level that holds the line', () => {
    expect(run(machine([64, 128, 256]), [0, 1, 0, 2, 3, 0])).toEqual({ l1: 0, l2: 1, l3: 1, memory: 4 });
  });

  it('counts further accesses to the same line as hits', () => {
    const simulator = cacheSimulator(machine([128]));
    simulator.touch(0, 15);
    expect(simulator.served()).toEqual({ l1: 15, l2: 0, l3: 0, memory: 1 });
  });

  it('agrees with a list of the most recent lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 80 }), { maxLength: 300 }),
        fc.constantFrom(1, 2, 8, 48),
        fc.constantFrom(1, 4),
        (lines, ways, sets) => {
          const recent = new Map<number, number[]>();
          let hits = 0;
          for (const line of lines) {
            const set = recent.get(line % sets) ?? [];
            if (set.includes(line)) hits += 1;
            recent.set(line % sets, [line, ...set.filter((other) => other !== line)].slice(0, ways));
          }
          expect(run(machine([ways * sets * 64], ways), lines).l1).toBe(hits);
        },
      ),
    );
  });

  it('refuses levels with different lines', () => {
    const l1 = { bytes: 128, lineBytes: 64, latency: 4, sharing: 'core' } as const;
    expect(() =>
      cacheSimulator({ cache: { l1, l2: { ...l1, lineBytes: 128 } }, memoryLatency: 200 }),
    ).toThrow(/one line size/);
  });
});

describe('the access stream', () => {
  it('of a pointwise convolution of one tile is packing, reduction, output', () => {
    const sliced = slice(parseShape('1x2x1x4,4x2x1x1'), { windows: 4, filters: 4 });
    const touched: [number, number][] = [];
    streamAccesses(
      sliced,
      loopTreeOf(sliced, { schedule: 'is', nc: 2, k2: 1, k3: 1 }),
      { lineBytes: 64 },
      (address, more) => touched.push([address, more + 1]),
    );
    const [input, filters, output, packedInput, packedFilters] = [0, 64, 128, 192, 256];
    const filterColumn = (channel: number) =>
      [0, 1, 2, 3].map((filter) => [filters + filter * 8 + channel * 4, 1]);
    expect(touched).toEqual([
      // K2 = 1 filter tile, [channel][filter]; each of four filters holds two channels.
      ...filterColumn(0),
      [packedFilters, 4],
      ...filterColumn(1),
      [packedFilters + 16, 4],
      // One input tile, [channel][window].
      [input, 4],
      [packedInput, 4],
      [input + 16, 4],
      [packedInput + 16, 4],
      // One vector of windows and four scalars a step.
      [packedInput, 1],
      [packedFilters, 4],
      [packedInput + 16, 1],
      [packedFilters + 16, 4],
      // Each row of the tile loaded and stored.
      ...[0, 1, 2, 3].flatMap((filter) => [
        [output + filter * 16, 1],
        [output + filter * 16, 1],
      ]),
    ]);
  });

  it('stays within the tensors', () => {
    fc.assert(
      fc.property(arbitraryShape(7), arbitraryMicrokernel, (shape, microkernel) => {
        const sliced = slice(shape, microkernel);
        const tree = loopTreeOf(sliced, { schedule: 'ws', nc: 2, k2: 2, k3: 2 });
        let most = 0;
        streamAccesses(sliced, tree, { lineBytes: 64 }, (address, more) => {
          expect(address).toBeGreaterThanOrEqual(0);
          expect(Math.floor(address / 64)).toBe(Math.floor((address + more) / 64));
          most = Math.max(most, address);
        });
        const input = shape.batch * shape.inputChannels * shape.inputHeight * shape.inputWidth;
        const filters = (shape.filters * shape.inputChannels * sliced.taps) / shape.groups;
        const outputs = shape.batch * shape.filters * sliced.windows;
        const packed = 2 * sliced.taps * (2 * microkernel.windows + microkernel.filters);
        expect(most).toBeLessThan((input + filters + outputs + packed) * 4 + 5 * 64);
      }),
      { numRuns: 40 },
    );
  });
});
