/** What a payload became through edits. */
import type { Id } from '@sconv/ir';
import { follow } from '@sconv/ir';
import type { Payload } from './payload.ts';
import type { EditList } from './run-state.ts';

/** What stands for each operation and value that was replaced or erased, through one edit or several. */
export interface Replacements {
  readonly operations: Map<Id, readonly Id[]>;
  readonly values: Map<Id, readonly Id[]>;
}

/** What a payload became, each part of it once. */
export const followPayload = (payload: Payload, replaced: Replacements): Payload => {
  if (payload.kind === 'params') return payload;
  const map = replaced[payload.kind];
  if (!payload.ids.some((id) => map.has(id))) return payload;
  return { kind: payload.kind, ids: [...new Set(payload.ids.flatMap((id) => follow(map, id)))] };
};

export const noReplacements = (): Replacements => ({ operations: new Map(), values: new Map() });

/** Adds what the edits after `start` replaced. An id is replaced once in a run: it is not given again. */
export const addReplacements = (
  replaced: Replacements,
  edits: EditList | undefined,
  start: EditList | undefined,
): void => {
  for (let at = edits; at !== start && at !== undefined; at = at.before) {
    for (const [id, to] of at.forward.operations) replaced.operations.set(id, to);
    for (const [id, to] of at.forward.values) replaced.values.set(id, to);
  }
};
