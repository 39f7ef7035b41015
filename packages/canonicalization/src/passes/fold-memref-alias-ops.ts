/** The pass `fold-memref-alias-ops`: what reads or writes a view reads or writes the buffer itself. */
import { identityMap, makeMap } from '@sconv/affine';
import { success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { applied, mixedSlice } from '@sconv/dialects';
import * as affine from '@sconv/dialects/affine';
import { collapseShape, expandShape, load, store, subview } from '@sconv/dialects/memref';
import type { DraftOperation, RewritePattern, Rewriter } from '@sconv/ir';
import { affineMapAttribute, applyPatternsGreedily, defineOperationPass, typeEquals } from '@sconv/ir';
import { asValue, definedBy, onOp, stateOf } from '../match.ts';
import { sourceIndices, throughSubview } from '../memref-access.ts';
import { droppedFromBuffer, subviewState } from '../patterns/slices.ts';

/** Accesses, and which of their operands is the buffer. */
const accesses = [
  [load, 0],
  [store, 1],
  [affine.load, 0],
  [affine.store, 1],
] as const;

/** The indices of an access: the results of its map, if it has one. */
const indicesOf = (rewriter: Rewriter, operation: DraftOperation, first: number): readonly MixedIndex[] => {
  const operands = operation.operands.slice(first);
  const { map } = operation.attributes;
  if (map?.kind !== 'affine-map') return operands;
  const { numDims, numSymbols, results } = map.map;
  return results.map((result) =>
    applied(rewriter, { subject: makeMap(numDims, numSymbols, [result]), operands }),
  );
};

const accessOfView = accesses.map(([definition, buffer]) =>
  onOp(definition, 'access-of-view', (rewriter, operation) => {
    const value = operation.operands[buffer];
    const view = value === undefined ? undefined : rewriter.definingOperation(value);
    if (view === undefined) return;
    if (!subview.is(view) && !expandShape.is(view) && !collapseShape.is(view)) return;
    const indices = sourceIndices(rewriter, view, indicesOf(rewriter, operation, buffer + 1));
    if (indices === undefined) return;
    const operands = [
      ...operation.operands.slice(0, buffer),
      view.operands[0]!,
      ...indices.map((index) => asValue(rewriter, index)),
    ];
    const attributes =
      operation.attributes['map'] === undefined
        ? operation.attributes
        : { ...operation.attributes, map: affineMapAttribute(identityMap(indices.length)) };
    rewriter.replaceWith(operation, stateOf(operation, { operands, attributes }));
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

export const aliasPatterns: readonly RewritePattern[] = [...accessOfView, subviewOfSubview];

export const foldMemrefAliasOps = defineOperationPass({
  name: 'fold-memref-alias-ops',
  title: 'FoldMemRefAliasOpsPass',
  summary: 'read and write buffers, not views of them',
  runOn: (rewriter, operation) => {
    applyPatternsGreedily(rewriter, [operation], aliasPatterns);
    return success(undefined);
  },
});
