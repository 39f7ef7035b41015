/** Slices of tensors and of buffers. */
import type { MixedSlice } from '@sconv/dialects';
import {
  castTo,
  extractSliceState,
  insertSliceState,
  mixedSlice,
  parallelInsertSliceState,
  rankReductionMask,
  subviewMask,
  subviewState,
  subviewTypeKeeping,
} from '@sconv/dialects';
import { cast as memrefCast, stridedLayoutOf, subview } from '@sconv/dialects/memref';
import {
  extractSlice,
  inferExtractSliceType,
  insertSlice,
  parallelInsertSlice,
} from '@sconv/dialects/tensor';
import type {
  DraftOperation,
  MemRefType,
  Operation,
  RewritePattern,
  Rewriter,
  TensorType,
  Value,
} from '@sconv/ir';
import {
  DYNAMIC,
  elementCount,
  isStaticShape,
  memrefType,
  stridedLayoutAttribute,
  tensorType,
  typeEquals,
} from '@sconv/ir';
import {
  constantOf,
  createConstant,
  definedBy,
  integerConstant,
  isNonNegative,
  isNonZero,
  isSame,
  keepsStaticSizes,
  onOp,
  sameMixed,
  withConstants,
} from '../match.ts';
import { tensorCast, throughCast } from './tensor-cast.ts';
import { memrefCastState } from './memref-cast.ts';

/** The slice with constant offsets, sizes and strides as numbers; undefined if there are none to convert. */
const staticSlice = (rewriter: Rewriter, operation: Operation): MixedSlice | undefined => {
  const before = mixedSlice(operation);
  const after = {
    offsets: withConstants(rewriter, before.offsets, isNonNegative),
    sizes: withConstants(rewriter, before.sizes, isNonNegative),
    strides: withConstants(rewriter, before.strides, isNonZero),
  };
  const same =
    sameMixed(before.offsets, after.offsets) &&
    sameMixed(before.sizes, after.sizes) &&
    sameMixed(before.strides, after.strides);
  return same ? undefined : after;
};

/** The dimensions that a rank-reduced slice drops. */
export const droppedDimensions = (
  operation: Operation,
  shape: readonly number[],
): ReadonlySet<number> | undefined =>
  rankReductionMask(
    mixedSlice(operation).sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC)),
    shape,
  );

/** The dimensions that a rank-reduced subview drops. */
export const droppedFromBuffer = (operation: Operation): ReadonlySet<number> | undefined => {
  const [from, to] = [operation.operands[0]?.type, operation.results[0]?.type];
  return from?.kind === 'memref' && to?.kind === 'memref'
    ? subviewMask(from, mixedSlice(operation), to)
    : undefined;
};

/** The type of a slice of `source` without some dimensions. */
const sliceTypeWithout = (
  source: TensorType,
  { sizes }: MixedSlice,
  dropped: ReadonlySet<number>,
): TensorType => {
  const full = inferExtractSliceType(source, sizes);
  return tensorType(
    full.shape.filter((_, i) => !dropped.has(i)),
    full.elementType,
    full.encoding,
  );
};

/** Moves constant offsets, sizes and strides into the slice's attributes and type. */
const staticExtract = onOp(extractSlice, 'extract-slice-of-constants', (rewriter, operation) => {
  const slice = staticSlice(rewriter, operation);
  const [source] = operation.operands;
  const { type } = operation.results[0]!;
  if (slice === undefined || source?.type.kind !== 'tensor' || type.kind !== 'tensor') return;
  const dropped = droppedDimensions(operation, type.shape);
  if (dropped === undefined) return;
  const made = rewriter.createValue(
    extractSliceState(source, slice, sliceTypeWithout(source.type, slice, dropped)),
  );
  rewriter.replaceOperation(operation, [castTo(rewriter, made, type, tensorCast)]);
});

const staticSubview = onOp(subview, 'subview-of-constants', (rewriter, operation) => {
  const slice = staticSlice(rewriter, operation);
  const [source] = operation.operands;
  const { type } = operation.results[0]!;
  if (slice === undefined || source?.type.kind !== 'memref' || type.kind !== 'memref') return;
  const dropped = droppedFromBuffer(operation);
  if (dropped === undefined) return;
  const made = rewriter.createValue(
    subviewState(
      source,
      slice,
      subviewTypeKeeping(source.type, slice, (i) => !dropped.has(i)),
    ),
  );
  rewriter.replaceOperation(operation, [castTo(rewriter, made, type, memrefCastState)]);
});

const insertions = [insertSlice, parallelInsertSlice] as const;

