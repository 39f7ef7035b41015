/**
 * Timing on a machine that is shared: all sides in one process, in turns, so that what slows one of them slows the others
 * in the same round.
 */

import type { Clock } from './clock.ts';
import { clocks } from './clock.ts';

/** One call; a promise where the side is asynchronous. */
export type Call = () => unknown;

/** What is timed. */
export interface Side {
  readonly call: Call;
  /** Called before each sample of this side, for what is measured beside it. */
  readonly before?: () => void;
}

export interface TurnOptions {
  /** Rounds that count. */
  readonly samples: number;
  /** What a sample lasts at least: it repeats the call. */
  readonly sampleSeconds?: number;
  /** What the warm-up of a side takes at least; default 0.3. */
  readonly warmUpSeconds?: number;
  /** Default: wall. */
  readonly clock?: Clock;
  /** Ends between two samples; rounds that are over are kept. */
  readonly signal?: { readonly aborted: boolean };
}

/** Seconds of a call of one side: a value for each round that was finished. */
export interface Timing {
  readonly seconds: readonly number[];
  /** Of all that was timed, the warm-up included. */
  readonly leastSeconds: number;
  /** Calls of a sample. */
  readonly calls: number;
}

/** Seconds of one call, over so many. */
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

/** How often a call is repeated to last so long; clocks do not see less than a microsecond of the first one. */
const callsFor = (seconds: number, ofCall: number): number => Math.ceil(seconds / Math.max(ofCall, 1e-7));

const warmUpStepSeconds = 0.05;
const warmUpLimitSeconds = 2;

/**
 * Calls until it gets no faster: engines run wasm as it is translated first (V8: Liftoff), and replace it by optimized code
 * that they compile beside it, once it has run often enough. Ends after so many seconds at the second step in a row that
 * does not improve on the least time by 3 %, or after two seconds and four steps. Gives the least seconds of a call.
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
 * Times the sides in turns, after a warm-up of each. Every round begins with another side. How often a sample repeats
 * its call is settled once.
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
    // Rotated: nobody always runs after the same one, whose data it finds in the caches.
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
