/**
 * The patterns `linalg.fold_unit_extent_dims_via_reshapes` and `…_via_slices`: iterations and operand dimensions of
 * size 1 are dropped (upstream's `DropUnitDims`).
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant, dim, equals, makeMap, substitute } from '@sconv/affine';
import type { MixedSlice } from '@sconv/dialects';
import {
  createCollapse,
  createDims,
  createExpand,
  createGenericLike,
  createIndex,
  createSizes,
  createSubview,
  everyLoopIsIndexed,
  extractSliceState,
  insertSliceState,
  mixedSlice,
  sliceAtOrigin,
} from '@sconv/dialects';
import { generic, index, structured } from '@sconv/dialects/linalg';
import * as memref from '@sconv/dialects/memref';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, MemRefType, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, isShaped, tensorType } from '@sconv/ir';
import { onOp } from '../match.ts';

/** How operands lose dimensions, and results get them back. */
export type UnitStrategy = 'reshapes' | 'slices';

/** An operand without its unit dimensions. */
interface Dropped {
  readonly map: AffineMap;
  readonly shape: readonly number[];
  /** Groups of dimensions that become one; undefined if the operand stays. */
  readonly reassociation: readonly (readonly number[])[] | undefined;
}

/** Groups each dimension that is kept with the ones after it that are not, and the first one with those before it. */
const grouped = (isDropped: readonly boolean[]): readonly (readonly number[])[] => {
  const groups: number[][] = [];
  const leading: number[] = [];
  isDropped.forEach((drops, position) => {
    const last = groups.at(-1);
    if (!drops) groups.push(last === undefined ? [...leading, position] : [position]);
    else (last ?? leading).push(position);
  });
  return groups;
};

const droppedFrom = (
  { type }: Value,
  map: AffineMap,
  isUnit: readonly boolean[],
  kept: number,
  replacements: readonly AffineExpr[],
): Dropped => {
  const shape = isShaped(type) ? type.shape : [];
  const onKept = (results: readonly AffineExpr[]): AffineMap =>
    makeMap(
      kept,
      0,
      results.map((result) => substitute(result, { dims: replacements })),
    );
  const isCollapsible =
    (type.kind === 'memref' && type.layout === undefined) ||
    (type.kind === 'tensor' && type.encoding === undefined);
  const isDropped = map.results.map(
    (result, i) =>
      isCollapsible &&
      shape[i] === 1 &&
      (result.kind === 'dim' ? isUnit[result.position]! : result.kind === 'constant' && result.value === 0),
  );
  if (!isDropped.includes(true)) return { map: onKept(map.results), shape, reassociation: undefined };
  return {
    map: onKept(map.results.filter((_, i) => !isDropped[i])),
    shape: shape.filter((_, i) => !isDropped[i]),
    reassociation: grouped(isDropped),
  };
};

const isTensor = (value: Value): value is Value<TensorType> => value.type.kind === 'tensor';

/** All of a tensor. */
const wholeOf = (rewriter: Rewriter, value: Value<TensorType>): MixedSlice =>
  sliceAtOrigin(createSizes(rewriter, value));

/** An operand in its lower rank. */
const collapsed = (
  rewriter: Rewriter,
  value: Value,
  { shape, reassociation }: Dropped,
  by: UnitStrategy,
): Value => {
  if (reassociation === undefined) return value;
  if (isTensor(value)) {
    return by === 'reshapes'
      ? createCollapse(rewriter, value, reassociation)
      : rewriter.createValue(
          extractSliceState(value, wholeOf(rewriter, value), tensorType(shape, value.type.elementType)),
        );
  }
  const type = value.type as MemRefType;
  if (by === 'reshapes') {
    return rewriter.createValue(
      memref.collapseShape.state({
        operands: { src: value },
        attributes: { reassociation },
        resultTypes: [{ ...type, shape }],
      }),
    );
  }
  return createSubview(rewriter, value, sliceAtOrigin(createDims(rewriter, value)), shape);
};

/** A result in the rank of its destination. */
const expanded = (
  rewriter: Rewriter,
  result: Value,
  destination: Value,
  reassociation: Dropped['reassociation'],
  by: UnitStrategy,
): Value => {
  if (reassociation === undefined || !isTensor(destination)) return result;
  return by === 'reshapes'
    ? createExpand(rewriter, result as Value<TensorType>, destination.type.shape, reassociation)
    : rewriter.createValue(insertSliceState(result, destination, wholeOf(rewriter, destination)));
};

