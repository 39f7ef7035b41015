/** Times calls. */
import { median } from '@sconv/tuning';
import { clocks } from '../bench/clock.ts';
import type { Call } from '../bench/in-turns.ts';
import { timeCalls } from '../bench/in-turns.ts';

export interface Timed {
  /** Median, least and greatest of the runs. */
  readonly seconds: number;
  readonly least: number;
  readonly greatest: number;
  readonly runs: number;
}

/** Maximum number of warm-up runs: the engine first runs barely optimized code. */
const warmUpRuns = 5;
/** Maximum duration of the warm-up. */
const warmUpSeconds = 0.3;

/** Times `runs` consecutive calls, after a warm-up. */
export const measure = async (call: Call, runs: number): Promise<Timed> => {
  const start = clocks.wall();
  for (let i = 0; i < warmUpRuns && clocks.wall() - start < warmUpSeconds; i++) await timeCalls(call, 1);
  const times: number[] = [];
  for (let i = 0; i < runs; i++) times.push(await timeCalls(call, 1));
  return timedOf(times);
};

/** The median, least and greatest of seconds. */
export const timedOf = (seconds: readonly number[]): Timed => ({
  seconds: median(seconds),
  least: Math.min(...seconds),
  greatest: Math.max(...seconds),
  runs: seconds.length,
});
