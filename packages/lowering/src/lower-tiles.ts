/**
 * Lowers microkernels, packings, tiles of contractions, other sums of products and elementwise ops to loops over
 * vectors; LLVM's conversions take the rest.
 */
import { contract, microkernel, microkernelView, pack } from '@sconv/dialects/kernel';
import type { DraftOperation, Id, Rewriter } from '@sconv/ir';
import { lowerPackingOp } from './lower-packing-op.ts';
import { matrixMicrokernelOp } from './matrix-microkernel-op.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { vectorizeContractOp } from './vectorize-contract-op.ts';
import { vectorizeElementwiseOp } from './vectorize-elementwise-op.ts';
import { vectorizeMicrokernelOp } from './vectorize-microkernel-op.ts';
import { vectorizeSumsOp } from './vectorize-sums-op.ts';

/** Lowers all of them at or below `root`; other ops stay. The values `apart` do not alias one another. */
export const lowerTiles = (
  rewriter: Rewriter,
  root: DraftOperation,
  unit: VectorRegisters,
  apart: ReadonlySet<Id> = new Set(),
): void => {
  for (const operation of rewriter.walk(root)) {
    if (microkernel.is(operation)) {
      const { matrix } = unit;
      const isOfMatrix = matrix !== undefined && microkernelView(operation).lanes === 'both';
      if (!isOfMatrix || matrixMicrokernelOp(rewriter, operation, matrix).status !== 'success')
        vectorizeMicrokernelOp(rewriter, operation, unit);
      continue;
    }
    if (contract.is(operation)) {
      vectorizeContractOp(rewriter, operation, unit);
      continue;
    }
    if (pack.is(operation)) {
      lowerPackingOp(rewriter, operation, unit);
      continue;
    }
    if (!operation.name.startsWith('linalg.')) continue;
    if (vectorizeSumsOp(rewriter, operation, unit, apart).status === 'success') continue;
    vectorizeElementwiseOp(rewriter, operation, unit, apart);
  }
};
