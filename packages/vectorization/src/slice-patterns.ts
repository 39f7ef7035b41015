/** Folds tensor slices into transfers: upstream's `populateFoldTensorSubsetIntoVectorTransferPatterns`. */
import type { AffineMap } from '@sconv/affine';
import { compose, dim, makeMap, symbol } from '@sconv/affine';
import { definedBy, isSame, onOp } from '@sconv/canonicalization/matching';
import type { MixedIndex } from '@sconv/dialects';
import { applyExpression, indexValue, mixedSlice, sameSlice } from '@sconv/dialects';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import { maskAround, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { createMasked } from './masking.ts';

/** Where a transfer on a slice is located in the whole tensor. */
interface Place {
  readonly indices: readonly Value[];
  readonly permutationMap: AffineMap;
}

/** The unit dimensions that a rank-reduced type drops, from the last one on, as upstream's `getDroppedDims`. */
const droppedDimensions = (sizes: readonly MixedIndex[], shape: readonly number[]): ReadonlySet<number> => {
  const dropped = new Set<number>();
  let last = shape.length - 1;
  for (let i = sizes.length - 1; i >= 0; i--) {
    if (last < 0 || (sizes[i] === 1 && shape[last] !== 1)) dropped.add(i);
    else last -= 1;
  }
  return dropped;
};

/** For a slice with unit strides; `slice` is the rank-reduced type. */
const placeInWhole = (
  rewriter: Rewriter,
  operation: DraftOperation,
  slice: TensorType,
  indices: readonly Value[],
  map: AffineMap,
): Place | undefined => {
  const { offsets, sizes, strides } = mixedSlice(operation);
  if (strides.some((stride) => stride !== 1)) return undefined;
  const dropped = droppedDimensions(sizes, slice.shape);
  let next = 0;
  const all = offsets.map((offset, i) =>
    indexValue(
      rewriter,
      dropped.has(i)
        ? offset
        : applyExpression(rewriter, symbol(0).add(symbol(1)), [offset, indices[next++]!]),
    ),
  );
  const kept = offsets.flatMap((_, i) => (dropped.has(i) ? [] : [dim(i)]));
  return {
    indices: all,
    permutationMap: compose(map, makeMap(offsets.length, 0, kept)),
  };
};

const readOfSlice = onOp(transferRead, 'read-of-slice', (rewriter, operation) => {
  const { source, indices, padding, mask } = transferRead.operands(operation);
  const { permutationMap, inBounds } = transferRead.attributes(operation);
  const slice = definedBy(rewriter, source, extractSlice);
  if (slice === undefined || inBounds.includes(false) || mask !== undefined) return;
  const around = maskAround(operation);
  rewriter.scoped(() => {
    if (around !== undefined) rewriter.setInsertionPointBefore(around);
    const place = placeInWhole(rewriter, slice, source.type as TensorType, indices, permutationMap);
    if (place === undefined) return;
    const resultTypes = operation.results.map(({ type }) => type);
    const whole = extractSlice.operands(slice).source;
    const read = createMasked(rewriter, around?.operands[0], resultTypes, (b) => [
      b(transferRead, { source: whole, padding, inBounds, ...place }, { resultTypes }),
    ]);
    rewriter.replaceOperation(around ?? operation, read);
  });
});

/** Whether an insertion puts a slice of its destination back where it was cut out. */
const isPutBack = (rewriter: Rewriter, slice: Value, insertion: DraftOperation): boolean => {
  const taken = definedBy(rewriter, slice, extractSlice);
  if (taken === undefined || !isSame(taken.operands[0], insertion.operands[1])) return false;
  return sameSlice(rewriter, mixedSlice(taken), mixedSlice(insertion));
};

/**
 * What a write leaves of the inserted slice must be what the destination has there: the write covers the slice, or the
 * slice was cut out of the same place.
 *
 * @deviation Upstream's pass drops elements of the slice that the write leaves.
 */
const insertOfWrite = onOp(insertSlice, 'insert-of-write', (rewriter, operation) => {
  const { source, dest } = insertSlice.operands(operation);
  const write = definedBy(rewriter, source, transferWrite);
  if (write === undefined) return;
  const { vector, indices, mask } = transferWrite.operands(write);
  const { permutationMap, inBounds } = transferWrite.attributes(write);
  if (inBounds.includes(false) || mask !== undefined) return;
  const isCovered =
    vector.type.shape.length === source.type.shape.length &&
    vector.type.shape.every((size, i) => size === source.type.shape[i]);
  if (!isCovered && !isPutBack(rewriter, write.operands[1]!, operation)) return;
  const place = placeInWhole(rewriter, operation, source.type, indices, permutationMap);
  if (place === undefined) return;
  const made = builder(rewriter)(
    transferWrite,
    { vector: vector, source: dest, inBounds, ...place },
    { resultTypes: [dest.type] },
  );
  rewriter.replaceOperation(operation, [made!]);
});

export const slicePatterns: readonly RewritePattern[] = [readOfSlice, insertOfWrite];
