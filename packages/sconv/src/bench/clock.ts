/** Clocks for timing. */

/** Seconds since some fixed moment. */
export type Clock = () => number;

/**
 * `wall` is elapsed time. `processor` is CPU time of this process over all its threads: it excludes what other
 * processes use on a shared machine, but not their effect on caches and frequency; it is meaningless for multithreaded
 * work.
 */
export const clocks = {
  wall: () => performance.now() / 1000,
  processor: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
} as const satisfies Readonly<Record<string, Clock>>;

export type ClockName = keyof typeof clocks;

export const clockNames = Object.keys(clocks) as readonly ClockName[];
