/** A small, exact simulator of an LRU cache hierarchy. */

import { cacheNames, type Cache } from '@sconv/targets';
import { expectRecord } from './errors.ts';
import type { MachineCaches } from './tiling.ts';

/** Accesses per serving level; 0 for a missing level. */
export interface Served {
  readonly l1: number;
  readonly l2: number;
  readonly l3: number;
  readonly memory: number;
}

export interface CacheSimulator {
  /** One access to the line of `address`, followed immediately by `more` accesses to the same line. */
  readonly touch: (address: number, more: number) => void;
  readonly served: () => Served;
}

/** True on a hit. Either way the line becomes the most recently used. */
type Lookup = (line: number) => boolean;

/** Associativity up to which a set is searched linearly; hashed above. */
const searchedWays = 32;

/** Low associativity: each set is an array slice, most recent first. */
const searched = (sets: number, ways: number): Lookup => {
  const lines = new Float64Array(sets * ways).fill(-1);
  return (line) => {
    const start = (line % sets) * ways;
    let position = start;
    const end = start + ways;
    while (position < end && lines[position] !== line) position += 1;
    const hit = position < end;
    lines.copyWithin(start + 1, start, hit ? position : end - 1);
    lines[start] = line;
    return hit;
  };
};

/** High associativity: a Set per set, whose insertion order is LRU order (oldest first). */
const hashed = (sets: number, ways: number): Lookup => {
  const recency = Array.from({ length: sets }, () => new Set<number>());
  return (line) => {
    const set = recency[line % sets];
    if (set === undefined) return false;
    const hit = set.delete(line);
    set.add(line);
    if (set.size > ways) {
      const [oldest] = set;
      if (oldest !== undefined) set.delete(oldest);
    }
    return hit;
  };
};

const lookupOf = (cache: Cache): Lookup => {
  const lines = Math.floor(cache.bytes / cache.lineBytes);
  const ways = Math.min(cache.ways ?? lines, lines);
  const sets = Math.floor(lines / ways);
  return ways <= searchedWays ? searched(sets, ways) : hashed(sets, ways);
};

/**
 * Simulates the machine's caches. A miss looks the line up in the next level and allocates it in every level on the
 * way; no prefetch, write-back traffic or exclusivity. All levels must have the same line size.
 */
export const cacheSimulator = (machine: MachineCaches): CacheSimulator => {
  expectRecord('machine', machine, 'cache');
  const levels = cacheNames.flatMap((name) => {
    const cache = machine.cache[name];
    return cache === undefined ? [] : [{ name, lookup: lookupOf(cache), lineBytes: cache.lineBytes }];
  });
  const line = levels[0]?.lineBytes ?? 64;
  if (levels.some(({ lineBytes }) => lineBytes !== line)) {
    throw new RangeError('the simulator needs one line size for all levels');
  }
  const served = { l1: 0, l2: 0, l3: 0, memory: 0 };
  const serve = (address: number): void => {
    const number = Math.floor(address / line);
    for (const { name, lookup } of levels) {
      if (!lookup(number)) continue;
      served[name] += 1;
      return;
    }
    served.memory += 1;
  };
  const nearest = levels[0]?.name ?? 'memory';
  return {
    touch: (address, more) => {
      serve(address);
      served[nearest] += more;
    },
    served: () => ({ ...served }),
  };
};
