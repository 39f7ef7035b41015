import { expect, it, onTestFinished, vi } from 'vitest';
import type { Timed } from '../src/run/measure.ts';
import { measure } from '../src/run/measure.ts';

/** Calls that take these milliseconds, of a clock that only they move; how often one was called. */
const timed = async (milliseconds: readonly number[], runs: number) => {
  const measured = async (timing: (run: () => void) => Promise<Timed>) => {
    let [now, calls] = [1000, 0];
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => {
      clock.mockRestore();
    });
    const time = await timing(() => {
      now += milliseconds[calls]!;
      calls += 1;
    });
    return { time, calls };
  };
  const result = await measured((run) => measure(run, runs));
  const promised = await measured((run) => measure(() => Promise.resolve().then(run), runs));
  expect(promised).toEqual(result);
  return result;
};

it.each([
  ['an odd number', [9, 9, 9, 9, 9, 30, 10, 80], 3, { seconds: 0.03, least: 0.01, greatest: 0.08 }],
  ['an even number', [0, 0, 0, 0, 0, 40, 10, 80, 20], 4, { seconds: 0.03, least: 0.01, greatest: 0.08 }],
  ['one', [0, 0, 0, 0, 0, 40], 1, { seconds: 0.04, least: 0.04, greatest: 0.04 }],
])(
  'the median, least and greatest of %s of runs count, after five others',
  async (_, times, runs, expected) => {
    const { time, calls } = await timed(times, runs);
    expect(time.runs).toBe(runs);
    expect(calls).toBe(5 + runs);
    for (const key of ['seconds', 'least', 'greatest'] as const)
      expect(time[key]).toBeCloseTo(expected[key], 9);
  },
);

it.each([
  [[299, 1, 7], 2],
  [[300, 7], 1],
  [[299, 500, 7], 2],
])('runs before the first that counts end after 300 ms: %j', async (times, warmUp) => {
  const { time, calls } = await timed(times, 1);
  expect(calls).toBe(warmUp + 1);
  expect(time.seconds).toBeCloseTo(0.007, 9);
});