const replaceInsertion = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: Value,
  dest: Value,
  slice: MixedSlice,
): void => {
  if (!insertSlice.is(operation)) {
    rewriter.replaceWith(operation, parallelInsertSliceState(source, dest, slice));
    return;
  }
  const made = rewriter.createValue(insertSliceState(source, dest, slice));
  rewriter.replaceOperation(operation, [castTo(rewriter, made, operation.results[0]!.type, tensorCast)]);
};

/** Inserts before an operation, or before its parent terminator: `scf.forall.in_parallel` cannot contain casts. */
const beforeInsertion = <T>(rewriter: Rewriter, operation: DraftOperation, make: () => T): T =>
  rewriter.scoped(() => {
    const { parent } = operation;
    if (parallelInsertSlice.is(operation) && parent !== undefined) rewriter.setInsertionPointBefore(parent);
    return make();
  });

/** The same for insertions; the source is cast to the more static type. */
const staticInsert = insertions.map((definition) =>
  onOp(definition, 'insert-slice-of-constants', (rewriter, operation) => {
    const slice = staticSlice(rewriter, operation);
    const [source, dest] = operation.operands;
    if (slice === undefined || source?.type.kind !== 'tensor' || dest?.type.kind !== 'tensor') return;
    const dropped = droppedDimensions(operation, source.type.shape);
    if (dropped === undefined) return;
    const inferred = sliceTypeWithout(dest.type, slice, dropped);
    const type = tensorType(inferred.shape, source.type.elementType, source.type.encoding);
    const cast = beforeInsertion(rewriter, operation, () => castTo(rewriter, source, type, tensorCast));
    replaceInsertion(rewriter, operation, cast, dest, slice);
  }),
);

/** Casts an inserted tensor to the type that the sizes imply. */
const castOfSource = insertions.map((definition) =>
  onOp(definition, 'insert-slice-casts-source', (rewriter, operation) => {
    const [source, dest] = operation.operands;
    if (source?.type.kind !== 'tensor' || dest?.type.kind !== 'tensor') return;
    const slice = mixedSlice(operation);
    if (slice.sizes.length !== source.type.shape.length) return;
    const shape = source.type.shape.map((size, i) => {
      const wanted = slice.sizes[i]!;
      return typeof wanted === 'number' ? wanted : size;
    });
    if (
      String(shape) === String(source.type.shape) ||
      !keepsStaticSizes(source.type.shape, shape) ||
      source.type.shape.some((size, i) => size !== DYNAMIC && size !== shape[i])
    )
      return;
    const type = tensorType(shape, source.type.elementType, source.type.encoding);
    const cast = beforeInsertion(rewriter, operation, () => castTo(rewriter, source, type, tensorCast));
    rewriter.setOperand(operation, 0, cast);
  }),
);

/** Source and destination of an insertion bypass casts to less static types. */
const insertOfCast = insertions.map((definition) =>
  onOp(definition, 'insert-slice-of-cast', (rewriter, operation) => {
    const before = mixedSlice(operation);
    const dynamic = [...before.offsets, ...before.sizes, ...before.strides];
    if (dynamic.some((each) => typeof each === 'object' && integerConstant(rewriter, each) !== undefined))
      return;
    const [source, dest] = operation.operands;
    const newSource = throughCast(rewriter, source);
    const newDest = throughCast(rewriter, dest);
    if (newSource === undefined && newDest === undefined) return;
    const [from, into] = [newSource ?? source, newDest ?? dest];
    if (from?.type.kind !== 'tensor' || into?.type.kind !== 'tensor') return;
    const dropped = droppedDimensions(operation, source!.type.kind === 'tensor' ? source!.type.shape : []);
    if (dropped === undefined) return;
    let next = 0;
    const fromShape = from.type.shape;
    const sizes = before.sizes.map((size, i) => {
      if (dropped.has(i)) return size;
      const known = fromShape[next++]!;
      return known === DYNAMIC ? size : known;
    });
    // Contradictory sizes are left alone.
    if (sizes.some((size, i) => typeof before.sizes[i] === 'number' && before.sizes[i] !== size)) return;
    const slice = { ...before, sizes };
    const fits = rankReductionMask(
      sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC)),
      from.type.shape,
    );
    if (fits === undefined) return;
    replaceInsertion(rewriter, operation, from, into, slice);
  }),
);

const sameSlice = (a: Operation, b: Operation): boolean => {
  const [x, y] = [mixedSlice(a), mixedSlice(b)];
  return sameMixed(x.offsets, y.offsets) && sameMixed(x.sizes, y.sizes) && sameMixed(x.strides, y.strides);
};

