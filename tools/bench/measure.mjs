/** Timing on a machine that is shared: all contestants in one process, in turns, and medians. */

/** The middle of the values; for an even number the lower of the two. */
export const median = (values) => [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];

/**
 * Milliseconds of each contestant, by name: `rounds` rounds in which each runs once, after `warmUp` rounds in which
 * the engine compiles its optimized code.
 */
export const alternate = async (contestants, { rounds = 5, warmUp = 5 } = {}) => {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contestants)) {
      const start = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  return times;
};
