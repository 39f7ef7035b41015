/** Accessors for the blocks of draft operations that are known to have one. */
import type { DraftBlock, DraftOperation } from '@sconv/ir';

/** The first block of the first region; throws if there is none. */
export const entryBlock = (operation: DraftOperation): DraftBlock => {
  const block = operation.regions[0]?.blocks[0];
  if (block === undefined) throw new Error(`${operation.name} has no block`);
  return block;
};

/** The terminator of a block; throws if it is empty. */
export const endOf = (block: DraftBlock): DraftOperation => {
  const end = block.operations.at(-1);
  if (end === undefined) throw new Error('an empty block has no terminator');
  return end;
};
