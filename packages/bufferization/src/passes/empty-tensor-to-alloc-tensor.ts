/** The pass `empty-tensor-to-alloc-tensor`. */
import { success } from '@sconv/diagnostics';
import { allocTensor } from '@sconv/dialects/bufferization';
import { empty } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { defineOperationPass } from '@sconv/ir';

/** Replaces a `tensor.empty` by a `bufferization.alloc_tensor`. */
export const allocateEmpty = (rewriter: Rewriter, operation: DraftOperation): DraftOperation =>
  rewriter.replaceWith(
    operation,
    allocTensor.state({
      operands: { dynamicSizes: operation.operands },
      resultTypes: operation.results.map(({ type }) => type),
    }),
  );

export const emptyTensorToAllocTensorPass = defineOperationPass({
  name: 'empty-tensor-to-alloc-tensor',
  title: 'EmptyTensorToAllocTensor',
  summary: 'replace tensor.empty by bufferization.alloc_tensor',
  runOn: (rewriter, root) => {
    for (const operation of rewriter.walk(root)) if (empty.is(operation)) allocateEmpty(rewriter, operation);
    return success(undefined);
  },
});
