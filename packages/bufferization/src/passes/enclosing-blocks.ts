/** The blocks around values. */
import type { DraftBlock, Rewriter, Value } from '@sconv/ir';

/** The block in which a value is defined. */
export const blockOf = (rewriter: Rewriter, value: Value): DraftBlock => {
  const block = rewriter.owningBlock(value) ?? rewriter.definingOperation(value)?.block;
  if (block === undefined) throw new Error('a value is defined in a block');
  return block;
};

/** A block and its ancestors, innermost first. */
export const blocksAround = (block: DraftBlock): readonly DraftBlock[] => {
  const blocks: DraftBlock[] = [];
  for (let at: DraftBlock | undefined = block; at !== undefined; at = at.region.operation.block)
    blocks.push(at);
  return blocks;
};
