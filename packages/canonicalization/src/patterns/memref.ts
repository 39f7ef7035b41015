/** Buffers: known sizes, views of views, and dead allocations. */
import { compose, isIdentity } from '@sconv/affine';
import { castTo, createIndex, mixedSlice } from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import { indexCast } from '@sconv/dialects/arith';
import {
  alloc,
  alloca,
  cast,
  copy,
  dealloc,
  dim,
  extractStridedMetadata,
  load,
  reinterpretCast,
  reshape,
  store,
  stridedLayoutOf,
  subview,
  transpose,
  view,
} from '@sconv/dialects/memref';
import type { StridedLayout } from '@sconv/dialects/memref';
import type { DraftOperation, MemRefType, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { affineMapAttribute, DYNAMIC, isStaticShape, precedes, typeEquals } from '@sconv/ir';
import {
  definedBy,
  dynamicPosition,
  isInBlock,
  integerConstant,
  isNonNegative,
  isSame,
  onOp,
  sameMixed,
  stateOf,
  withConstants,
} from '../match.ts';
import { memrefCastState } from './memref-cast.ts';

const hasDynamic = ({ offset, strides }: StridedLayout): boolean => [offset, ...strides].includes(DYNAMIC);

const bufferOf = (value: Value | undefined): MemRefType | undefined =>
  value?.type.kind === 'memref' ? value.type : undefined;

/** The size of a buffer that was reshaped. */
const knownDim = onOp(dim, 'memref-dim-of-known', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], reshape);
  if (source !== undefined) dimOfReshape(rewriter, operation, source);
});

/**
 * A size of a reshaped buffer is loaded from its shape, right after the reshape: the shape may be overwritten later.
 */
const dimOfReshape = (rewriter: Rewriter, operation: DraftOperation, source: DraftOperation): void => {
  const [, shape] = source.operands;
  const [, index] = operation.operands;
  if (shape?.type.kind !== 'memref' || index === undefined) return;
  // The index must be available there.
  const made = rewriter.definingOperation(index);
  const block = rewriter.owningBlock(index);
  if (made === undefined ? !isInBlock(source, block) : !precedes(made, source)) return;
  rewriter.scoped(() => {
    rewriter.setInsertionPointAfter(source);
    const size = rewriter.createValue(load.state({ operands: { memref: shape, indices: [index] } }));
    const value =
      size.type.kind === 'index'
        ? size
        : rewriter.createValue(
            indexCast.state({ operands: { in: size }, resultTypes: [operation.results[0]!.type] }),
          );
    rewriter.replaceOperation(operation, [value]);
  });
};

/** Moves constant sizes of an allocation or a view into its type. */
const staticSizes = [alloc, alloca, view].map((definition) =>
  onOp(definition, 'memref-of-static-sizes', (rewriter, operation) => {
    const type = bufferOf(operation.results[0]);
    if (type === undefined || type.layout?.kind === 'affine-map') return;
    const first = view.is(operation) ? 2 : 0;
    const drop = new Set<number>();
    const shape = type.shape.map((size, i) => {
      if (size !== DYNAMIC) return size;
      const position = first + dynamicPosition(type.shape, i);
      const known = integerConstant(rewriter, operation.operands[position]);
      if (known === undefined || !isNonNegative(known)) return DYNAMIC;
      drop.add(position);
      return known;
    });
    if (drop.size === 0) return;
    const operands = operation.operands.filter((_, i) => !drop.has(i));
    const state = stateOf(operation, { operands, resultTypes: [{ ...type, shape }] });
    const made = rewriter.createValue(view.is(operation) ? state : withSegments(state, drop.size));
    rewriter.replaceOperation(operation, [castTo(rewriter, made, type, memrefCastState)]);
  }),
);

/** The state of an allocation with fewer size operands. */
const withSegments = (state: ReturnType<typeof stateOf>, fewer: number): ReturnType<typeof stateOf> => {
  const { operandSegmentSizes: sizes } = state.attributes;
  if (sizes?.kind !== 'dense-array') return state;
  const [dynamic, symbols] = sizes.values.map(Number);
  return {
    ...state,
    attributes: {
      ...state.attributes,
      operandSegmentSizes: { ...sizes, values: [dynamic! - fewer, symbols!] },
    },
  };
};

/** A buffer that is only written and freed. */
const deadAllocation = [alloc, alloca].map((definition) =>
  onOp(definition, 'dead-allocation', (rewriter, operation) => {
    const [buffer] = operation.results;
    if (buffer === undefined) return;
    const users = rewriter.users(buffer);
    const isDead = users.every(
      (user) => dealloc.is(user) || (store.is(user) && !isSame(user.operands[0], buffer)),
    );
    if (!isDead) return;
    for (const user of users) rewriter.eraseOperation(user);
    rewriter.eraseOperation(operation);
  }),
);

