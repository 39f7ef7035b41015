/** What the machine can do at most for a target's code, measured next to that code. */
import type { Target } from '@sconv/targets';
import { clocks } from '../bench/clock.ts';
import { calibrated, streamingLoop } from '../bench/machine-loops.ts';
import { nativeStreamingLoop } from '../bench/native-streaming.ts';
import { mixOf } from '../bench/ours.ts';
import { targetPeaks } from '../bench/target-peaks.ts';

/** What a function computes, and moves at the least. */
export interface Work {
  /** On floats; undefined for dynamic sizes. */
  readonly operations: number | undefined;
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** The least time that work can take: the longer of that of its operations, and that of its bytes. */
export interface Bound {
  readonly seconds: number;
  readonly by: 'arithmetic' | 'memory';
}

/** Loops over more take as long for each byte: no cache holds them. */
const mostStreamed = 2 ** 27;

/**
 * Measures bounds, of one thread: operations at the peak of the target's instructions, and bytes by a loop that reads
 * and writes as many, so that they lie in the same caches. Each takes some ten milliseconds. The bound is asked for
 * when all are measured, as the highest peak counts: the machine may be disturbed.
 */
export const machineBounds = async (
  target: Target,
  mostBytes: number,
): Promise<(work: Work) => () => Bound> => {
  const clock = clocks.wall;
  const mix = mixOf(target);
  const peak = (await targetPeaks(target, clock))[mix];
  const bytes = Math.max(2 ** 14, Math.min(mostBytes, mostStreamed));
  const stream = mix === 'native' ? await nativeStreamingLoop(target, bytes) : streamingLoop(bytes);
  // Until the engine has optimized it.
  calibrated((repetitions) => stream(repetitions, 2 ** 14, 0), 0.003);
  let highest = 0;
  return ({ operations = 0, readBytes, writtenBytes }) => {
    if (peak !== undefined) highest = Math.max(highest, peak(), peak());
    const scale = Math.max(1, (readBytes + writtenBytes) / bytes);
    const memory =
      readBytes + writtenBytes === 0
        ? 0
        : scale * secondsOf((repetitions) => stream(repetitions, readBytes / scale, writtenBytes / scale));
    return () => {
      const arithmetic = highest === 0 ? 0 : operations / highest;
      return arithmetic > memory
        ? { seconds: arithmetic, by: 'arithmetic' }
        : { seconds: memory, by: 'memory' };
    };
  };
};

/** The seconds of one of several repetitions, in the fastest of some milliseconds. */
const secondsOf = (repeat: (repetitions: number) => void): number => {
  const timed = (repetitions: number): number => {
    const start = clocks.wall();
    repeat(repetitions);
    return (clocks.wall() - start) / repetitions;
  };
  const repetitions = Math.ceil(0.001 / Math.max(timed(1), 1e-7));
  return Math.min(...Array.from({ length: 5 }, () => timed(repetitions)));
};
