/**
 * The pass `expand-strided-metadata`: rewrites views to `memref.reinterpret_cast` of the underlying buffer, with
 * offsets, sizes and strides computed by `affine.apply` and `affine.min`.
 */
import { makeMap, symbol } from '@sconv/affine';
import type { AffineExpr } from '@sconv/affine';
import { success } from '@sconv/diagnostics';
import type { MixedIndex, MixedSlice } from '@sconv/dialects';
import {
  applyExpression,
  indexValue,
  minFolded,
  mixedIndices,
  mixedSlice,
  sliceArguments,
  viewLike,
} from '@sconv/dialects';
import {
  alloc,
  alloca,
  cast,
  collapseShape,
  expandShape,
  extractAlignedPointerAsIndex,
  extractStridedMetadata,
  getGlobal,
  reinterpretCast,
  stridedLayoutOf,
  subview,
} from '@sconv/dialects/memref';
import type { DraftOperation, MemRefType, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { applyPatternsGreedily, defineOperationPass, DYNAMIC, memrefType, modelOf } from '@sconv/ir';
import { definedBy, onOp, onOps } from '../match.ts';
import { constantMetadata } from '../patterns/memref.ts';
import { droppedFromBuffer } from '../patterns/slices.ts';

/** A buffer as a rank-0 base, and the offset, sizes and strides of its elements. */
export interface Metadata {
  readonly base: Value;
  readonly offset: MixedIndex;
  readonly sizes: readonly MixedIndex[];
  readonly strides: readonly MixedIndex[];
}

const bufferType = (value: Value | undefined): MemRefType | undefined =>
  value?.type.kind === 'memref' ? value.type : undefined;

/** The parts of a buffer, from a new `memref.extract_strided_metadata`; numbers where static. */
export const metadataOf = (rewriter: Rewriter, source: Value): Metadata | undefined => {
  const type = bufferType(source);
  const layout = type && stridedLayoutOf(type);
  if (type === undefined || layout === undefined) return undefined;
  const made = rewriter.create(extractStridedMetadata.state({ operands: { source: source } }));
  const { baseBuffer, offset, sizes, strides } = extractStridedMetadata.results(made);
  const known = (value: Value, size: number): MixedIndex => (size === DYNAMIC ? value : size);
  return {
    base: baseBuffer,
    offset: known(offset, layout.offset),
    sizes: sizes.map((value, i) => known(value, type.shape[i]!)),
    strides: strides.map((value, i) => known(value, layout.strides[i]!)),
  };
};

const product = symbol(0).mul(symbol(1));

/** A subview: its offsets and strides are multiples of its source's strides. */
const ofSubview = (rewriter: Rewriter, view: DraftOperation): Metadata | undefined => {
  const dropped = droppedFromBuffer(view);
  const source = metadataOf(rewriter, view.operands[0]!);
  if (dropped === undefined || source === undefined) return undefined;
  const { offsets, sizes, strides } = mixedSlice(view);
  const allStrides = source.strides.map((stride, i) =>
    applyExpression(rewriter, product, [strides[i]!, stride]),
  );
  let sum: AffineExpr = symbol(0);
  const operands: MixedIndex[] = [source.offset];
  offsets.forEach((offset, i) => {
    sum = sum.add(symbol(operands.length).mul(symbol(operands.length + 1)));
    operands.push(offset, source.strides[i]!);
  });
  const keep = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => !dropped.has(i));
  return {
    base: source.base,
    offset: applyExpression(rewriter, sum, operands),
    sizes: keep(sizes),
    strides: keep(allStrides),
  };
};

/**
 * Expanded dimensions: sizes from the type, a group's dynamic size from the source.
 *
 * @deviation Of several dynamic sizes in a group each is the operation's own; upstream takes the group's size for each.
 */
