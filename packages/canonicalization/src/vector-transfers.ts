/** Queries on pairs of transfers between vectors and buffers. */
import { constant, dim, equals, makeMap, simplify, sub } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { composeApplication, viewLike } from '@sconv/dialects';
import { transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value, VectorType } from '@sconv/ir';
import { modelOf, typeEquals } from '@sconv/ir';

export const isTransfer = (operation: DraftOperation): boolean =>
  transferRead.is(operation) || transferWrite.is(operation);

/** The operands and attributes of a transfer in either direction. */
const partsOf = (operation: DraftOperation) => {
  const { permutationMap, inBounds } = transferRead.is(operation)
    ? transferRead.attributes(operation)
    : transferWrite.attributes(operation);
  const { source, indices, mask } = transferRead.is(operation)
    ? transferRead.operands(operation)
    : transferWrite.operands(operation);
  const vector = transferRead.is(operation)
    ? operation.results[0]!
    : transferWrite.operands(operation).vector;
  return { source, indices, mask, map: permutationMap, inBounds, type: vector.type as VectorType };
};

/** The buffer or tensor that a transfer reads or writes. */
export const sourceOf = (operation: DraftOperation): Value => partsOf(operation).source;

const isSame = (a: Value | undefined, b: Value | undefined): boolean => a?.id === b?.id;

/** Whether two transfers have the same indices, permutation map and vector type. */
export const haveSameIndices = (a: DraftOperation, b: DraftOperation): boolean => {
  const [first, second] = [partsOf(a), partsOf(b)];
  return (
    first.indices.length === second.indices.length &&
    first.indices.every((index, i) => isSame(index, second.indices[i])) &&
    typeEquals(first.type, second.type) &&
    equals(first.map, second.map)
  );
};

/** Whether a transfer moves its whole vector. */
export const isWhole = (operation: DraftOperation): boolean => {
  const { inBounds, mask } = partsOf(operation);
  return mask === undefined && inBounds.every((flag) => flag);
};

/** The extent of a transfer along each dimension of the tensor or buffer; undefined for dimensions not in its map. */
export const transferChunk = (operation: DraftOperation): readonly (number | undefined)[] => {
  const { map, type } = partsOf(operation);
  return Array.from({ length: map.numDims }, (_, position) => {
    const at = map.results.findIndex((result) => result.kind === 'dim' && result.position === position);
    return at < 0 ? undefined : type.shape[at];
  });
};

/** Whether a transfer's vector lies along the last dimensions of its buffer or tensor, in order. */
export const isMinor = (operation: DraftOperation): boolean => {
  const { map } = partsOf(operation);
  const leading = map.numDims - map.results.length;
  return map.results.every((result, i) => result.kind === 'dim' && result.position === leading + i);
};

/** Indices and vector type of a transfer. */
export const transferSpan = (
  operation: DraftOperation,
): { readonly indices: readonly Value[]; readonly type: VectorType } => partsOf(operation);

/** Whether two transfers have the same mask, or none. */
export const haveSameMask = (a: DraftOperation, b: DraftOperation): boolean =>
  isSame(partsOf(a).mask, partsOf(b).mask);

/**
 * Whether two transfers of one buffer, with equal vector types, provably access different elements (upstream's
 * `isDisjointTransferSet`).
 *
 * @deviation Upstream does not look at permutation maps; here only minor identities are compared.
 */
export const areDisjoint = (rewriter: Rewriter, a: DraftOperation, b: DraftOperation): boolean => {
  return isSame(partsOf(a).source, partsOf(b).source) && areApart(rewriter, a, b);
};

/** The same, assuming that the tensors or buffers are the same. */
export const areApart = (rewriter: Rewriter, a: DraftOperation, b: DraftOperation): boolean => {
  const [first, second] = [partsOf(a), partsOf(b)];
  if (!typeEquals(first.type, second.type)) return false;
  const { shape } = first.type;
  const leading = first.indices.length - shape.length;
  return (
    isMinor(a) &&
    isMinor(b) &&
    first.indices.some((index, i) => {
      const distance = distanceOf(rewriter, index, second.indices[i]!);
      return distance !== undefined && Math.abs(distance) >= (i < leading ? 1 : shape[i - leading]!);
    })
  );
};

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

/** The buffer that a value is a view of, through all views. */
export const viewedBuffer = (rewriter: Rewriter, value: Value): Value => {
  const definition = rewriter.definingOperation(value);
  const model = definition && modelOf(rewriter.registry, viewLike, definition);
  return definition === undefined || model === undefined
    ? value
    : viewedBuffer(rewriter, model.source(definition));
};

/** The users of a buffer and all of its views, excluding the views. */
export const usersThroughViews = (rewriter: Rewriter, buffer: Value): readonly DraftOperation[] => {
  const found = new Set<DraftOperation>();
  const pending = [buffer];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    for (const user of rewriter.users(value)) {
      if (modelOf(rewriter.registry, viewLike, user) === undefined) found.add(user);
      else pending.push(...user.results);
    }
  }
  return [...found];
};
