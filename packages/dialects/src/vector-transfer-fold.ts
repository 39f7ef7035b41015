/** Folds of `vector.transfer_read` and `vector.transfer_write`, as upstream. */
import type { AffineMap } from '@sconv/affine';
import { equals } from '@sconv/affine';
import type {
  Attribute,
  FoldedInPlace,
  Folder,
  MemRefType,
  Operation,
  TensorType,
  Value,
  VectorType,
} from '@sconv/ir';
import {
  arrayAttribute,
  booleanAttribute,
  denseArrayAttribute,
  DYNAMIC,
  i32,
  integerOf,
  typeEquals,
} from '@sconv/ir';
import { integersOf } from './vector-extract-fold.ts';

type Definitions = Parameters<Folder>[2];

/** A transfer in either direction. */
interface Transfer {
  readonly operation: Operation;
  readonly isRead: boolean;
  readonly source: Value;
  readonly indices: readonly Value[];
  readonly mask: Value | undefined;
  readonly vector: Value;
  readonly map: AffineMap;
  readonly inBounds: readonly boolean[];
}

const isTransfer = ({ name }: Operation): boolean =>
  name === 'vector.transfer_read' || name === 'vector.transfer_write';

const transferOf = (operation: Operation): Transfer | undefined => {
  if (!isTransfer(operation)) return undefined;
  const { operands, results, attributes } = operation;
  const isRead = operation.name === 'vector.transfer_read';
  const at = isRead ? 0 : 1;
  const source = operands[at];
  const vector = isRead ? results[0] : operands[0];
  const { permutation_map: map, in_bounds: inBounds } = attributes;
  if (
    source === undefined ||
    vector === undefined ||
    map?.kind !== 'affine-map' ||
    inBounds?.kind !== 'array'
  )
    return undefined;
  if (source.type.kind !== 'tensor' && source.type.kind !== 'memref') return undefined;
  const end = at + 1 + source.type.shape.length;
  return {
    operation,
    isRead,
    source,
    indices: operands.slice(at + 1, end),
    mask: operands[end + (isRead ? 1 : 0)],
    vector,
    map: map.map,
    inBounds: inBounds.elements.map((flag) => integerOf(flag) !== 0),
  };
};

const shapedType = ({ source }: Transfer) => source.type as TensorType | MemRefType;
const vectorTypeOf = ({ vector }: Transfer) => vector.type as VectorType;
const isWhole = ({ inBounds }: Transfer): boolean => inBounds.every((flag) => flag);

const isSame = (a: Value | undefined, b: Value | undefined): boolean => a?.id === b?.id;

/** Whether two transfers access the same elements, provided that their tensors are the same. */
const haveSamePlace = (a: Transfer, b: Transfer): boolean =>
  a.indices.length === b.indices.length &&
  a.indices.every((index, i) => isSame(index, b.indices[i])) &&
  typeEquals(a.vector.type, b.vector.type) &&
  equals(a.map, b.map);

/** The constant that a value is. */
const constantOf = (value: Value, definitionOf: Definitions): number | undefined => {
  const definition = definitionOf(value);
  return definition?.name === 'arith.constant' ? integerOf(definition.attributes['value']) : undefined;
};

const isMinorIdentity = ({ map: { numDims, results } }: Transfer): boolean =>
  results.every((result, i) => result.kind === 'dim' && result.position === numDims - results.length + i);

/**
 * Whether two transfers of equal vector types are provably disjoint, by constant indices.
 *
 * @deviation Upstream does not look at permutation maps.
 */
const areDisjoint = (a: Transfer, b: Transfer, definitionOf: Definitions): boolean => {
  if (!typeEquals(a.vector.type, b.vector.type) || !isMinorIdentity(a) || !isMinorIdentity(b)) return false;
  const { shape } = vectorTypeOf(a);
  const leading = a.indices.length - shape.length;
  return a.indices.some((index, i) => {
    const [at, other] = [constantOf(index, definitionOf), constantOf(b.indices[i]!, definitionOf)];
    return (
      at !== undefined &&
      other !== undefined &&
      Math.abs(at - other) >= (i < leading ? 1 : shape[i - leading]!)
    );
  });
};

/** The same transfer without an all-true mask. */
const withoutFullMask = (transfer: Transfer, definitionOf: Definitions): FoldedInPlace | undefined => {
  const { mask, operation } = transfer;
  const sizes = operation.attributes['operandSegmentSizes'];
  if (mask === undefined || sizes?.kind !== 'dense-array' || !isAllSet(mask, definitionOf)) return undefined;
  return {
    kind: 'in-place',
    operands: operation.operands.slice(0, -1),
    attributes: {
      ...operation.attributes,
      operandSegmentSizes: denseArrayAttribute(sizes.values.with(-1, 0), i32),
    },
  };
};

