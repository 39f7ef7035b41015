import { machineFromFigures } from '@sconv/targets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheSimulator, type MachineCaches } from '../src/index.ts';

/** Lines of 64 bytes; `ways`-associative, or fully associative. */
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
