/** Code that is measured, and how its calls are timed. */

/** Loaded code with copies of its arguments. */
export interface Subject {
  /** At least 1. */
  readonly copies: number;
  /** Computes once on a copy. */
  readonly call: (copy: number) => unknown;
  /** Gives a copy's arguments their first values again: nothing computed is left in them. */
  readonly reset: (copy: number) => void;
  /** How many elements of a copy's output are wrong, of how many. */
  readonly wrong: (copy: number) => Wrong;
  /** The elements of a copy's output, for the code that others are compared with. */
  readonly output: (copy: number) => unknown;
  readonly dispose: () => void;
}

export interface Wrong {
  readonly wrong: number;
  readonly elements: number;
}

/**
 * `cold`: every run is on other copies of the tensors than the last one, with the caches flushed before (TT §7).
 * `warm`: a run is as many calls as last 40 ms, on the same tensors.
 */
export type Temperature = 'cold' | 'warm';

export const temperatures: readonly Temperature[] = ['cold', 'warm'];

/** Seconds since some fixed moment. */
export type Clock = () => number;

/** How many seconds a run of a warm measurement lasts at least. */
export const batchSeconds = 0.04;

/** How long calls are repeated before times count: engines replace code that has run for a while. */
export const warmUpSeconds = 0.1;

/** Bytes of tensors in cold runs, in terms of the last cache, and the most copies of them (TT §7). */
const cachesOfCopies = 2;
const mostCopies = 20;

/** The number of copies of tensors of so many bytes, for a last cache of `cacheBytes`. */
export const copiesFor = (temperature: Temperature, tensorBytes: number, cacheBytes: number): number =>
  temperature === 'warm'
    ? 1
    : Math.max(2, Math.min(mostCopies, Math.ceil((cachesOfCopies * cacheBytes) / Math.max(1, tensorBytes))));

/** Reads and writes twice as much as the last cache holds, a byte of each line. */
export const cacheFlusher = (cacheBytes: number, lineBytes = 64): (() => number) => {
  let bytes: Uint8Array | undefined;
  return () => {
    // The system takes a while to give so much memory: only to who needs it.
    bytes ??= new Uint8Array(cachesOfCopies * cacheBytes);
    let sum = 0;
    for (let i = 0; i < bytes.length; i += lineBytes) {
      sum += bytes[i]!;
      bytes[i] = sum;
    }
    return sum;
  };
};

/** How to time a subject. */
export interface Timing {
  readonly temperature: Temperature;
  readonly runs: number;
  readonly clock: Clock;
  readonly flush: () => void;
}

/** The seconds of a call in each run, and what is wrong with the output that the timed calls left. */
export interface Timed extends Wrong {
  readonly seconds: readonly number[];
  /** Calls that the seconds of a run are the mean of. */
  readonly calls: number;
}

/**
 * Times a subject. Every output that is looked at afterwards was reset before, so that code which has stopped to
 * compute is found out. Calls may be promised.
 */
export const timeSubject = async (subject: Subject, timing: Timing): Promise<Timed> =>
  timing.temperature === 'cold' ? timeCold(subject, timing) : timeWarm(subject, timing);

const timeCold = async (subject: Subject, { runs, clock, flush }: Timing): Promise<Timed> => {
  await warmUp(subject, clock);
  const seconds: number[] = [];
  let [wrong, elements] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const copy = run % subject.copies;
    subject.reset(copy);
    flush();
    const start = clock();
    const result = subject.call(copy);
    if (result instanceof Promise) await result;
    seconds.push(clock() - start);
    const found = subject.wrong(copy);
    wrong += found.wrong;
    elements += found.elements;
  }
  return { seconds, calls: 1, wrong, elements };
};

const timeWarm = async (subject: Subject, { runs, clock }: Timing): Promise<Timed> => {
  const once = await warmUp(subject, clock);
  const calls = Math.ceil(batchSeconds / Math.max(once, 1e-7));
  const seconds: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = clock();
    for (let call = 0; call < calls; call += 1) {
      const result = subject.call(0);
      if (result instanceof Promise) await result;
    }
    seconds.push((clock() - start) / calls);
  }
  subject.reset(0);
  await subject.call(0);
  return { seconds, calls, ...subject.wrong(0) };
};

/** Calls for a while; returns the least seconds of a call. */
const warmUp = async ({ call }: Subject, clock: Clock): Promise<number> => {
  let least = Infinity;
  let sum = 0;
  do {
    const start = clock();
    const result = call(0);
    if (result instanceof Promise) await result;
    const seconds = clock() - start;
    least = Math.min(least, seconds);
    // A clock that stands still ends it too.
    sum += Math.max(seconds, 1e-6);
  } while (sum < warmUpSeconds);
  return least;
};
