/** What a payload became through edits. */
import type { Forward, Id } from '@sconv/ir';
import { composeForward, follow, noForward } from '@sconv/ir';
import type { Payload } from './payload.ts';
import type { EditList } from './run-state.ts';

/** What stands for each operation and value that was replaced or erased, through one edit or several. */
export type Replacements = Pick<Forward, 'operations' | 'values'>;

/** `Replacements` that grow. */
interface MutableReplacements {
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

export const noReplacements = (): MutableReplacements => ({ operations: new Map(), values: new Map() });

/** Adds what the edits after `start` replaced. An id is replaced once in a run: it is not given again. */
export const addReplacements = (
  replaced: MutableReplacements,
  edits: EditList | undefined,
  start: EditList | undefined,
): void => {
  for (let at = edits; at !== start && at !== undefined; at = at.before) {
    for (const [id, to] of at.forward.operations) replaced.operations.set(id, to);
    for (const [id, to] of at.forward.values) replaced.values.set(id, to);
  }
};

/** What the edits after `start` did together. */
export const forwardSince = (edits: EditList | undefined, start: EditList | undefined): Forward => {
  const forwards: Forward[] = [];
  for (let at = edits; at !== start && at !== undefined; at = at.before) forwards.push(at.forward);
  return forwards.reduceRight(composeForward, noForward);
};
