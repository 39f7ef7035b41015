/** Lowers copies for which LLVM's conversion would call an MLIR runtime library. */
import { namedOpBody, copy as structuredCopy } from '@sconv/dialects/linalg';
import { copy, isContiguous } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter } from '@sconv/ir';

/**
 * Rewrites each `memref.copy` at or below `root` with a non-contiguous buffer to a `linalg.copy`, and so to loops.
 * Copies of unranked buffers stay.
 */
export const lowerStridedCopies = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    if (!copy.is(operation)) continue;
    const { source, target } = copy.operands(operation);
    if (source.type.kind !== 'memref' || target.type.kind !== 'memref') continue;
    if (isContiguous(source.type) && isContiguous(target.type)) continue;
    rewriter.setInsertionPointBefore(operation);
    rewriter.create(
      structuredCopy.state<Rewriter>({
        operands: { inputs: [source], outputs: [target] },
        resultTypes: [],
        bodies: [namedOpBody(structuredCopy, [source, target])],
      }),
    );
    rewriter.eraseOperation(operation);
  }
};
