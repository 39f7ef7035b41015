/** The operations around a draft operation. */
import type { DraftBlock, DraftOperation } from './draft.ts';

/** The innermost operation around `operation`, excluding itself, that passes the test; undefined if none does. */
export const closestParent = (
  operation: DraftOperation,
  test: (parent: DraftOperation) => boolean,
): DraftOperation | undefined => {
  let at = operation.parent;
  while (at !== undefined && !test(at)) at = at.parent;
  return at;
};

/** The ancestor of `operation`, or itself, that is directly in `block` (upstream's `findAncestorOpInBlock`). */
export const ancestorInBlock = (
  block: DraftBlock | undefined,
  operation: DraftOperation,
): DraftOperation | undefined => {
  let at: DraftOperation | undefined = operation;
  while (at !== undefined && at.block !== block) at = at.parent;
  return at;
};

/** Whether `operation` comes before `other`, or before the ancestor of `other` in the block of `operation`. */
export const precedes = (operation: DraftOperation, other: DraftOperation): boolean => {
  const end = ancestorInBlock(operation.block, other);
  if (end === undefined) return false;
  for (let at = operation.next; at !== undefined; at = at.next) if (at === end) return true;
  return false;
};
