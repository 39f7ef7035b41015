import type { DraftBlock, DraftOperation } from '@sconv/ir';

/** The terminator of a block, for modification. */
export const requiredTerminator = ({ last }: DraftBlock): DraftOperation => {
  if (last === undefined) throw new Error('an empty block has no terminator');
  return last;
};
