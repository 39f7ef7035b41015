/** Replaces a branch whose condition the caller knows: `transform.scf.take_assumed_branch`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { ifOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';

/** Replaces an `scf.if` by one of its branches. Fails with `take-branch/target` if it does not have that branch. */
export const takeAssumedBranchOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  takeElse: boolean,
): Diagnosed<undefined> => {
  const block = ifOp.is(operation) ? operation.regions[takeElse ? 1 : 0]?.blocks[0] : undefined;
  if (block === undefined) {
    const message = `requires an scf.if op with a single-block ${takeElse ? '`else`' : '`then`'} region`;
    return definite(error('take-branch/target', message, operation.location));
  }
  const terminator = terminatorOf(block);
  rewriter.setInsertionPointBefore(operation);
  rewriter.inlineBlock(block, []);
  rewriter.replaceOperation(operation, terminator.operands);
  rewriter.eraseOperation(terminator);
  return success(undefined);
};
