/** Canonicalization of transfers between vectors and tensors. */
import { compose, compressUnusedDims } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { extractSliceState, indexNumber, mixedSlice } from '@sconv/dialects';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import {
  broadcast,
  isMasked,
  minorPermutation,
  transferRead,
  transferWrite,
  transpose,
} from '@sconv/dialects/vector';
import type { RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, isStaticShape, vectorType } from '@sconv/ir';
import { definedBy, onOp, sameMixed, sameValues } from '../match.ts';
import { areApart, haveSameIndices, haveSameMask, transferChunk } from '../vector-transfers.ts';

/**
 * A read of what was just written, permuted or broadcast.
 *
 * @deviation Upstream also replaces a masked read of what was written under the same mask; where the mask is not set,
 * the read is of the padding, not of the written vector. Under a `vector.mask` it takes reads and writes for whole
 * ones.
 */
const readOfWrite = onOp(transferRead, 'read-of-write', (rewriter, operation) => {
  const { source, indices, mask: read } = transferRead.operands(operation);
  const write = definedBy(rewriter, source, transferWrite);
  const inBounds = transferRead.attributes(operation).inBounds.every((flag) => flag);
  if (write === undefined || source.type.kind !== 'tensor' || !inBounds) return;
  if (read !== undefined || isMasked(operation)) return;
  const { vector, indices: written, mask } = transferWrite.operands(write);
  if (!sameValues(indices, written) || mask !== undefined) return;
  const [readMap, writeMap] = [
    transferRead.attributes(operation).permutationMap,
    transferWrite.attributes(write).permutationMap,
  ];
  const [own, other] = [transferChunk(operation), transferChunk(write)];
  if (String(own) !== String(other)) return;
  const type = operation.results[0]!.type as VectorType;
  const map = compose(compressUnusedDims(readMap), compressUnusedDims(writeMap));
  const permutation = map.results.length === 0 ? undefined : minorPermutation(map);
  if (permutation === undefined) return;
  const shape: number[] = [];
  const scalable: boolean[] = [];
  permutation.forEach((to, from) => {
    shape[to] = type.shape[from]!;
    scalable[to] = type.scalable[from]!;
  });
  const b = builder(rewriter);
  const repeated: Value = b(
    broadcast,
    { source: vector },
    { resultTypes: [vectorType(shape, vector.type.elementType, scalable)] },
  );
  rewriter.replaceOperation(operation, [
    b(transpose, { vector: repeated, permutation }, { resultTypes: [type] }),
  ]);
});

/** A write that is completely overwritten, as seen by the writes after it. */
const writeOfWrite = onOp(transferWrite, 'write-of-write', (rewriter, operation) => {
  if (operation.results.length === 0) return;
  let last = operation;
  let before = definedBy(rewriter, transferWrite.operands(operation).source, transferWrite);
  while (before !== undefined) {
    if (haveSameIndices(operation, before) && haveSameMask(operation, before)) {
      // Elements that an out-of-bounds write skips are skipped by the following one too.
      rewriter.setOperand(last, 1, transferWrite.operands(before).source);
      return;
    }
    const [result] = before.results;
    if (!areApart(rewriter, before, operation)) return;
    if (result === undefined || rewriter.users(result).length !== 1) return;
    last = before;
    before = definedBy(rewriter, transferWrite.operands(before).source, transferWrite);
  }
});

const isZero = (rewriter: Rewriter, index: MixedIndex): boolean => indexNumber(rewriter, index) === 0;

/** An insertion of a completely written tensor: write the vector directly into the destination slice. */
const insertOfWritten = onOp(insertSlice, 'insert-of-written', (rewriter, operation) => {
  const slice = definedBy(rewriter, operation.operands[0], extractSlice);
  const write = slice && definedBy(rewriter, slice.operands[0], transferWrite);
  if (slice === undefined || write === undefined) return;
  const [own, other] = [mixedSlice(operation), mixedSlice(slice)];
  if ([...own.strides, ...other.strides].some((stride) => stride !== 1)) return;
  if ([slice, write].some(({ results }) => rewriter.users(results[0]!).length !== 1)) return;
  const { vector, source, indices, mask } = transferWrite.operands(write);
  const { permutationMap } = transferWrite.attributes(write);
  const [sliced, dest] = [slice.results[0]!.type, operation.operands[1]!];
  if (sliced.kind !== 'tensor' || dest.type.kind !== 'tensor' || source.type.kind !== 'tensor') return;
  if (sliced.shape.length !== vector.type.shape.length || mask !== undefined) return;
  if (![...other.offsets, ...indices].every((index) => isZero(rewriter, index))) return;
  if (!sameMixed(own.sizes, other.sizes) || !isStaticShape(source.type)) return;
  const { shape } = source.type;
  const written = permutationMap.results.map((result) =>
    result.kind === 'dim' ? shape[result.position] : 0,
  );
  if (String(written) !== String(vector.type.shape)) return;
  const target = rewriter.createValue(extractSliceState(dest, own, sliced));
  const made = builder(rewriter)(
    transferWrite,
    { vector, source: target, indices, permutationMap, inBounds: written.map(() => false) },
    { resultTypes: [sliced] },
  );
  rewriter.setOperand(operation, 0, made!);
});

export const transferPatterns: readonly RewritePattern[] = [readOfWrite, writeOfWrite, insertOfWritten];