const dropUnits = (by: UnitStrategy): RewritePattern =>
  onOp(generic, 'drop-unit-extents', (rewriter, operation) => {
    const view = structured(rewriter.registry, operation);
    if (view === undefined) return;
    const { indexingMaps, iteratorTypes, inputs, outputs, loopRanges } = view;
    if (!everyLoopIsIndexed(indexingMaps, iteratorTypes.length)) return;
    const isUnit = loopRanges.map((range) => range === 1);
    let kept = 0;
    const replacements = isUnit.map((drops) => (drops ? constant(0) : dim(kept++)));
    const operands = [...inputs, ...outputs];
    const parts = operands.map((operand, i) =>
      droppedFrom(operand, indexingMaps[i]!, isUnit, kept, replacements),
    );
    const maps = parts.map(({ map }) => map);
    if (maps.every((map, i) => equals(map, indexingMaps[i]!)) || !everyLoopIsIndexed(maps, kept)) return;
    const values = operands.map((operand, i) => collapsed(rewriter, operand, parts[i]!, by));
    const made = createGenericLike(rewriter, operation, {
      inputs: values.slice(0, inputs.length),
      outputs: values.slice(inputs.length),
      indexingMaps: maps,
      iteratorTypes: iteratorTypes.filter((_, i) => !isUnit[i]),
    });
    rewriter.moveRegion(operation.regions[0]!, made.regions[0]!);
    renumberIndices(rewriter, made, isUnit);
    rewriter.setInsertionPointBefore(operation);
    rewriter.replaceOperation(
      operation,
      made.results.map((result, i) =>
        expanded(rewriter, result, outputs[i]!, parts[inputs.length + i]!.reassociation, by),
      ),
    );
  });

/** Indices of dropped iterations are 0; the others have the position that is left. */
const renumberIndices = (rewriter: Rewriter, operation: DraftOperation, isUnit: readonly boolean[]): void => {
  for (const each of bodyOf(operation).operations) {
    if (!index.is(each)) continue;
    const { dim: position } = index.attributes(each);
    const before = isUnit.slice(0, position).filter((drops) => drops).length;
    if (before === 0 && !isUnit[position]) continue;
    rewriter.setInsertionPointBefore(each);
    const now = isUnit[position]
      ? createIndex(rewriter, 0)
      : rewriter.createValue(index.state({ attributes: { dim: position - before } }));
    rewriter.replaceOperation(each, [now]);
  }
};

/** The groups of a shape without its dimensions of size 1; undefined if it has none. */
const unitGroups = (shape: readonly number[]): readonly (readonly number[])[] | undefined =>
  shape.includes(1) ? grouped(shape.map((size) => size === 1)) : undefined;

/** A slice of lower rank, expanded. */
const reducedSlice = onOp(extractSlice, 'slice-without-units', (rewriter, operation) => {
  const { source } = extractSlice.operands(operation);
  const { type } = extractSlice.results(operation).result;
  const reassociation = unitGroups(type.shape);
  if (reassociation === undefined || type.encoding !== undefined) return;
  const shape = type.shape.filter((size) => size !== 1);
  const slice = rewriter.createValue(
    extractSliceState(source, mixedSlice(operation), tensorType(shape, type.elementType)),
  ) as Value<TensorType>;
  rewriter.replaceOperation(operation, [createExpand(rewriter, slice, type.shape, reassociation)]);
});

/** A tensor that is inserted in a lower rank. */
const reducedInsertion = onOp(insertSlice, 'insertion-without-units', (rewriter, operation) => {
  const { source, dest } = insertSlice.operands(operation);
  const reassociation = unitGroups(source.type.shape);
  if (reassociation === undefined || source.type.encoding !== undefined) return;
  const collapsed = createCollapse(rewriter, source, reassociation);
  rewriter.replaceWith(operation, insertSliceState(collapsed, dest, mixedSlice(operation)));
});

/**
 * The patterns of a strategy, without the canonicalization patterns that upstream adds.
 *
 * @deviation Upstream also drops unit dimensions of `tensor.pad` and `tensor.parallel_insert_slice`.
 */
export const unitExtentPatterns = (by: UnitStrategy): readonly RewritePattern[] =>
  by === 'reshapes' ? [dropUnits(by), reducedSlice, reducedInsertion] : [dropUnits(by)];
