/** What a payload became through edits. */
import type { Forward, Id } from '@sconv/ir';
import { composeForward, follow, noForward } from '@sconv/ir';
import type { LostPayload, Successor } from './handle-tracking.ts';
import type { Payload } from './payload.ts';
import { operationsPayload } from './payload.ts';
import type { EditList, PayloadEdit } from './run-state.ts';

/** What became of operations and values, by provenance and for handles, through one edit or several. */
export interface Replacements {
  readonly operations: ReadonlyMap<Id, readonly Id[]>;
  readonly values: ReadonlyMap<Id, readonly Id[]>;
  readonly successors: ReadonlyMap<Id, Successor>;
}

/** `Replacements` that grow. */
interface MutableReplacements {
  readonly operations: Map<Id, readonly Id[]>;
  readonly values: Map<Id, readonly Id[]>;
  readonly successors: Map<Id, Successor>;
}

/** All that came of a payload, each part of it once. */
export const followPayload = (
  payload: Payload,
  replaced: Pick<Replacements, 'operations' | 'values'>,
): Payload => {
  if (payload.kind === 'params') return payload;
  const map = replaced[payload.kind];
  if (!payload.ids.some((id) => map.has(id))) return payload;
  return { kind: payload.kind, ids: [...new Set(payload.ids.flatMap((id) => follow(map, id)))] };
};

/** What a handle stands for in place of a payload, without what was erased; and the first of it that was lost. */
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

/** Adds what the edits after `start` replaced. An id is replaced once in a run: it is not given again. */
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

/** What the edits after `start` did together. */
export const forwardSince = (edits: EditList | undefined, start: EditList | undefined): Forward => {
  const forwards: Forward[] = [];
  for (let at = edits; at !== start && at !== undefined; at = at.before) forwards.push(at.forward);
  return forwards.reduceRight(composeForward, noForward);
};
