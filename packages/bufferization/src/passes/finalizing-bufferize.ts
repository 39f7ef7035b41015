/** The pass `finalizing-bufferize`: folds the remaining conversions between tensors and buffers; fails if any stay. */
import { definite, error, success } from '@sconv/diagnostics';
import { toMemref, toTensor } from '@sconv/dialects/bufferization';
import { defineOperationPass, typeEquals } from '@sconv/ir';

export const finalizingBufferizePass = defineOperationPass({
  name: 'finalizing-bufferize',
  title: 'FinalizingBufferize',
  summary: 'fold conversions between tensors and buffers, and fail if any are left',
  runOn: (rewriter, root) => {
    for (const operation of rewriter.walk(root)) {
      if (!toMemref.is(operation)) continue;
      const definition = rewriter.definingOperation(operation.operands[0]!);
      const source = definition !== undefined && toTensor.is(definition) ? definition.operands[0] : undefined;
      if (source !== undefined && typeEquals(source.type, operation.results[0]!.type))
        rewriter.replaceOperation(operation, [source]);
    }
    for (const operation of rewriter.walk(root)) {
      if (toTensor.is(operation) && !rewriter.hasUses(operation.results[0]!)) {
        rewriter.eraseOperation(operation);
      } else if (toTensor.is(operation) || toMemref.is(operation)) {
        return definite(
          error(
            'bufferize/not-final',
            `failed to legalize operation '${operation.name}' that was explicitly marked illegal`,
            operation.location,
          ),
        );
      }
    }
    return success(undefined);
  },
});
