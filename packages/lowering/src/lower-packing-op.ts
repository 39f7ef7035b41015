/** Packings as loops over vectors. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { Packing } from '@sconv/dialects/kernel';
import { pack, packingView } from '@sconv/dialects/kernel';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { createPackingCopy } from './copy-packing.ts';
import { createPaddedCopy } from './copy-padded-packing.ts';
import { withPairs } from './packed-pairs.ts';
import { withComposedIndices } from './packing.ts';
import type { VectorRegisters } from './vector-unit.ts';

/**
 * Replaces a `kernel.pack` by loops. Fails with `lowering/no-packing` for another op, and for one whose sizes are not
 * known.
 */
export const lowerPackingOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorRegisters,
): Diagnosed<undefined> => {
  const refused = (why: string) =>
    silenceableError('lowering/no-packing', `expected a packing: ${why}`, operation);
  if (!pack.is(operation)) return refused(`'${operation.name}' is another op`);
  const kernel = packingView(operation);
  const problem = refusedPacking(kernel);
  if (problem !== undefined) return refused(problem);
  rewriter.setInsertionPointBefore(operation);
  const { margin, ...packing } = withComposedIndices(rewriter, kernel);
  if (margin === undefined) createPackingCopy(rewriter, withPairs(rewriter, { ...packing, margin }), unit);
  else createPaddedCopy(rewriter, { ...packing, margin }, unit);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** Why a packing is not lowered, for the pass that forms them; undefined if it is. */
export const refusedPacking = ({ extents }: Packing): string | undefined =>
  extents.includes(DYNAMIC) ? 'its sizes are not known' : undefined;
