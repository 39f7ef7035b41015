/**
 * What an edit did to the ids of a module: handles, provenance and IR diffs are read off it.
 */
import type { Id } from './operation.ts';

/**
 * For every operation and value that an edit replaced or erased, what stands for it now: the ids of its replacements,
 * or none. An id that is not named is itself.
 */
export interface Forward {
  readonly operations: ReadonlyMap<Id, readonly Id[]>;
  readonly values: ReadonlyMap<Id, readonly Id[]>;
}

export const noForward: Forward = Object.freeze({ operations: new Map(), values: new Map() });

const followAll = (map: ReadonlyMap<Id, readonly Id[]>, id: Id, seen: Set<Id>): readonly Id[] => {
  const next = map.get(id);
  if (next === undefined) return [id];
  if (seen.has(id)) return [];
  seen.add(id);
  return [...new Set(next.flatMap((to) => followAll(map, to, seen)))];
};

/** What became of `id`, through all replacements that `map` names. */
export const follow = (map: ReadonlyMap<Id, readonly Id[]>, id: Id): readonly Id[] =>
  followAll(map, id, new Set());

const resolve = (map: ReadonlyMap<Id, readonly Id[]>): Map<Id, readonly Id[]> =>
  new Map([...map.keys()].map((id) => [id, follow(map, id)]));

/** `forward` with chains (replaced by what was replaced in turn) followed to their ends. */
export const resolveForward = (forward: Forward): Forward => ({
  operations: resolve(forward.operations),
  values: resolve(forward.values),
});

/** The effect of `first`, then `second`. */
export const composeForward = (first: Forward, second: Forward): Forward => {
  const compose = (a: ReadonlyMap<Id, readonly Id[]>, b: ReadonlyMap<Id, readonly Id[]>) => {
    const both = new Map<Id, readonly Id[]>(b);
    for (const [id, to] of a) both.set(id, [...new Set(to.flatMap((next) => b.get(next) ?? [next]))]);
    return both;
  };
  return {
    operations: compose(first.operations, second.operations),
    values: compose(first.values, second.values),
  };
};
