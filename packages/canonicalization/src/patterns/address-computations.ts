/**
 * The patterns `memref.extract_address_computations`: an access at indices becomes an access at the start of a view,
 * so that the address computation is explicit (ST Listing 10).
 */
import { symbol } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applyExpression, createIndex, createSlice } from '@sconv/dialects';
import { load, store, stridedLayoutOf } from '@sconv/dialects/memref';
import { isMasked, isTransfer, transferOf, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { integerConstant, onOp, stateOf, withConstants } from '../match.ts';
import { metadataOf } from '../passes/expand-strided-metadata.ts';

/** The sizes from each index to the end of its dimension. */
const sizesBehind = (
  rewriter: Rewriter,
  buffer: Value,
  indices: readonly MixedIndex[],
): readonly MixedIndex[] | undefined =>
  metadataOf(rewriter, buffer)?.sizes.map((size, i) =>
    applyExpression(rewriter, symbol(0).sub(symbol(1)), [size, indices[i]!]),
  );

const staysInside = (transfer: DraftOperation): boolean =>
  transferOf(transfer)?.inBounds.every((flag) => flag) === true;

/**
 * Accesses, with the position of their buffer operand.
 *
 * @deviation Upstream also handles possibly out-of-bounds transfers, whose view may have a negative size, and those
 * under a `vector.mask`, which may hold no view.
 */
const accesses = [
  [load, 0],
  [store, 1],
  [transferRead, 0],
  [transferWrite, 1],
] as const;

export const addressComputationPatterns: readonly RewritePattern[] = accesses.map(([definition, position]) =>
  onOp(definition, 'extract-address-computation', (rewriter, operation) => {
    const buffer = operation.operands[position]!;
    const { type } = buffer;
    if (type.kind !== 'memref' || stridedLayoutOf(type) === undefined) return;
    const end = position + 1 + type.shape.length;
    const indices = operation.operands.slice(position + 1, end);
    // All indices are zero: nothing to do.
    if (indices.every((index) => integerConstant(rewriter, index) === 0)) return;
    const isElement = !isTransfer(operation);
    if (!isElement && !staysInside(operation)) return;
    if (isMasked(operation)) return;
    const offsets = withConstants(rewriter, indices);
    const sizes = isElement ? indices.map(() => 1) : sizesBehind(rewriter, buffer, offsets);
    if (sizes === undefined) return;
    const view = createSlice(rewriter, buffer, { offsets, sizes });
    const zero = createIndex(rewriter, 0);
    rewriter.replaceWith(
      operation,
      stateOf(operation, {
        operands: [
          ...operation.operands.slice(0, position),
          view,
          ...indices.map(() => zero),
          ...operation.operands.slice(end),
        ],
      }),
    );
  }),
);
