/** Clocks that times are taken with. */

/** Seconds since some moment. */
export type Clock = () => number;

/**
 * `wall` is time that passes. `processor` is time that processors work for this process, whichever of its threads: it leaves
 * out what other processes take on a shared machine, but not what they cost in caches and frequency; it says nothing of
 * work on several threads.
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