const uselessCopy = onOp(copy, 'useless-copy', (rewriter, operation) => {
  const [from, to] = operation.operands;
  const isEmpty = [from, to].some((buffer) => bufferOf(buffer)?.shape.includes(0) === true);
  if (isEmpty || isSame(from, to)) rewriter.eraseOperation(operation);
});

/**
 * A reinterpret_cast of a view casts the view's source instead, and one that changes nothing is its source.
 *
 * @deviation Upstream looks at the types and a zero offset only: equal types with a dynamic offset or dynamic strides
 * may be of buffers with different ones.
 */
const reinterpretOfView = onOp(reinterpretCast, 'reinterpret-cast-of-view', (rewriter, operation) => {
  const [value] = operation.operands;
  const source = value === undefined ? undefined : rewriter.definingOperation(value);
  if (source !== undefined) {
    const skips =
      reinterpretCast.is(source) ||
      cast.is(source) ||
      (subview.is(source) &&
        withConstants(rewriter, mixedSlice(source).offsets).every((offset) => offset === 0));
    if (skips) {
      rewriter.setOperand(operation, 0, source.operands[0]!);
      return;
    }
  }
  const type = bufferOf(operation.results[0]);
  if (value === undefined || type === undefined || !typeEquals(value.type, type)) return;
  const layout = stridedLayoutOf(type);
  if (isStaticShape(type) && layout !== undefined && !hasDynamic(layout))
    rewriter.replaceOperation(operation, [value]);
});

/** A buffer reassembled from its own metadata. */
const reinterpretOfMetadata = onOp(reinterpretCast, 'reinterpret-cast-of-metadata', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], extractStridedMetadata);
  const [whole] = source?.operands ?? [];
  const type = bufferOf(whole);
  if (source === undefined || whole === undefined || type === undefined) return;
  if (!isSame(source.results[0], operation.operands[0])) return;
  const { offset, sizes, strides } = knownMetadata(source, type);
  const slice = mixedSlice(operation);
  const has = (given: readonly MixedIndex[], wanted: readonly MixedIndex[]): boolean =>
    sameMixed(withConstants(rewriter, given), wanted);
  if (!has(slice.offsets, [offset]) || !has(slice.sizes, sizes) || !has(slice.strides, strides)) return;
  rewriter.replaceOperation(operation, [
    castTo(rewriter, whole, operation.results[0]!.type, memrefCastState),
  ]);
});

/**
 * Offset, sizes and strides of a buffer: numbers where its type is static, else results of
 * `extract_strided_metadata`.
 */
const knownMetadata = (metadata: DraftOperation, type: MemRefType) => {
  const { offset, sizes, strides } = extractStridedMetadata.results(metadata);
  const layout = stridedLayoutOf(type);
  const known = (size: number | undefined, value: Value): MixedIndex =>
    size === undefined || size === DYNAMIC ? value : size;
  return {
    offset: known(layout?.offset, offset),
    sizes: sizes.map((value, i) => known(type.shape[i], value)),
    strides: strides.map((value, i) => known(layout?.strides[i], value)),
  };
};

/** Metadata that the type determines is constant. */
export const constantMetadata = onOp(extractStridedMetadata, 'constant-metadata', (rewriter, operation) => {
  const type = bufferOf(operation.operands[0]);
  if (type === undefined) return;
  const { offset, sizes, strides } = knownMetadata(operation, type);
  [offset, ...sizes, ...strides].forEach((known, i) => {
    const result = operation.results[1 + i]!;
    if (typeof known !== 'number' || !rewriter.hasUses(result)) return;
    rewriter.replaceAllUsesWith(result, createIndex(rewriter, known));
  });
});

const composedTranspose = onOp(transpose, 'transpose-of-transpose', (rewriter, operation) => {
  const [source] = operation.operands;
  const { permutation } = transpose.attributes(operation);
  if (
    source !== undefined &&
    isIdentity(permutation) &&
    typeEquals(source.type, operation.results[0]!.type)
  ) {
    rewriter.replaceOperation(operation, [source]);
    return;
  }
  const inner = definedBy(rewriter, source, transpose);
  if (inner === undefined) return;
  const both = compose(permutation, transpose.attributes(inner).permutation);
  rewriter.replaceWith(
    operation,
    stateOf(operation, {
      operands: inner.operands,
      attributes: { ...operation.attributes, permutation: affineMapAttribute(both) },
    }),
  );
});

export const memrefPatterns: readonly RewritePattern[] = [
  knownDim,
  ...staticSizes,
  ...deadAllocation,
  uselessCopy,
  reinterpretOfView,
  reinterpretOfMetadata,
  constantMetadata,
  composedTranspose,
];
