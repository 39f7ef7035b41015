/**
 * Rewrites transfers whose permutation map is no minor identity to minor identity transfers with `vector.transpose`
 * or `vector.broadcast`: upstream's `populateVectorTransferPermutationMapLoweringPatterns`. Masked transfers stay.
 */
import type { AffineMap } from '@sconv/affine';
import { compressUnusedDims, dim, identityMap, inversePermutation, makeMap } from '@sconv/affine';
import { load } from '@sconv/dialects/memref';
import { extract } from '@sconv/dialects/tensor';
import {
  broadcast,
  isMasked,
  isMinorIdentity,
  isMinorWithBroadcasts,
  minorIdentity,
  minorPermutation,
  transferRead,
  transferWrite,
} from '@sconv/dialects/vector';
import { onOp } from '@sconv/canonicalization/matching';
import type { Builder, RewritePattern, Value, VectorType } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';
import { transposed } from './transposed.ts';

/** `list` with the item at i moved to `places[i]`. */
const moved = <T>(list: readonly T[], places: readonly number[]): readonly T[] => {
  const result: T[] = [];
  places.forEach((place, i) => (result[place] = list[i]!));
  return result;
};

const readWithPermutation = onOp(transferRead, 'read-with-permutation', (rewriter, operation) => {
  const { permutationMap: map, inBounds } = transferRead.attributes(operation);
  const permutation = map.results.length === 0 || isMasked(operation) ? undefined : minorPermutation(map);
  if (permutation === undefined || permutation.every((place, i) => place === i)) return;
  const type = operation.results[0]!.type as VectorType;
  const readType = vectorType(
    moved(type.shape, permutation),
    type.elementType,
    moved(type.scalable, permutation),
  );
  const vector = builder(rewriter)(
    transferRead,
    {
      ...transferRead.operands(operation),
      permutationMap: makeMap(map.numDims, 0, moved(map.results, permutation)),
      inBounds: moved(inBounds, permutation),
    },
    { resultTypes: [readType] },
  );
  rewriter.replaceOperation(operation, [transposed(rewriter, vector, permutation)]);
});

const writeWithPermutation = onOp(transferWrite, 'write-with-permutation', (rewriter, operation) => {
  const { permutationMap: map, inBounds } = transferWrite.attributes(operation);
  if (map.results.length === 0 || isMasked(operation) || isMinorIdentity(map)) return;
  const places = minorPermutation(map);
  if (places === undefined) return;
  const order = positionsOf(inversePermutation(compressUnusedDims(map)) ?? identityMap(places.length));
  const { vector, ...others } = transferWrite.operands(operation);
  const b = builder(rewriter);
  const made = b(
    transferWrite,
    {
      ...others,
      vector: transposed(rewriter, vector, order),
      permutationMap: minorIdentity(map.numDims, map.results.length),
      inBounds: moved(inBounds, places),
    },
    { resultTypes: operation.results.map(({ type }) => type) },
  );
  rewriter.replaceOperation(operation, made === undefined ? [] : [made]);
});

const positionsOf = ({ results }: AffineMap): readonly number[] =>
  results.map((result) => (result.kind === 'dim' ? result.position : 0));

/** A vector with `count` leading unit dimensions added. */
const extended = (b: Builder, source: Value<VectorType>, count: number): Value<VectorType> => {
  const { shape, elementType, scalable } = source.type;
  const ones = Array<number>(count).fill(1);
  const type = vectorType([...ones, ...shape], elementType, [...ones.map(() => false), ...scalable]);
  return b(broadcast, { source }, { resultTypes: [type] });
};

/** A write that skips inner dimensions writes one element of each. */
const writeWithoutDimensions = onOp(transferWrite, 'write-without-dimensions', (rewriter, operation) => {
  const { permutationMap: map, inBounds } = transferWrite.attributes(operation);
  if (map.results.length === 0 || isMasked(operation) || minorPermutation(map) !== undefined) return;
  const used = new Set(positionsOf(map));
  const first = Math.min(...used);
  const missing = Array.from({ length: map.numDims }, (_, i) => i).filter((i) => i > first && !used.has(i));
  const { vector, mask, ...others } = transferWrite.operands(operation);
  const b = builder(rewriter);
  const wide = extended(b, vector, missing.length);
  const widened = mask && extended(b, mask, missing.length);
  // A mask has the dimensions of the tensor or buffer in order.
  const places = [...missing, ...[...used].sort((one, other) => one - other)];
  const order = places.toSorted((one, other) => one - other).map((place) => places.indexOf(place));
  const made = b(
    transferWrite,
    {
      ...others,
      vector: wide,
      mask: widened && transposed(rewriter, widened, order),
      permutationMap: makeMap(map.numDims, 0, [...missing.map((i) => dim(i)), ...map.results]),
      inBounds: [...missing.map(() => true), ...inBounds],
    },
    { resultTypes: operation.results.map(({ type }) => type) },
  );
  rewriter.replaceOperation(operation, made === undefined ? [] : [made]);
});

/** A read that broadcasts leading dimensions reads once, then broadcasts. */
const readWithBroadcast = onOp(transferRead, 'read-with-broadcast', (rewriter, operation) => {
  const { permutationMap: map, inBounds } = transferRead.attributes(operation);
  const isRepeated = map.results.map((result) => result.kind === 'constant' && result.value === 0);
  const count = isRepeated.includes(false) ? isRepeated.indexOf(false) : isRepeated.length;
  const rest = makeMap(map.numDims, 0, map.results.slice(count));
  if (count === 0 || isMasked(operation) || !isMinorWithBroadcasts(rest)) return;
  const type = operation.results[0]!.type as VectorType;
  const { source, indices, padding, mask } = transferRead.operands(operation);
  // The element that is repeated may be masked.
  if (rest.results.length === 0 && mask !== undefined) return;
  const b = builder(rewriter);
  const options = { resultTypes: [type] };
  if (rest.results.length === 0) {
    const element: Value =
      source.type.kind === 'tensor'
        ? b(extract, { tensor: source, indices }, { resultTypes: [type.elementType] })
        : b(load, { memref: source, indices }, { resultTypes: [type.elementType] });
    rewriter.replaceOperation(operation, [b(broadcast, { source: element }, options)]);
    return;
  }
  const readType = vectorType(type.shape.slice(count), type.elementType, type.scalable.slice(count));
  const read = b(
    transferRead,
    { source, indices, padding, mask, permutationMap: rest, inBounds: inBounds.slice(count) },
    { resultTypes: [readType] },
  );
  rewriter.replaceOperation(operation, [b(broadcast, { source: read }, options)]);
});

export const transferPermutationPatterns: readonly RewritePattern[] = [
  readWithPermutation,
  writeWithPermutation,
  readWithBroadcast,
  writeWithoutDimensions,
];
