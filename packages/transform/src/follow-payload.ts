/** Tracks payload through edits. */
import type { Forward, Id } from '@sconv/ir';
import { composeForward, follow, noForward } from '@sconv/ir';
import type { LostPayload, Successor } from './handle-tracking.ts';
import type { Payload } from './payload.ts';
import { operationsPayload } from './payload.ts';
import type { EditList, PayloadEdit } from './run-state.ts';

/** What operations and values became in one or more edits, by provenance and for handles. */
export interface Replacements {
  readonly operations: ReadonlyMap<Id, readonly Id[]>;
  readonly values: ReadonlyMap<Id, readonly Id[]>;
  readonly successors: ReadonlyMap<Id, Successor>;
}

/** Mutable `Replacements`. */
interface MutableReplacements {
  readonly operations: Map<Id, readonly Id[]>;
  readonly values: Map<Id, readonly Id[]>;
  readonly successors: Map<Id, Successor>;
}

/** Everything that a payload became, without duplicates. */
export const followPayload = (
  payload: Payload,
  replaced: Pick<Replacements, 'operations' | 'values'>,
): Payload => {
  if (payload.kind === 'params') return payload;
  const map = replaced[payload.kind];
  if (!payload.ids.some((id) => map.has(id))) return payload;
  return { kind: payload.kind, ids: [...new Set(payload.ids.flatMap((id) => follow(map, id)))] };
};

/** What a handle refers to after edits, without erased payload; and the first lost item. */
export const followHandle = (
  payload: Payload,
  replaced: Replacements,
): { readonly payload: Payload; readonly lost: LostPayload | undefined } => {
  if (payload.kind !== 'operations') return { payload: followPayload(payload, replaced), lost: undefined };
  const followed = payload.ids.map((id) => successorOf(id, replaced));
  return {
    payload: operationsPayload(followed.filter((each) => typeof each === 'number')),
    lost: followed.find((each) => typeof each === 'object'),
  };
};

const successorOf = (id: Id, { operations, successors }: Replacements): Successor => {
  let at = id;
  while (operations.has(at)) {
    const next = successors.get(at);
    if (typeof next !== 'number') return next;
    at = next;
  }
  return at;
};

export const noReplacements = (): MutableReplacements => ({
  operations: new Map(),
  values: new Map(),
  successors: new Map(),
});

export const replacementsIn = ({ forward, successors }: PayloadEdit): Replacements => ({
  operations: forward.operations,
  values: forward.values,
  successors,
});

/**
 * Adds the replacements of the edits after `start`. An id is replaced at most once per run, since ids are not reused.
 */
export const addReplacements = (
  replaced: MutableReplacements,
  edits: EditList | undefined,
  start: EditList | undefined,
): void => {
  for (let at = edits; at !== start && at !== undefined; at = at.before) {
    for (const [id, to] of at.forward.operations) replaced.operations.set(id, to);
    for (const [id, to] of at.forward.values) replaced.values.set(id, to);
    for (const [id, to] of at.successors) replaced.successors.set(id, to);
  }
};

/** The combined effect of the edits after `start`. */
export const forwardSince = (edits: EditList | undefined, start: EditList | undefined): Forward => {
  const forwards: Forward[] = [];
  for (let at = edits; at !== start && at !== undefined; at = at.before) forwards.push(at.forward);
  return forwards.reduceRight(composeForward, noForward);
};
