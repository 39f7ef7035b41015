/**
 * Timing on a shared machine: all sides in one process, interleaved, so that a disturbance affects all of them in the
 * same round.
 */

import type { Clock } from './clock.ts';
import { clocks } from './clock.ts';

/** One call; asynchronous sides return a promise. */
export type Call = () => unknown;

/** A side to time. */
export interface Side {
  readonly call: Call;
  /** Runs before each sample of this side, for accompanying measurements. */
  readonly before?: () => void;
}

export interface TurnOptions {
  /** Number of timed rounds. */
  readonly samples: number;
  /** Minimum duration of a sample, which repeats the call. */
  readonly sampleSeconds?: number;
  /** Minimum warm-up of a side; default 0.3. */
  readonly warmUpSeconds?: number;
  /** Default: wall. */
  readonly clock?: Clock;
  /** Stops between samples; completed rounds are kept. */
  readonly signal?: { readonly aborted: boolean };
}

/** Seconds per call of one side: one value per completed round. */
export interface Timing {
  readonly seconds: readonly number[];
  /** Of all timed calls, including the warm-up. */
  readonly leastSeconds: number;
  /** Calls per sample. */
  readonly calls: number;
}

/** Seconds per call, averaged over `calls`. */
export const timeCalls = async (call: Call, calls: number, clock: Clock = clocks.wall): Promise<number> => {
  const start = clock();
  for (let i = 0; i < calls; i += 1) {
    const result = call();
    if (result instanceof Promise) await result;
  }
  return (clock() - start) / calls;
};

/** Lets the engine install code that it has compiled in the background. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Repetitions needed to last `seconds`; bounded because of the clock's resolution. */
const callsFor = (seconds: number, ofCall: number): number => Math.ceil(seconds / Math.max(ofCall, 1e-7));

const warmUpStepSeconds = 0.05;
const warmUpLimitSeconds = 2;

/**
 * Calls until the speed settles: engines first run wasm from a baseline compiler (V8: Liftoff) and switch to code that
 * they optimize in the background once it has run often enough. Ends, after the minimum time, at the second consecutive
 * step that does not improve the least time by 3 %, or after two seconds and four steps. Returns the least seconds per
 * call.
 */
const warmUp = async (call: Call, clock: Clock, atLeastSeconds: number): Promise<number> => {
  const start = clocks.wall();
  let least = await timeCalls(call, 1, clock);
  let idle = 0;
  for (let step = 1; idle < 2 || clocks.wall() - start < atLeastSeconds; step += 1) {
    await breathe();
    const seconds = await timeCalls(call, callsFor(warmUpStepSeconds, least), clock);
    idle = seconds < least * 0.97 ? 0 : idle + 1;
    least = Math.min(least, seconds);
    if (step >= 4 && clocks.wall() - start > warmUpLimitSeconds) break;
  }
  return least;
};

/**
 * Times the sides interleaved, after warming up each. The starting side rotates. Repetitions per sample are determined
 * once.
 */
export const inTurns = async (
  sides: readonly Side[],
  { samples, sampleSeconds = 0.02, warmUpSeconds = 0.3, clock = clocks.wall, signal }: TurnOptions,
): Promise<readonly Timing[]> => {
  const entries: { side: Side; calls: number; least: number; seconds: number[] }[] = [];
  for (const side of sides) {
    const least = await warmUp(side.call, clock, warmUpSeconds);
    entries.push({ side, calls: callsFor(sampleSeconds, least), least, seconds: [] });
  }
  for (let round = 0; round < samples; round += 1) {
    // Rotated, so that no side always follows the same one and finds its data in the caches.
    for (let turn = 0; turn < entries.length && signal?.aborted !== true; turn += 1) {
      const { side, calls, seconds } = entries[(round + turn) % entries.length]!;
      side.before?.();
      seconds.push(await timeCalls(side.call, calls, clock));
      await breathe();
    }
  }
  const rounds = Math.min(...entries.map(({ seconds }) => seconds.length));
  return entries.map(({ calls, least, seconds }) => ({
    calls,
    seconds: seconds.slice(0, rounds),
    leastSeconds: Math.min(least, ...seconds),
  }));
};