const ofExpansion = (rewriter: Rewriter, view: DraftOperation): Metadata | undefined => {
  const type = bufferType(view.results[0]);
  const source = metadataOf(rewriter, view.operands[0]!);
  if (type === undefined || source === undefined) return undefined;
  const sizes: MixedIndex[] = [];
  const strides: MixedIndex[] = [];
  const given = mixedIndices(expandShape.operands(view).outputShape, type.shape);
  for (const [position, group] of expandShape.attributes(view).reassociation.entries()) {
    if (group.filter((dimension) => type.shape[dimension] === DYNAMIC).length > 1) {
      let stride = source.strides[position]!;
      for (const dimension of group.toReversed()) {
        const size = given[dimension]!;
        sizes[dimension] = size;
        strides[dimension] = stride;
        stride = applyExpression(rewriter, product, [size, stride]);
      }
      continue;
    }
    const fixed = group.map((dimension) => type.shape[dimension]!).filter((size) => size !== DYNAMIC);
    const all = fixed.reduce((total, size) => total * size, 1);
    const whole = source.sizes[position]!;
    let factor = 1;
    let behindDynamic = false;
    for (const dimension of group.toReversed()) {
      const size = type.shape[dimension]!;
      // Strides left of a dynamic size have it as a factor.
      const own = behindDynamic ? symbol(0).floorDiv(all / factor) : undefined;
      const unit = own === undefined ? factor : applyExpression(rewriter, own, [whole]);
      strides[dimension] = applyExpression(rewriter, product, [unit, source.strides[position]!]);
      sizes[dimension] =
        size === DYNAMIC ? applyExpression(rewriter, symbol(0).floorDiv(all), [whole]) : size;
      if (size === DYNAMIC) behindDynamic = true;
      else factor *= size;
    }
  }
  // An expanded rank-0 buffer is a single element.
  return {
    ...source,
    sizes: type.shape.map((_, i) => sizes[i] ?? 1),
    strides: type.shape.map((_, i) => strides[i] ?? 1),
  };
};

/** Collapsed dimensions: sizes multiply, and the stride is that of the last non-unit dimension. */
const ofCollapse = (rewriter: Rewriter, view: DraftOperation): Metadata | undefined => {
  const [from, to] = [bufferType(view.operands[0]), bufferType(view.results[0])];
  const source = metadataOf(rewriter, view.operands[0]!);
  const layout = to && stridedLayoutOf(to);
  if (from === undefined || to === undefined || source === undefined || layout === undefined)
    return undefined;
  const sizes: MixedIndex[] = [];
  const strides: MixedIndex[] = [];
  for (const [position, group] of collapseShape.attributes(view).reassociation.entries()) {
    const parts = group.map((dimension) => source.sizes[dimension]!);
    const total = parts.reduce<AffineExpr>(
      (all, _, i) => (i === 0 ? symbol(0) : all.mul(symbol(i))),
      symbol(0),
    );
    sizes.push(
      to.shape[position] === DYNAMIC ? applyExpression(rewriter, total, parts) : to.shape[position]!,
    );
    const known = layout.strides[position]!;
    // The stride of a unit dimension is arbitrary.
    const long = group.filter((dimension) => from.shape[dimension] !== 1);
    const own = (long.length > 0 ? long : group).map((dimension) => source.strides[dimension]!);
    if (long.length > 0) {
      const results = own.map((_, i) => symbol(i));
      strides.push(minFolded(rewriter, makeMap(0, own.length, results), own));
    } else if (known === DYNAMIC) strides.push(own.find((stride) => typeof stride !== 'number') ?? own[0]!);
    else strides.push(known);
  }
  return { ...source, sizes, strides };
};

const reinterpretState = (
  base: Value,
  { offset, sizes, strides }: Omit<Metadata, 'base'>,
  type: MemRefType,
) => {
  const slice: MixedSlice = { offsets: [offset], sizes, strides };
  const { operands, attributes } = sliceArguments(slice);
  return reinterpretCast.state<Rewriter>({
    operands: { source: base, ...operands },
    attributes,
    resultTypes: [type],
  });
};

const partsOf = (rewriter: Rewriter, view: DraftOperation): Metadata | undefined => {
  if (subview.is(view)) return ofSubview(rewriter, view);
  if (expandShape.is(view)) return ofExpansion(rewriter, view);
  return collapseShape.is(view) ? ofCollapse(rewriter, view) : undefined;
};

/**
 * Replaces a subview, an expanded or a collapsed buffer by a cast of its base to the view's place; false, without
 * changes, for any other operation, and for buffers without a strided layout.
 */
export const expandView = (rewriter: Rewriter, view: DraftOperation): boolean => {
  const type = bufferType(view.results[0]);
  const isView = [subview, expandShape, collapseShape].some((definition) => definition.is(view));
  if (!isView || type === undefined || !isStrided(view.operands[0])) return false;
  rewriter.setInsertionPointBefore(view);
  const parts = partsOf(rewriter, view);
  if (parts === undefined) return false;
  rewriter.replaceWith(view, reinterpretState(parts.base, parts, type));
  return true;
};

const viewToCast = onOps(
  [subview, expandShape, collapseShape],
  'view-to-reinterpret-cast',
  (rewriter, operation) => {
    expandView(rewriter, operation);
  },
);

const isStrided = (value: Value | undefined): boolean => {
  const type = bufferType(value);
  return type !== undefined && stridedLayoutOf(type) !== undefined;
};

