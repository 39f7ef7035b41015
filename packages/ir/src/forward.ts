/**
 * The effect of an edit on the ids of a module, from which handles, provenance and IR diffs are derived. Ids are
 * assigned in ascending order and never reused, so what an edit created is a range of them.
 */
import type { Id } from './operation.ts';

/** The effect of an edit on what existed before. Ids that it does not mention are unchanged. */
export interface Forward {
  /** The ids assigned to new objects, a half-open range; undefined if there are none. */
  readonly created: IdRange | undefined;
  /** The replacements of each replaced or erased operation: none for an erased one. */
  readonly operations: ReadonlyMap<Id, readonly Id[]>;
  /** The replacements of each replaced or erased value (result or block argument). */
  readonly values: ReadonlyMap<Id, readonly Id[]>;
  /** The operations that were moved. */
  readonly moved: ReadonlyMap<Id, Move>;
  /** The operations whose operands, attributes or blocks changed; not those that merely contain such operations. */
  readonly changed: ReadonlySet<Id>;
}

export interface IdRange {
  readonly from: Id;
  readonly to: Id;
}

/** The parents of an operation before and after; equal if it moved within one. */
export interface Move {
  readonly from: Id;
  readonly to: Id;
}

/** The forward of an edit without changes. */
export const noForward: Forward = Object.freeze({
  created: undefined,
  operations: new Map(),
  values: new Map(),
  moved: new Map(),
  changed: new Set<Id>(),
});

/** What `id` became, through all replacements in `map`. */
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

/** The entries of `map` for ids below `end`, with chains of replacements resolved. */
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

/**
 * The effect of `first`, then `second`. What the first created and the second changed or erased is just new, or
 * absent.
 */
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

/** A `Forward` in JSON form. */
export interface ForwardJson {
  readonly created?: readonly [from: Id, to: Id];
  readonly operations: readonly (readonly [Id, readonly Id[]])[];
  readonly values: readonly (readonly [Id, readonly Id[]])[];
  readonly moved: readonly (readonly [id: Id, from: Id, to: Id])[];
  readonly changed: readonly Id[];
}

/** `forward` as JSON data. */
export const forwardToJson = ({ created, operations, values, moved, changed }: Forward): ForwardJson => ({
  ...(created === undefined ? {} : { created: [created.from, created.to] }),
  operations: [...operations],
  values: [...values],
  moved: [...moved].map(([id, { from, to }]) => [id, from, to]),
  changed: [...changed],
});

/** The `forward` of JSON data. */
export const forwardFromJson = ({ created, operations, values, moved, changed }: ForwardJson): Forward => ({
  created: created === undefined ? undefined : { from: created[0], to: created[1] },
  operations: new Map(operations),
  values: new Map(values),
  moved: new Map(moved.map(([id, from, to]) => [id, { from, to }])),
  changed: new Set(changed),
});
