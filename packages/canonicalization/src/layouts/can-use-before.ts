/** Whether an operation may be created earlier than where it is. */
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { ancestorInBlock, precedes } from '@sconv/ir';

/** Whether all `values`, which `user` may use, may be used before `place` as well, an earlier operation. */
export const canUseBefore = (
  rewriter: Rewriter,
  values: readonly Value[],
  place: DraftOperation,
  user: DraftOperation,
): boolean =>
  values.every((value) => {
    const definition = rewriter.definingOperation(value);
    const block = definition?.block ?? rewriter.owningBlock(value);
    if (ancestorInBlock(block, place) === undefined) return place.block === user.block;
    return definition === undefined || precedes(definition, place);
  });
