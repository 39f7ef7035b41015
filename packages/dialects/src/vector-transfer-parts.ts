/** The parts of a transfer in either direction, and what pairs of transfers have in common. */
import type { AffineMap, Bounds } from '@sconv/affine';
import { equals } from '@sconv/affine';
import type { MemRefType, Operation, TensorType, Value, VectorType } from '@sconv/ir';
import { DYNAMIC, integerOf, typeEquals } from '@sconv/ir';

/** A `vector.transfer_read` or `vector.transfer_write`. */
export interface Transfer {
  readonly operation: Operation;
  readonly isRead: boolean;
  /** The tensor or buffer that is read or written. */
  readonly source: Value<TensorType | MemRefType>;
  readonly indices: readonly Value[];
  readonly mask: Value | undefined;
  /** The vector that is read or written. */
  readonly vector: Value<VectorType>;
  /** From the dimensions of `source` to those of `vector`. */
  readonly map: AffineMap;
  /** One flag per result of `map`. */
  readonly inBounds: readonly boolean[];
}

/** Whether an operation is a transfer. */
export const isTransfer = ({ name }: Operation): boolean =>
  name === 'vector.transfer_read' || name === 'vector.transfer_write';

/** The parts of a transfer; undefined for other operations, and for one that does not verify. */
export const transferOf = (operation: Operation): Transfer | undefined => {
  if (!isTransfer(operation)) return undefined;
  const { operands, results, attributes } = operation;
  const isRead = operation.name === 'vector.transfer_read';
  const at = isRead ? 0 : 1;
  const source = operands[at];
  const vector = isRead ? results[0] : operands[0];
  const { permutation_map: map, in_bounds: inBounds } = attributes;
  if (source?.type.kind !== 'tensor' && source?.type.kind !== 'memref') return undefined;
  if (vector?.type.kind !== 'vector' || map?.kind !== 'affine-map' || inBounds?.kind !== 'array')
    return undefined;
  const end = at + 1 + source.type.shape.length;
  return {
    operation,
    isRead,
    source: source as Value<TensorType | MemRefType>,
    indices: operands.slice(at + 1, end),
    // A read's padding is in between.
    mask: operands[isRead ? end + 1 : end],
    vector: vector as Value<VectorType>,
    map: map.map,
    inBounds: inBounds.elements.map((flag) => integerOf(flag) !== 0),
  };
};

/** Whether a transfer moves its whole vector. */
export const isWhole = ({ inBounds, mask }: Transfer): boolean =>
  mask === undefined && inBounds.every((flag) => flag);

/**
 * Whether a transfer stays in bounds along dimension `at` of its vector, if its index there is in `[least, end)`; a
 * repeated element is, and how long a scalable vector is is not known.
 */
export const fitsAlong = (
  { map, source, vector: { type } }: Transfer,
  at: number,
  [least, end]: Bounds,
): boolean => {
  const along = map.results[at];
  if (along?.kind !== 'dim') return true;
  const size = source.type.shape[along.position]!;
  const isKnown = size !== DYNAMIC && type.scalable[at] !== true;
  return isKnown && least >= 0 && end - 1 + type.shape[at]! <= size;
};

/** Whether a map is a minor identity: its last dimensions, in order. */
export const isMinorIdentity = ({ numDims, results }: AffineMap): boolean =>
  results.every((result, i) => result.kind === 'dim' && result.position === numDims - results.length + i);

/** Whether two transfers access the same elements, provided that their tensors or buffers are the same. */
export const haveSamePlace = (a: Transfer, b: Transfer): boolean =>
  a.indices.length === b.indices.length &&
  a.indices.every((index, i) => index.id === b.indices[i]!.id) &&
  typeEquals(a.vector.type, b.vector.type) &&
  equals(a.map, b.map);

/**
 * Whether two transfers of one tensor or buffer, with equal vector types, provably access different elements
 * (upstream's `isDisjointTransferIndices`), if its elements are apart (see `areElementsApart`). `distance` is the
 * difference of two indices; undefined if that is not constant.
 *
 * @deviation Upstream does not look at permutation maps; here only minor identities are compared. How long a scalable
 * vector is is not known.
 */
export const areApart = (
  a: Transfer,
  b: Transfer,
  distance: (a: Value, b: Value) => number | undefined,
): boolean => {
  if (!typeEquals(a.vector.type, b.vector.type)) return false;
  if (!isMinorIdentity(a.map) || !isMinorIdentity(b.map)) return false;
  const { shape, scalable } = a.vector.type;
  const leading = a.indices.length - shape.length;
  return a.indices.some((index, i) => {
    const between = distance(index, b.indices[i]!);
    if (between === undefined || scalable[i - leading] === true) return false;
    return Math.abs(between) >= (i < leading ? 1 : shape[i - leading]!);
  });
};
