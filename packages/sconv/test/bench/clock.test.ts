import { expect, it } from 'vitest';
import { clockNames, clocks } from '../../src/bench/clock.ts';

it.each(clockNames)('%s counts seconds of work', (name) => {
  const [clock, wall] = [clocks[name], clocks.wall];
  const [start, begin] = [clock(), wall()];
  while (clock() === start && wall() - begin < 10);
  expect(clock()).toBeGreaterThan(start);
});
