/** Microkernels, packings and other sums of products as loops over vectors: what is left is for LLVM's conversions. */
import type { DraftOperation, Id, Rewriter } from '@sconv/ir';
import { lowerPackingOp } from './lower-packing-op.ts';
import { lowerPaddedPacking } from './lower-padded-packing.ts';
import { matrixMicrokernelOp } from './matrix-microkernel-op.ts';
import type { VectorUnit } from './vector-unit.ts';
import { vectorizeMicrokernelOp } from './vectorize-microkernel-op.ts';
import { vectorizeSumsOp } from './vectorize-sums-op.ts';

/** Lowers each of them at or below `root`; all else stays. Of the values `apart` no two share memory. */
export const lowerTiles = (
  rewriter: Rewriter,
  root: DraftOperation,
  unit: VectorUnit,
  apart: ReadonlySet<Id> = new Set(),
): void => {
  for (const operation of rewriter.walk(root)) {
    if (operation.name !== 'linalg.generic') {
      if (operation.name.startsWith('linalg.')) vectorizeSumsOp(rewriter, operation, unit, apart);
      continue;
    }
    const { matrix } = unit;
    if (matrix !== undefined && matrixMicrokernelOp(rewriter, operation, matrix).status === 'success')
      continue;
    if (vectorizeMicrokernelOp(rewriter, operation, unit).status === 'success') continue;
    if (lowerPackingOp(rewriter, operation, unit).status === 'success') continue;
    if (lowerPaddedPacking(rewriter, operation, unit)) continue;
    vectorizeSumsOp(rewriter, operation, unit, apart);
  }
};
