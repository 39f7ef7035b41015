/** The pass `fold-memref-alias-ops`: accesses to a view become accesses to the underlying buffer. */
import { compose, dim, identityMap, makeMap } from '@sconv/affine';
import { success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { applied, indexValue, mixedSlice, subviewState } from '@sconv/dialects';
import * as affine from '@sconv/dialects/affine';
import { collapseShape, expandShape, load, store, subview } from '@sconv/dialects/memref';
import * as vector from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, Value } from '@sconv/ir';
import {
  affineMapAttribute,
  applyPatternsGreedily,
  defineOperationPass,
  denseArrayAttribute,
  i32,
  typeEquals,
} from '@sconv/ir';
import { definedBy, onOp, stateOf } from '../match.ts';
import { sourceIndices, throughSubview } from '../memref-access.ts';
import { droppedFromBuffer } from '../patterns/slices.ts';

/** Accesses, with the position of their buffer operand. */
const accesses = [
  [load, 0],
  [store, 1],
  [affine.load, 0],
  [affine.store, 1],
  [vector.load, 0],
  [vector.store, 1],
  [vector.maskedload, 0],
  [vector.maskedstore, 0],
] as const;

const isView = (operation: DraftOperation): boolean =>
  subview.is(operation) || expandShape.is(operation) || collapseShape.is(operation);

const rankOf = ({ type }: Value): number => (type.kind === 'memref' ? type.shape.length : 0);

/** The indices of an access: its index operands, or the results of its map. */
const indicesOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  operands: readonly Value[],
): readonly MixedIndex[] => {
  const { map } = operation.attributes;
  if (map?.kind !== 'affine-map') return operands;
  const { numDims, numSymbols, results } = map.map;
  return results.map((result) =>
    applied(rewriter, { subject: makeMap(numDims, numSymbols, [result]), operands }),
  );
};

/** The rank of the vector that an access moves; 0 for a single element. */
const vectorRank = ({ operands, results }: DraftOperation, { type: buffer }: Value): number => {
  if (buffer.kind === 'memref' && buffer.elementType.kind === 'vector') return 0;
  const moved = [...results, ...operands].find(({ type }) => type.kind === 'vector');
  return moved?.type.kind === 'vector' ? moved.type.shape.length : 0;
};

/**
 * Whether elements that are contiguous in the last `rank` dimensions of a view are so in its source.
 *
 * @deviation Upstream does not check this: it moves other elements if a view has strides, and leaves a row of the
 * source if a vector continues in the next one of a collapsed group.
 */
const keepsNeighbours = (view: DraftOperation, rank: number): boolean => {
  if (rank === 0) return true;
  if (collapseShape.is(view)) {
    const { type } = view.operands[0]!;
    const outer = collapseShape.attributes(view).reassociation.at(-1)?.slice(0, -1) ?? [];
    return rank === 1 && type.kind === 'memref' && outer.every((dimension) => type.shape[dimension] === 1);
  }
  if (!subview.is(view)) return rank === 1;
  const { strides } = mixedSlice(view);
  const dropped = droppedFromBuffer(view);
  const first = strides.length - Math.min(rank, rankOf(view.results[0]!));
  return (
    dropped !== undefined && strides.every((stride, i) => i < first || (stride === 1 && !dropped.has(i)))
  );
};

const accessOfView = accesses.map(([definition, buffer]) =>
  onOp(definition, 'access-of-view', (rewriter, operation) => {
    const value = operation.operands[buffer]!;
    const view = rewriter.definingOperation(value);
    if (view === undefined || !isView(view) || !keepsNeighbours(view, vectorRank(operation, value))) return;
    const { map } = operation.attributes;
    const end = map === undefined ? buffer + 1 + rankOf(value) : operation.operands.length;
    const own = indicesOf(rewriter, operation, operation.operands.slice(buffer + 1, end));
    const indices = sourceIndices(rewriter, view, own);
    if (indices === undefined) return;
    const operands = [
      ...operation.operands.slice(0, buffer),
      view.operands[0]!,
      ...indices.map((index) => indexValue(rewriter, index)),
      ...operation.operands.slice(end),
    ];
    const attributes =
      map === undefined
        ? operation.attributes
        : { ...operation.attributes, map: affineMapAttribute(identityMap(indices.length)) };
    rewriter.replaceWith(operation, stateOf(operation, { operands, attributes }));
  }),
);

