/** Folds of `vector.transfer_read` and `vector.transfer_write`, as upstream. */
import type { Attribute, FoldedInPlace, Folder, TensorType, Value, VectorType } from '@sconv/ir';
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
import type { Transfer } from './vector-transfer-parts.ts';
import {
  areApart,
  fitsAlong,
  haveSamePlace,
  isMinorIdentity,
  isWhole,
  transferOf,
} from './vector-transfer-parts.ts';

type Definitions = Parameters<Folder>[2];
type Constants = NonNullable<Parameters<Folder>[3]>;

const noConstants: Constants = () => undefined;

/** The distance of two constant indices. */
const distanceIn =
  (constantOf: Constants) =>
  (a: Value, b: Value): number | undefined => {
    const [at, other] = [integerOf(constantOf(a)), integerOf(constantOf(b))];
    return at === undefined || other === undefined ? undefined : at - other;
  };

/** The same transfer without an all-true mask. */
const withoutFullMask = (
  transfer: Transfer,
  definitionOf: Definitions,
  constantOf: Constants,
): FoldedInPlace | undefined => {
  const { mask, operation } = transfer;
  const sizes = operation.attributes['operandSegmentSizes'];
  if (mask === undefined || sizes?.kind !== 'dense-array' || !isAllSet(mask, definitionOf, constantOf))
    return undefined;
  return {
    kind: 'in-place',
    operands: operation.operands.slice(0, -1),
    attributes: {
      ...operation.attributes,
      operandSegmentSizes: denseArrayAttribute(sizes.values.with(-1, 0), i32),
    },
  };
};

const isAllSet = (mask: Value, definitionOf: Definitions, constantOf: Constants): boolean => {
  const constant = constantOf(mask);
  if (constant !== undefined) return isDenseTrue(constant);
  const definition = definitionOf(mask);
  return (
    definition?.name === 'vector.constant_mask' &&
    integersOf(definition.attributes['mask_dim_sizes']).every(
      (size, i) => size >= ((mask.type as VectorType).shape[i] ?? 1),
    )
  );
};

const isDenseTrue = (attribute: Attribute): boolean =>
  attribute.kind === 'dense-elements' &&
  attribute.text === undefined &&
  attribute.values.length > 0 &&
  attribute.values.every((value) => typeof value !== 'string' && Number(value) !== 0);

/**
 * The same transfer, marked in bounds in the dimensions where constants prove it.
 *
 * @deviation Upstream compares with the size only: it marks a transfer that begins at a negative index, and a
 * scalable one.
 */
const withBounds = (transfer: Transfer, constantOf: Constants): FoldedInPlace | undefined => {
  if (transfer.map.results.length === 0) return undefined;
  const inBounds = transfer.inBounds.map((flag, i) => {
    const result = transfer.map.results[i];
    if (flag || result?.kind !== 'dim') return flag;
    const at = integerOf(constantOf(transfer.indices[result.position]!));
    return at !== undefined && fitsAlong(transfer, i, [at, at + 1]);
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
    source.type.shape.every(
      (size, i) => size === DYNAMIC || (before.type as TensorType).shape[i] !== DYNAMIC,
    );
  if (!isBuffer && !isTensor) return undefined;
  return { kind: 'in-place', operands: operation.operands.with(isRead ? 0 : 1, before) };
};

export const foldRead: Folder = (operation, _constants, definitionOf, constantOf = noConstants) => {
  const read = transferOf(operation);
  if (read === undefined) return undefined;
  return (
    writtenVector(read, definitionOf, constantOf) ??
    withBounds(read, constantOf) ??
    withoutFullMask(read, definitionOf, constantOf) ??
    throughCast(read, definitionOf)
  );
};

/** The vector last written at the place that a read reads. */
const writtenVector = (
  read: Transfer,
  definitionOf: Definitions,
  constantOf: Constants,
): readonly Value[] | undefined => {
  if (read.source.type.kind !== 'tensor') return undefined;
  let source: Value = read.source;
  for (;;) {
    const definition = definitionOf(source);
    const write = definition?.name === 'vector.transfer_write' ? transferOf(definition) : undefined;
    if (write === undefined) return undefined;
    if (isWhole(write) && read.mask === undefined && haveSamePlace(write, read)) return [write.vector];
    if (!areApart(write, read, distanceIn(constantOf))) return undefined;
    source = write.source;
  }
};

export const foldWrite: Folder = (operation, _constants, definitionOf, constantOf = noConstants) => {
  const write = transferOf(operation);
  if (write === undefined) return undefined;
  return (
    unchangedTensor(write, definitionOf, constantOf) ??
    withBounds(write, constantOf) ??
    withoutFullMask(write, definitionOf, constantOf) ??
    throughCast(write, definitionOf)
  );
};

/** The tensor that a write produces, if it writes back what was read from there. */
const unchangedTensor = (
  write: Transfer,
  definitionOf: Definitions,
  constantOf: Constants,
): readonly Value[] | undefined => {
  if (write.source.type.kind !== 'tensor' || write.mask !== undefined) return undefined;
  const definition = definitionOf(write.vector);
  const read = definition?.name === 'vector.transfer_read' ? transferOf(definition) : undefined;
  if (read === undefined || read.mask !== undefined) return undefined;
  if (read.source.id === write.source.id && haveSamePlace(read, write)) return [read.source];
  const areZero = [...read.indices, ...write.indices].every((index) => integerOf(constantOf(index)) === 0);
  const isCopy =
    read.map.results.length > 0 &&
    [read, write].every((each) => isMinorIdentity(each.map) && isWhole(each)) &&
    typeEquals(read.source.type, write.source.type) &&
    String(read.vector.type.shape) === String(write.source.type.shape) &&
    areZero;
  return isCopy ? [read.source] : undefined;
};
