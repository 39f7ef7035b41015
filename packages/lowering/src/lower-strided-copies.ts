/** Copies for which LLVM's conversion would call a library of MLIR. */
import { namedOpBody, copy as structuredCopy } from '@sconv/dialects/linalg';
import { copy, isContiguous } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter } from '@sconv/ir';

/**
 * Makes a `linalg.copy`, and so a loop, of each `memref.copy` at or below `root` whose buffers are not both contiguous. Copies
 * of buffers without a known rank stay.
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
