import type { DraftBlock, DraftOperation } from '@sconv/ir';

/** The last operation of a block, to change it. */
export const requiredTerminator = ({ last }: DraftBlock): DraftOperation => {
  if (last === undefined) throw new Error('an empty block has no terminator');
  return last;
};
