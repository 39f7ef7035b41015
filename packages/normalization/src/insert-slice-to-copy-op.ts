/** An insertion as a copy into the slice that it overwrites, which can be tiled, and the insertion of that. */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success } from '@sconv/diagnostics';
import { mixedSlice, sliceArguments } from '@sconv/dialects';
import { copy } from '@sconv/dialects/linalg';
import { extractSlice, insertSlice, parallelInsertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { builder } from '@sconv/ir';

/** Makes a `tensor.insert_slice` or `tensor.parallel_insert_slice` a `linalg.copy` and an insertion; gives the copy. */
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
  // The end of a parallel loop holds insertions alone.
  rewriter.setInsertionPointBefore(parallelInsertSlice.is(operation) ? around : operation);
  const { operands, attributes } = sliceArguments(mixedSlice(operation));
  const slice = rewriter.createValue(
    extractSlice.state({
      operands: { source: dest!, ...operands },
      attributes,
      resultTypes: [source!.type],
      location: operation.location,
    }),
  );
  const [copied] = builder(rewriter)(
    copy,
    { inputs: [source!], outputs: [slice] },
    { location: operation.location },
  );
  rewriter.setOperand(operation, 0, copied!);
  return success(rewriter.definingOperation(copied!)!);
};