/** The parts of an allocation: its sizes are operands, its strides products of these. */
const ofAllocation = (rewriter: Rewriter, source: DraftOperation, type: MemRefType): Metadata | undefined => {
  if (type.layout !== undefined) return undefined;
  const dynamic = getGlobal.is(source) ? [] : source.operands;
  const sizes = mixedIndices(dynamic, type.shape);
  const strides = sizes.map((_, i) => {
    const inner = sizes.slice(i + 1);
    const total = inner.reduce<AffineExpr | undefined>(
      (all, _size, at) => (all === undefined ? symbol(at) : all.mul(symbol(at))),
      undefined,
    );
    return total === undefined ? 1 : applyExpression(rewriter, total, inner);
  });
  if (type.shape.length === 0) return { base: source.results[0]!, offset: 0, sizes, strides };
  const base = rewriter.createValue(
    reinterpretState(
      source.results[0]!,
      { offset: 0, sizes: [], strides: [] },
      memrefType([], type.elementType, undefined, type.memorySpace),
    ),
  );
  return { base, offset: 0, sizes, strides };
};

/** Through a cast: combines what either type knows. */
const ofCast = (rewriter: Rewriter, source: DraftOperation): Metadata | undefined => {
  const type = bufferType(source.results[0]);
  const layout = type && stridedLayoutOf(type);
  const inner =
    bufferType(source.operands[0]) === undefined ? undefined : metadataOf(rewriter, source.operands[0]!);
  if (inner === undefined || type === undefined || layout === undefined) return undefined;
  const known = (size: number, otherwise: MixedIndex): MixedIndex => (size === DYNAMIC ? otherwise : size);
  return {
    base: inner.base,
    offset: known(layout.offset, inner.offset),
    sizes: inner.sizes.map((size, i) => known(type.shape[i]!, size)),
    strides: inner.strides.map((stride, i) => known(layout.strides[i]!, stride)),
  };
};

/** A reinterpret_cast has its own offset, sizes and strides. */
const ofReinterpretCast = (rewriter: Rewriter, source: DraftOperation): Metadata | undefined => {
  const [buffer] = source.operands;
  const type = bufferType(source.results[0]);
  if (buffer === undefined || type === undefined) return undefined;
  const { offsets, sizes, strides } = mixedSlice(source);
  // Nothing is known about an unranked buffer.
  if (bufferType(buffer) === undefined) return undefined;
  const inner = metadataOf(rewriter, buffer);
  return inner && { base: inner.base, offset: offsets[0]!, sizes, strides };
};

const metadataOfSource = onOp(extractStridedMetadata, 'metadata-of-source', (rewriter, operation) => {
  const [value] = operation.operands;
  const type = bufferType(value);
  const source = value === undefined ? undefined : rewriter.definingOperation(value);
  if (source === undefined || type === undefined) return;
  const inner = definedBy(rewriter, value, extractStridedMetadata);
  const parts =
    inner !== undefined && inner.results[0]?.id === value?.id
      ? { base: value!, offset: 0, sizes: [], strides: [] }
      : alloc.is(source) || alloca.is(source) || getGlobal.is(source)
        ? ofAllocation(rewriter, source, type)
        : cast.is(source)
          ? ofCast(rewriter, source)
          : reinterpretCast.is(source)
            ? ofReinterpretCast(rewriter, source)
            : undefined;
  if (parts === undefined) return;
  const { base, offset, sizes, strides } = parts;
  rewriter.replaceOperation(
    operation,
    [base, ...[offset, ...sizes, ...strides].map((each) => indexValue(rewriter, each))],
    [],
  );
});

/** A view has the address of its source. */
const addressOfView = onOp(extractAlignedPointerAsIndex, 'address-of-view', (rewriter, operation) => {
  const [value] = operation.operands;
  const view = value === undefined ? undefined : rewriter.definingOperation(value);
  if (view === undefined) return;
  const source = modelOf(rewriter.registry, viewLike, view)?.source(view);
  if (source !== undefined) rewriter.setOperand(operation, 0, source);
});

export const expandStridedMetadataPatterns: readonly RewritePattern[] = [
  ...viewToCast,
  metadataOfSource,
  constantMetadata,
  addressOfView,
];

export const expandStridedMetadata = defineOperationPass({
  name: 'expand-strided-metadata',
  title: 'ExpandStridedMetadata',
  summary: 'replace views of buffers by offsets, sizes and strides',
  runOn: (rewriter, operation) => {
    applyPatternsGreedily(rewriter, [operation], expandStridedMetadataPatterns);
    return success(undefined);
  },
});
