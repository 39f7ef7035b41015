/** Microkernels and packings of a function as loops over vectors: what is left is for LLVM's conversions. */
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { lowerPackingOp } from './lower-packing-op.ts';
import { lowerPaddedPacking } from './lower-padded-packing.ts';
import { matrixMicrokernelOp } from './matrix-microkernel-op.ts';
import type { VectorUnit } from './vector-unit.ts';
import { vectorizeMicrokernelOp } from './vectorize-microkernel-op.ts';

/** Lowers each microkernel and each packing at or below `root`; all else stays. */
export const lowerTiles = (rewriter: Rewriter, root: DraftOperation, unit: VectorUnit): void => {
  for (const operation of rewriter.walk(root)) {
    if (operation.name !== 'linalg.generic') continue;
    const { matrix } = unit;
    if (matrix !== undefined && matrixMicrokernelOp(rewriter, operation, matrix).status === 'success')
      continue;
    if (vectorizeMicrokernelOp(rewriter, operation, unit).status === 'success') continue;
    if (lowerPackingOp(rewriter, operation, unit).status === 'success') continue;
    lowerPaddedPacking(rewriter, operation, unit);
  }
};
