/**
 * What an edit did to the ids of a module: handles, provenance and IR diffs are read off it. Ids are given in ascending
 * order and never twice, so what an edit created is a range of them.
 */
import type { Id } from './operation.ts';

/** All that an edit did to what there was before it. An id that it does not name is what it was. */
export interface Forward {
  /** The ids that were given to what is new, the first and the one after the last; undefined if nothing is. */
  readonly created: IdRange | undefined;
  /** What stands for each operation that was replaced or erased: none for an erased one. */
  readonly operations: ReadonlyMap<Id, readonly Id[]>;
  /** What stands for each value, result or block argument, that was replaced or erased. */
  readonly values: ReadonlyMap<Id, readonly Id[]>;
  /** The operations that are elsewhere now. */
  readonly moved: ReadonlyMap<Id, Move>;
  /** The operations whose operands, attributes or blocks are others now; not those that only hold such operations. */
  readonly changed: ReadonlySet<Id>;
}

export interface IdRange {
  readonly from: Id;
  readonly to: Id;
}

/** The operations around an operation before and after; the same where it was moved within one. */
export interface Move {
  readonly from: Id;
  readonly to: Id;
}

/** The forward of an edit that did nothing. */
export const noForward: Forward = Object.freeze({
  created: undefined,
  operations: new Map(),
  values: new Map(),
  moved: new Map(),
  changed: new Set<Id>(),
});

/** What became of `id`, through all replacements that `map` names. */
export const follow = (map: ReadonlyMap<Id, readonly Id[]>, id: Id): readonly Id[] => {
  const next = map.get(id);
  if (next === undefined) return [id];
  if (next.length < 2 && !next.some((to) => map.has(to))) return next;
  const found = new Set<Id>();
  const seen = new Set<Id>();
  const visit = (at: Id): void => {
    const to = map.get(at);
    if (to === undefined) {
      found.add(at);
    } else if (!seen.has(at)) {
      seen.add(at);
      to.forEach(visit);
    }
  };
  visit(id);
  return [...found];
};

/** The entries of `map` for ids below `end`, with chains (replaced by what was replaced in turn) followed to their ends. */
export const resolveBelow = (
  map: ReadonlyMap<Id, readonly Id[]>,
  end: Id,
): ReadonlyMap<Id, readonly Id[]> => {
  const resolved = new Map<Id, readonly Id[]>();
  for (const id of map.keys()) if (id < end) resolved.set(id, follow(map, id));
  return resolved;
};

const composeMaps = (
  first: ReadonlyMap<Id, readonly Id[]>,
  second: ReadonlyMap<Id, readonly Id[]>,
  isNew: (id: Id) => boolean,
): ReadonlyMap<Id, readonly Id[]> => {
  const both = new Map([...second].filter(([id]) => !isNew(id)));
  for (const [id, to] of first) {
    both.set(id, [...new Set(to.flatMap((next) => second.get(next) ?? [next]))]);
  }
  return both;
};

/** The effect of `first`, then `second`. What the one created and the other changed or erased is simply new, or not there. */
export const composeForward = (first: Forward, second: Forward): Forward => {
  const { created } = first;
  const isNew = (id: Id): boolean => created !== undefined && id >= created.from;
  const isGone = (id: Id): boolean => second.operations.has(id);
  const moved = new Map([...second.moved].filter(([id]) => !isNew(id)));
  for (const [id, { from, to }] of first.moved) {
    if (!isGone(id)) moved.set(id, { from, to: second.moved.get(id)?.to ?? to });
  }
  return {
    created:
      created === undefined || second.created === undefined
        ? (created ?? second.created)
        : { from: created.from, to: second.created.to },
    operations: composeMaps(first.operations, second.operations, isNew),
    values: composeMaps(first.values, second.values, isNew),
    moved,
    changed: new Set([
      ...[...first.changed].filter((id) => !isGone(id)),
      ...[...second.changed].filter((id) => !isNew(id)),
    ]),
  };
};

/** A `Forward` as JSON has it. */
export interface ForwardJson {
  readonly created?: readonly [from: Id, to: Id];
  readonly operations: readonly (readonly [Id, readonly Id[]])[];
  readonly values: readonly (readonly [Id, readonly Id[]])[];
  readonly moved: readonly (readonly [id: Id, from: Id, to: Id])[];
  readonly changed: readonly Id[];
}

export const forwardToJson = ({ created, operations, values, moved, changed }: Forward): ForwardJson => ({
  ...(created === undefined ? {} : { created: [created.from, created.to] }),
  operations: [...operations],
  values: [...values],
  moved: [...moved].map(([id, { from, to }]) => [id, from, to]),
  changed: [...changed],
});

export const forwardFromJson = ({ created, operations, values, moved, changed }: ForwardJson): Forward => ({
  created: created === undefined ? undefined : { from: created[0], to: created[1] },
  operations: new Map(operations),
  values: new Map(values),
  moved: new Map(moved.map(([id, from, to]) => [id, { from, to }])),
  changed: new Set(changed),
});
