import type { DraftBlock, DraftOperation } from '@sconv/ir';

/** The first block of the first region; throws if there is none. */
export const entryBlock = (operation: DraftOperation): DraftBlock => {
  const block = operation.regions[0]?.blocks[0];
  if (block === undefined) throw new Error(`${operation.name} has no block`);
  return block;
};
