/**
 * Turns an insertion into a copy to the slice that it overwrites, which can be tiled, and an insertion of that copy.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success } from '@sconv/diagnostics';
import { extractSliceState, mixedSlice } from '@sconv/dialects';
import { copy } from '@sconv/dialects/linalg';
import { insertSlice, parallelInsertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType } from '@sconv/ir';
import { builder } from '@sconv/ir';

/** Rewrites a `tensor.insert_slice` or `tensor.parallel_insert_slice` to a copy and an insertion; returns the copy. */
export const insertSliceToCopyOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<DraftOperation> => {
  if (!insertSlice.is(operation) && !parallelInsertSlice.is(operation)) {
    return silenceable(
      error('insert-slice-to-copy/target', 'incompatible payload operation name', operation.location, [
        { message: 'payload operation', location: operation.location },
      ]),
    );
  }
  const [source, dest] = operation.operands;
  const around = operation.parent!;
  // `scf.forall.in_parallel` may only contain insertions.
  rewriter.setInsertionPointBefore(parallelInsertSlice.is(operation) ? around : operation);
  const state = extractSliceState(dest!, mixedSlice(operation), source!.type as TensorType);
  const slice = rewriter.createValue({ ...state, location: operation.location });
  const [copied] = builder(rewriter)(
    copy,
    { inputs: [source!], outputs: [slice] },
    { location: operation.location },
  );
  rewriter.setOperand(operation, 0, copied!);
  return success(rewriter.definingOperation(copied!)!);
};