/** Transfers, with the position of their buffer operand. */
const transfers = [
  [vector.transferRead, 0],
  [vector.transferWrite, 1],
] as const;

/** An in-bounds transfer on a subview with unit strides: dropped dimensions are not in its map. */
const transfersOfSubviews = transfers.map(([definition, buffer]) =>
  onOp(definition, 'transfer-of-subview', (rewriter, operation) => {
    const value = operation.operands[buffer]!;
    const view = definedBy(rewriter, value, subview);
    if (view === undefined || mixedSlice(view).strides.some((stride) => stride !== 1)) return;
    const { permutationMap, inBounds } = definition.attributes(operation);
    const dropped = droppedFromBuffer(view);
    if (dropped === undefined || !inBounds.every((flag) => flag)) return;
    const end = buffer + 1 + rankOf(value);
    const indices = rewriter.scoped(() => {
      // A mask holds nothing but what it masks.
      const around = vector.maskAround(operation);
      if (around !== undefined) rewriter.setInsertionPointBefore(around);
      const own = operation.operands.slice(buffer + 1, end);
      return throughSubview(rewriter, view, own)?.map((index) => indexValue(rewriter, index));
    });
    if (indices === undefined) return;
    const kept = indices.flatMap((_, i) => (dropped.has(i) ? [] : [dim(i)]));
    const map = compose(permutationMap, makeMap(indices.length, 0, kept));
    const { operandSegmentSizes: sizes } = operation.attributes;
    if (sizes?.kind !== 'dense-array') return;
    rewriter.replaceWith(
      operation,
      stateOf(operation, {
        operands: [
          ...operation.operands.slice(0, buffer),
          view.operands[0]!,
          ...indices,
          ...operation.operands.slice(end),
        ],
        attributes: {
          ...operation.attributes,
          permutation_map: affineMapAttribute(map),
          operandSegmentSizes: denseArrayAttribute(sizes.values.with(buffer + 1, indices.length), i32),
        },
      }),
    );
  }),
);

const subviewOfSubview = onOp(subview, 'subview-of-subview', (rewriter, operation) => {
  const outer = definedBy(rewriter, operation.operands[0], subview);
  const [source] = outer?.operands ?? [];
  const { type } = operation.results[0]!;
  if (outer === undefined || source === undefined || type.kind !== 'memref') return;
  const [own, around] = [mixedSlice(operation), mixedSlice(outer)];
  if ([...own.strides, ...around.strides].some((stride) => stride !== 1)) return;
  const dropped = droppedFromBuffer(outer);
  const offsets = throughSubview(rewriter, outer, own.offsets);
  if (dropped === undefined || offsets === undefined) return;
  let next = 0;
  const sizes = around.sizes.map((size, i) => (dropped.has(i) ? size : own.sizes[next++]!));
  const state = subviewState(source, { offsets, sizes, strides: around.strides }, type);
  if (typeEquals(state.resultTypes[0]!, type)) rewriter.replaceWith(operation, state);
});

export const aliasPatterns: readonly RewritePattern[] = [
  ...accessOfView,
  ...transfersOfSubviews,
  subviewOfSubview,
];

export const foldMemrefAliasOps = defineOperationPass({
  name: 'fold-memref-alias-ops',
  title: 'FoldMemRefAliasOpsPass',
  summary: 'fold views of buffers into accesses',
  runOn: (rewriter, operation) => {
    applyPatternsGreedily(rewriter, [operation], aliasPatterns);
    return success(undefined);
  },
});
