import { expect, it } from 'vitest';
import { hierarchy } from '../src/index.ts';

const fractions = { l1: 1, l2: 1, l3: 1 };
const cache = (bytes: number, ways?: number) => ({
  bytes,
  lineBytes: 64,
  latency: 4,
  sharing: 'core' as const,
  ...(ways === undefined ? {} : { ways }),
});

it.each([
  [1024, 4, { lines: 16, sets: 4 }],
  [1000, 4, { lines: 15, sets: 3 }],
  [1024, 16, { lines: 16, sets: 1 }],
  [1024, 99, { lines: 16, sets: 1 }],
  [1024, undefined, { lines: 16, sets: 1 }],
])('a cache of %d bytes and %s ways has %j', (bytes, ways, expected) => {
  const machine = { name: 'm', cache: { l1: cache(bytes, ways) }, memoryLatency: 100 };
  const { geometry, latency } = hierarchy(machine, fractions);
  expect(geometry.l1).toEqual({ ...expected, lineBytes: 64 });
  expect(geometry.l2.lines).toBe(0);
  expect(latency).toEqual({ l1: 4, l2: 100, l3: 100, memory: 100 });
});
