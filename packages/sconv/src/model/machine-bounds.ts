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
 * and writes as many, so that they lie in the same caches. Each takes some ten milliseconds.
 */
export const machineBounds = async (target: Target, mostBytes: number): Promise<(work: Work) => Bound> => {
  const clock = clocks.wall;
  const mix = mixOf(target);
  const peak = (await targetPeaks(target, clock))[mix];
  const bytes = Math.max(2 ** 14, Math.min(mostBytes, mostStreamed));
  const stream = mix === 'native' ? await nativeStreamingLoop(target, bytes) : streamingLoop(bytes);
  // Until the engine has optimized it.
  calibrated((repetitions) => stream(repetitions, 2 ** 14, 0), 0.003);
  return ({ operations = 0, readBytes, writtenBytes }) => {
    // The faster of two, as the machine may be disturbed.
    const fastest = peak === undefined || operations === 0 ? Infinity : Math.max(peak(), peak());
    const arithmetic = operations / fastest;
    const scale = Math.max(1, (readBytes + writtenBytes) / bytes);
    const memory = scale * secondsOf(stream, readBytes / scale, writtenBytes / scale);
    return arithmetic > memory
      ? { seconds: arithmetic, by: 'arithmetic' }
      : { seconds: memory, by: 'memory' };
  };
};

/** The seconds of one pass, of some milliseconds of them. */
const secondsOf = (
  stream: (repetitions: number, readBytes: number, writtenBytes: number) => void,
  readBytes: number,
  writtenBytes: number,
): number => {
  const timed = (repetitions: number): number => {
    const start = clocks.wall();
    stream(repetitions, readBytes, writtenBytes);
    return (clocks.wall() - start) / repetitions;
  };
  const repetitions = Math.ceil(0.003 / Math.max(timed(1), 1e-7));
  return Math.min(timed(repetitions), timed(repetitions));
};
