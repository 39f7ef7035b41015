/** How long a call takes. */

export interface Timed {
  /** Median, least and greatest of the runs. */
  readonly seconds: number;
  readonly least: number;
  readonly greatest: number;
  readonly runs: number;
}

/** Runs before the first that counts, at most: the engine first runs code that it has hardly optimised. */
const warmUpRuns = 5;
/** Time after which the warm-up ends. */
const warmUpMilliseconds = 300;

const median = (sorted: readonly number[]): number =>
  (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;

/** Times `runs` calls after a warm-up. */
export const measure = (call: () => void, runs: number): Timed => {
  const start = performance.now();
  for (let i = 0; i < warmUpRuns && performance.now() - start < warmUpMilliseconds; i++) call();
  const times = Array.from({ length: runs }, () => {
    const from = performance.now();
    call();
    return performance.now() - from;
  });
  return timedRuns(times);
};

/** `measure` of calls that are promised, one after the other. */
export const measureAsync = async (call: () => Promise<void>, runs: number): Promise<Timed> => {
  const start = performance.now();
  for (let i = 0; i < warmUpRuns && performance.now() - start < warmUpMilliseconds; i++) await call();
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const from = performance.now();
    await call();
    times.push(performance.now() - from);
  }
  return timedRuns(times);
};

const timedRuns = (milliseconds: readonly number[]): Timed => {
  const times = milliseconds.map((each) => each / 1000).sort((a, b) => a - b);
  return { seconds: median(times), least: times[0]!, greatest: times.at(-1)!, runs: times.length };
};