/** A slice of a matching insertion, and a slice of a splat constant. */
const extractOfInsert = onOp(extractSlice, 'extract-slice-of-insert', (rewriter, operation) => {
  const [source] = operation.operands;
  const { type } = operation.results[0]!;
  const inserted = definedBy(rewriter, source, insertSlice);
  if (inserted !== undefined) {
    const [value] = inserted.operands;
    if (typeEquals(value!.type, type) && sameSlice(inserted, operation))
      rewriter.replaceOperation(operation, [value!]);
    return;
  }
  const constant = constantOf(rewriter, source);
  if (constant?.kind !== 'dense-elements' || constant.values.length !== 1 || constant.text !== undefined)
    return;
  if (type.kind !== 'tensor' || !isStaticShape(type) || elementCount(type.shape) === 0) return;
  const made = createConstant(rewriter, operation, { ...constant, type }, type);
  if (made !== undefined) rewriter.replaceOperation(operation, [made]);
});

/** An insertion that is overwritten, that writes back an extracted slice, or that is empty. */
const uselessInsert = onOp(insertSlice, 'useless-insert-slice', (rewriter, operation) => {
  const [source, dest] = operation.operands;
  if (source?.type.kind !== 'tensor' || dest === undefined) return;
  if (isStaticShape(source.type) && elementCount(source.type.shape) === 0) {
    rewriter.replaceOperation(operation, [dest]);
    return;
  }
  const before = definedBy(rewriter, dest, insertSlice);
  if (
    before !== undefined &&
    typeEquals(before.operands[0]!.type, source.type) &&
    sameSlice(before, operation)
  ) {
    rewriter.setOperand(operation, 1, before.operands[1]!);
    return;
  }
  const taken = definedBy(rewriter, source, extractSlice);
  if (taken !== undefined && isSame(taken.operands[0], dest) && sameSlice(taken, operation))
    rewriter.replaceOperation(operation, [dest]);
});

/** A subview of a cast to a less static type: take it of the source, then cast. */
const subviewOfCast = onOp(subview, 'subview-of-cast', (rewriter, operation) => {
  const slice = mixedSlice(operation);
  const dynamic = [...slice.offsets, ...slice.sizes, ...slice.strides];
  if (dynamic.some((each) => typeof each === 'object' && integerConstant(rewriter, each) !== undefined))
    return;
  const source = definedBy(rewriter, operation.operands[0], memrefCast)?.operands[0];
  const { type } = operation.results[0]!;
  const target = operation.operands[0]?.type;
  if (source?.type.kind !== 'memref' || type.kind !== 'memref' || target?.kind !== 'memref') return;
  if (!knowsAtLeast(source.type, target)) return;
  const dropped = droppedFromBuffer(operation);
  if (dropped === undefined) return;
  const inferred = subviewTypeKeeping(source.type, slice, (i) => !dropped.has(i));
  const made = rewriter.createValue(subviewState(source, slice, inferred));
  rewriter.replaceOperation(operation, [castTo(rewriter, made, type, memrefCastState)]);
});

/** Whether a buffer type is static wherever the other is: sizes, strides and offset. */
const knowsAtLeast = (from: MemRefType, to: MemRefType): boolean => {
  const [a, b] = [stridedLayoutOf(from), stridedLayoutOf(to)];
  return (
    a !== undefined &&
    b !== undefined &&
    keepsStaticSizes(to.shape, from.shape) &&
    keepsStaticSizes([b.offset, ...b.strides], [a.offset, ...a.strides])
  );
};

/** A subview of the whole buffer whose type differs only in how the layout is written. */
const wholeSubview = onOp(subview, 'subview-of-all', (rewriter, operation) => {
  const [source] = operation.operands;
  const { type } = operation.results[0]!;
  if (source?.type.kind !== 'memref' || type.kind !== 'memref' || !isStaticShape(source.type)) return;
  const { offsets, sizes, strides } = mixedSlice(operation);
  const { shape } = source.type;
  if (
    offsets.some((offset) => offset !== 0) ||
    strides.some((stride) => stride !== 1) ||
    sizes.some((size, i) => size !== shape[i])
  )
    return;
  const plain = (of: MemRefType): MemRefType => {
    const layout = stridedLayoutOf(of);
    return memrefType(
      of.shape,
      of.elementType,
      layout && stridedLayoutAttribute(layout.offset, layout.strides),
      of.memorySpace,
    );
  };
  if (!typeEquals(plain(source.type), plain(type))) return;
  rewriter.replaceOperation(operation, [castTo(rewriter, source, type, memrefCastState)]);
});

export const slicePatterns: readonly RewritePattern[] = [
  staticExtract,
  staticSubview,
  ...staticInsert,
  ...castOfSource,
  ...insertOfCast,
  extractOfInsert,
  uselessInsert,
  subviewOfCast,
  wholeSubview,
];
