/** Queries on pairs of transfers between vectors and buffers. */
import { constant, dim, makeMap, simplify, sub } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { areElementsApart, composeApplication, isInBounds } from '@sconv/dialects';
import {
  areApart as areTransfersApart,
  haveSamePlace,
  isMasked,
  isMinorIdentity,
  isWhole as isWholeTransfer,
  maskAround,
  transferOf,
  transferRead,
} from '@sconv/dialects/vector';
import type { Transfer } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value, VectorType } from '@sconv/ir';

/** The parts of a transfer; throws for another operation. */
const partsOf = (operation: DraftOperation): Transfer => {
  const transfer = transferOf(operation);
  if (transfer === undefined) throw new Error(`'${operation.name}' is not a transfer, or does not verify`);
  return transfer;
};

/** The buffer or tensor that a transfer reads or writes. */
export const sourceOf = (operation: DraftOperation): Value =>
  operation.operands[transferRead.is(operation) ? 0 : 1]!;

/** Whether two transfers have the same indices, permutation map and vector type. */
export const haveSameIndices = (a: DraftOperation, b: DraftOperation): boolean =>
  haveSamePlace(partsOf(a), partsOf(b));

/** Whether a transfer promises to move its whole vector. */
export const isWhole = (operation: DraftOperation): boolean =>
  isWholeTransfer(partsOf(operation)) && !isMasked(operation);

/** Whether a transfer moves its whole vector: as it promises, or by the bounds of its indices. */
export const movesAll = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const transfer = partsOf(operation);
  const isInside = transfer.map.results.every((_, at) => isInBounds(rewriter, transfer, at));
  return isInside && transfer.mask === undefined && !isMasked(operation);
};

/** The extent of a transfer along each dimension of the tensor or buffer; undefined for dimensions not in its map. */
export const transferChunk = (operation: DraftOperation): readonly (number | undefined)[] => {
  const {
    map,
    vector: { type },
  } = partsOf(operation);
  return Array.from({ length: map.numDims }, (_, position) => {
    const at = map.results.findIndex((result) => result.kind === 'dim' && result.position === position);
    return at < 0 ? undefined : type.shape[at];
  });
};

/** Whether a transfer's vector lies along the last dimensions of its buffer or tensor, in order. */
export const isMinor = (operation: DraftOperation): boolean => isMinorIdentity(partsOf(operation).map);

/** Indices and vector type of a transfer. */
export const transferSpan = (
  operation: DraftOperation,
): { readonly indices: readonly Value[]; readonly type: VectorType } => {
  const { indices, vector } = partsOf(operation);
  return { indices, type: vector.type };
};

/** Whether two transfers have the same masks, of their own and around them, or none. */
export const haveSameMask = (a: DraftOperation, b: DraftOperation): boolean =>
  partsOf(a).mask?.id === partsOf(b).mask?.id &&
  maskAround(a)?.operands[0]?.id === maskAround(b)?.operands[0]?.id;

/**
 * Whether two transfers of one buffer, with equal vector types, provably access different elements (upstream's
 * `isDisjointTransferSet`).
 *
 * @deviation Upstream takes different indices for different elements in layouts that overlap themselves too.
 */
export const areDisjoint = (rewriter: Rewriter, a: DraftOperation, b: DraftOperation): boolean =>
  sourceOf(a).id === sourceOf(b).id && areElementsApart(rewriter, sourceOf(a)) && areApart(rewriter, a, b);

/** Whether the elements of a transfer's vector are apart in its buffer, so that it reads what was written like it. */
export const isApartWithin = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const { source, map, vector } = partsOf(operation);
  // A vector of one element along a dimension stays at its index.
  const moved = map.results.flatMap((result, i) =>
    result.kind === 'dim' && vector.type.shape[i] !== 1 ? [result.position] : [],
  );
  return areElementsApart(rewriter, source, moved);
};

/** The same, assuming that the tensors or buffers are the same. */
export const areApart = (rewriter: Rewriter, a: DraftOperation, b: DraftOperation): boolean =>
  areTransfersApart(partsOf(a), partsOf(b), (index, other) => distanceOf(rewriter, index, other));

/** The distance `a - b` of two indices, if constant. */
export const distanceOf = (rewriter: Rewriter, a: MixedIndex, b: MixedIndex): number | undefined => {
  const operands = [a, b].filter((index) => typeof index === 'object');
  const [first, second] = [a, b].map((index) =>
    typeof index === 'number' ? constant(index) : dim(operands.indexOf(index)),
  );
  const { map } = composeApplication(rewriter, makeMap(operands.length, 0, [sub(first!, second!)]), operands);
  const [difference] = simplify(map).results;
  return difference?.kind === 'constant' ? difference.value : undefined;
};