const isAllSet = (mask: Value, definitionOf: Definitions): boolean => {
  const definition = definitionOf(mask);
  if (definition?.name === 'arith.constant') return isDenseTrue(definition.attributes['value']);
  return (
    definition?.name === 'vector.constant_mask' &&
    integersOf(definition.attributes['mask_dim_sizes']).every(
      (size, i) => size >= ((mask.type as VectorType).shape[i] ?? 1),
    )
  );
};

const isDenseTrue = (attribute: Attribute | undefined): boolean =>
  attribute?.kind === 'dense-elements' &&
  attribute.text === undefined &&
  attribute.values.length > 0 &&
  attribute.values.every((value) => typeof value !== 'string' && Number(value) !== 0);

/** The same transfer, marked in bounds in the dimensions where constants prove it. */
const withBounds = (transfer: Transfer, definitionOf: Definitions): FoldedInPlace | undefined => {
  const { shape } = shapedType(transfer);
  if (transfer.map.results.length === 0) return undefined;
  const inBounds = transfer.inBounds.map((flag, i) => {
    const result = transfer.map.results[i];
    if (flag || result?.kind !== 'dim') return flag;
    const [size, at] = [
      shape[result.position]!,
      constantOf(transfer.indices[result.position]!, definitionOf),
    ];
    return size !== DYNAMIC && at !== undefined && at + vectorTypeOf(transfer).shape[i]! <= size;
  });
  if (inBounds.every((flag, i) => flag === transfer.inBounds[i])) return undefined;
  return {
    kind: 'in-place',
    attributes: {
      ...transfer.operation.attributes,
      in_bounds: arrayAttribute(inBounds.map(booleanAttribute)),
    },
  };
};

/** The same transfer on the source of a cast. */
const throughCast = (transfer: Transfer, definitionOf: Definitions): FoldedInPlace | undefined => {
  const { operation, source, isRead } = transfer;
  const definition = definitionOf(source);
  const before = definition?.operands[0];
  if (before === undefined) return undefined;
  const isBuffer = definition?.name === 'memref.cast' && before.type.kind === 'memref';
  const isTensor =
    isRead &&
    definition?.name === 'tensor.cast' &&
    before.type.kind === 'tensor' &&
    shapedType(transfer).shape.every(
      (size, i) => size === DYNAMIC || (before.type as TensorType).shape[i] !== DYNAMIC,
    );
  if (!isBuffer && !isTensor) return undefined;
  return { kind: 'in-place', operands: operation.operands.with(isRead ? 0 : 1, before) };
};

export const foldRead: Folder = (operation, _constants, definitionOf) => {
  const read = transferOf(operation);
  if (read === undefined) return undefined;
  return (
    writtenVector(read, definitionOf) ??
    withBounds(read, definitionOf) ??
    withoutFullMask(read, definitionOf) ??
    throughCast(read, definitionOf)
  );
};

/** The vector last written at the place that a read reads. */
const writtenVector = (read: Transfer, definitionOf: Definitions): readonly Value[] | undefined => {
  if (read.source.type.kind !== 'tensor') return undefined;
  let { source } = read;
  for (;;) {
    const definition = definitionOf(source);
    const write = definition?.name === 'vector.transfer_write' ? transferOf(definition) : undefined;
    if (write === undefined) return undefined;
    if (isWhole(write) && !write.mask && !read.mask && haveSamePlace(write, read)) return [write.vector];
    if (!areDisjoint(write, read, definitionOf)) return undefined;
    source = write.source;
  }
};

export const foldWrite: Folder = (operation, _constants, definitionOf) => {
  const write = transferOf(operation);
  if (write === undefined) return undefined;
  return (
    unchangedTensor(write, definitionOf) ??
    withBounds(write, definitionOf) ??
    withoutFullMask(write, definitionOf) ??
    throughCast(write, definitionOf)
  );
};

/** The tensor that a write produces, if it writes back what was read from there. */
const unchangedTensor = (write: Transfer, definitionOf: Definitions): readonly Value[] | undefined => {
  if (write.source.type.kind !== 'tensor' || write.mask !== undefined) return undefined;
  const definition = definitionOf(write.vector);
  const read = definition?.name === 'vector.transfer_read' ? transferOf(definition) : undefined;
  if (read === undefined || read.mask !== undefined) return undefined;
  if (isSame(read.source, write.source) && haveSamePlace(read, write)) return [read.source];
  const areZero = [...read.indices, ...write.indices].every((index) => constantOf(index, definitionOf) === 0);
  const isCopy =
    read.map.results.length > 0 &&
    [read, write].every((each) => isMinorIdentity(each) && isWhole(each)) &&
    typeEquals(read.source.type, write.source.type) &&
    String(vectorTypeOf(read).shape) === String(shapedType(write).shape) &&
    areZero;
  return isCopy ? [read.source] : undefined;
};
