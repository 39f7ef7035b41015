/** Lowers copies for which LLVM's conversion would call an MLIR runtime library. */
import { namedOpBody, copy as structuredCopy } from '@sconv/dialects/linalg';
import { copy, isContiguous } from '@sconv/dialects/memref';
import type { DraftOperation, MemRefType, Rewriter } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';

/**
 * Rewrites each `memref.copy` at or below `root` with a non-contiguous buffer to a `linalg.copy`, and so to loops.
 * Copies of unranked buffers stay.
 */
export const lowerStridedCopies = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    if (!copy.is(operation)) continue;
    const { source, target } = copy.operands(operation);
    if (source.type.kind !== 'memref' || target.type.kind !== 'memref') continue;
    if (isPlain(source.type) && isPlain(target.type)) continue;
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

/** Whether upstream copies the bytes: in row-major order, as it knows without a layout, or by sizes that are known. */
const isPlain = (type: MemRefType): boolean =>
  isContiguous(type) && (type.layout === undefined || isStaticShape(type));
