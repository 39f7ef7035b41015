/**
 * Transfers on views without the unit dimensions of buffers: upstream's
 * `populateVectorTransferDropUnitDimsPatterns`.
 */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim as dimension, identityMap, makeMap, simplify, symbol } from '@sconv/affine';
import { definedBy, integerConstant, onOp } from '@sconv/canonicalization/matching';
import type { MixedIndex } from '@sconv/dialects';
import { createIndex, sliceArguments, subviewTypeKeeping } from '@sconv/dialects';
import { dim, isContiguous, stridedLayoutOf, subview } from '@sconv/dialects/memref';
import {
  createMask,
  isMasked,
  isMinorIdentity,
  shapeCast,
  transferRead,
  transferWrite,
} from '@sconv/dialects/vector';
import type {
  AffineMapAttribute,
  DraftOperation,
  MemRefType,
  RewritePattern,
  Rewriter,
  Value,
  VectorType,
} from '@sconv/ir';
import { affineMapAttribute, builder, DYNAMIC, memrefType, typeEquals, vectorType } from '@sconv/ir';

/** Whether a dimension of a vector has one element. */
const isUnit = ({ shape, scalable }: VectorType, at: number): boolean =>
  shape[at] === 1 && scalable[at] !== true;

const withoutUnits = (type: VectorType): VectorType => {
  const kept = type.shape.flatMap((_, i) => (isUnit(type, i) ? [] : [i]));
  return vectorType(
    kept.map((i) => type.shape[i]!),
    type.elementType,
    kept.map((i) => type.scalable[i]!),
  );
};

interface Dropped {
  readonly source: Value;
  readonly indices: readonly Value[];
  readonly mask: Value<VectorType> | undefined;
  readonly type: VectorType;
}

/** A `create_mask` without its unit dimensions, which have to be set; undefined for other masks. */
const withoutUnitsOfMask = (rewriter: Rewriter, mask: Value): Value<VectorType> | undefined => {
  const made = definedBy(rewriter, mask, createMask);
  const type = mask.type as VectorType;
  const reduced = withoutUnits(type);
  if (made === undefined || reduced.shape.length === type.shape.length) return undefined;
  const { bounds } = createMask.operands(made);
  if (bounds.some((bound, i) => isUnit(type, i) && integerConstant(rewriter, bound) !== 1)) return undefined;
  return builder(rewriter)(
    createMask,
    { bounds: bounds.filter((_, i) => !isUnit(type, i)) },
    { resultTypes: [reduced] },
  );
};

/** The layout as a map, as upstream writes it here. */
const mapOf = (type: MemRefType): AffineMapAttribute => {
  const { offset, strides } = stridedLayoutOf(type)!;
  let symbols = 0;
  const term = (size: number): AffineExpr => (size === DYNAMIC ? symbol(symbols++) : constant(size));
  const sum = strides.reduce((all, stride, i) => all.add(dimension(i).mul(term(stride))), term(offset));
  return affineMapAttribute(makeMap(strides.length, symbols, [simplify(sum)]));
};

/** A view of a buffer without its unit dimensions. */
const viewWithoutUnits = (rewriter: Rewriter, source: Value<MemRefType>): Value => {
  const { shape, elementType, memorySpace } = source.type;
  const b = builder(rewriter);
  const sizes = shape.map((size, i): MixedIndex =>
    size === DYNAMIC ? b(dim, { source, index: createIndex(rewriter, i) }) : size,
  );
  const slice = { offsets: shape.map(() => 0), sizes, strides: shape.map(() => 1) };
  const viewed = subviewTypeKeeping(source.type, slice, (i) => shape[i] !== 1);
  // Upstream keeps `strided<[1]>`.
  const isLine = viewed.shape.length === 1 && isContiguous(viewed);
  const layout = isContiguous(viewed) ? undefined : mapOf(viewed);
  const type = isLine ? viewed : memrefType(viewed.shape, elementType, layout, memorySpace);
  const { operands, attributes } = sliceArguments(slice);
  return b(subview, { source, ...operands, ...attributes }, { resultTypes: [type] });
};

/** The operands of a transfer of `whole` without unit dimensions; undefined where upstream keeps them. */
const dropUnits = (rewriter: Rewriter, operation: DraftOperation, whole: VectorType): Dropped | undefined => {
  const of = transferRead.is(operation) ? transferRead : transferWrite;
  const { source, indices, mask } = of.operands(operation);
  const { permutationMap, inBounds } = of.attributes(operation);
  const buffer = source.type;
  if (buffer.kind !== 'memref' || stridedLayoutOf(buffer) === undefined || isMasked(operation))
    return undefined;
  if (inBounds.includes(false) || !isMinorIdentity(permutationMap)) return undefined;
  const type = withoutUnits(whole);
  const kept = buffer.shape.filter((size) => size !== 1).length;
  if (kept === buffer.shape.length || kept !== type.shape.length) return undefined;
  if (indices.some((at) => integerConstant(rewriter, at) !== 0)) return undefined;
  const reduced = mask && withoutUnitsOfMask(rewriter, mask);
  if (mask !== undefined && reduced === undefined) return undefined;
  const view = viewWithoutUnits(rewriter, source as Value<MemRefType>);
  const zero = createIndex(rewriter, 0);
  return { source: view, indices: Array.from({ length: kept }, () => zero), mask: reduced, type };
};

const cast = (rewriter: Rewriter, source: Value, type: VectorType): Value =>
  typeEquals(source.type, type) ? source : builder(rewriter)(shapeCast, { source }, { resultTypes: [type] });

const attributesFor = ({ indices, type }: Dropped) => ({
  permutationMap: identityMap(indices.length),
  inBounds: type.shape.map(() => true),
});

const readWithoutUnits = onOp(transferRead, 'read-without-units', (rewriter, operation) => {
  const whole = operation.results[0]!.type as VectorType;
  const dropped = dropUnits(rewriter, operation, whole);
  if (dropped === undefined) return;
  const { padding } = transferRead.operands(operation);
  const { source, indices, mask, type } = dropped;
  const made: Value = builder(rewriter)(
    transferRead,
    { source, indices, padding, mask, ...attributesFor(dropped) },
    { resultTypes: [type] },
  );
  rewriter.replaceOperation(operation, [cast(rewriter, made, whole)]);
});

const writeWithoutUnits = onOp(transferWrite, 'write-without-units', (rewriter, operation) => {
  const { vector } = transferWrite.operands(operation);
  const dropped = dropUnits(rewriter, operation, vector.type);
  if (dropped === undefined) return;
  const { source, indices, mask, type } = dropped;
  builder(rewriter)(
    transferWrite,
    {
      vector: cast(rewriter, vector, type),
      source,
      indices,
      mask,
      ...attributesFor(dropped),
    },
    { resultTypes: [] },
  );
  rewriter.eraseOperation(operation);
});

export const dropUnitPatterns: readonly RewritePattern[] = [readWithoutUnits, writeWithoutUnits];
