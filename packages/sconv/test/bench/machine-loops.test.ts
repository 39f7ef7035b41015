import { expect, it } from 'vitest';
import { clocks } from '../../src/bench/clock.ts';
import { enableRelaxedSimd } from '../../src/relaxed-simd.ts';
import { arithmeticPeak, streamingTime } from '../../src/bench/machine-loops.ts';

it.each([false, true])('measures the peak of the arithmetic, relaxed: %s', (relaxed) => {
  expect(enableRelaxedSimd()).toBe(true);
  const peak = arithmeticPeak(relaxed, clocks.wall)();
  expect(Number.isFinite(peak) && peak > 0).toBe(true);
});

it.each([
  ['less than a step of the loop', 4, 4],
  ['more than a page of memory', 100_000, 40_000],
])('measures how long bytes take: %s', (_, read, written) => {
  const seconds = streamingTime(read, written, clocks.wall)();
  expect(Number.isFinite(seconds) && seconds > 0).toBe(true);
});
