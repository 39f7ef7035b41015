/** Moves packings across reshapes, where no tile crosses the sizes that a group is expanded to. */
import type { PackTiling } from '@sconv/dialects';
import {
  createExpand,
  createPack,
  createPackedDestination,
  createUnpack,
  createUnpackedDestination,
  tilingOf,
} from '@sconv/dialects';
import type { Reassociation } from '@sconv/dialects/tensor';
import { collapseShape, expandShape, inferCollapsedType, pack, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, typeEquals } from '@sconv/ir';
import { hasOneUse, onOp } from '../match.ts';
import { isFull, packedTypeOf, unpackedTypeOf } from './packed-types.ts';
import type { PropagationControl } from './propagation-control.ts';

/**
 * A tiling of collapsed dimensions as one of the dimensions before: the tiles are of the innermost dimension of each
 * group that is not 1. Moving a group moves all of its dimensions.
 */
const expandedTiling = (
  { innerTiles, innerDimsPos, outerDimsPerm }: PackTiling,
  groups: Reassociation,
  shape: readonly number[],
): PackTiling => ({
  innerTiles,
  innerDimsPos: innerDimsPos.map((position) => {
    const group = groups[position]!;
    return (
      group.findLast((dimension) => shape[dimension]! > 1 || shape[dimension] === DYNAMIC) ?? group.at(-1)!
    );
  }),
  outerDimsPerm: outerDimsPerm.flatMap((position) => groups[position]!),
});

/** The groups of a reshape in the order of the outer dimensions of tiles, then each inner dimension by itself. */
const packedGroups = (groups: Reassociation, { innerDimsPos, outerDimsPerm }: PackTiling): Reassociation => {
  let next = 0;
  const numbered = (group: readonly number[]): readonly number[] => group.map(() => next++);
  const outer = groups.map((_, i) => numbered(groups[outerDimsPerm[i] ?? i]!));
  return [...outer, ...innerDimsPos.map((position) => numbered([position]))];
};

/**
 * The groups of sizes of `shape` whose products are the sizes of a shorter `target`, as upstream chooses them: a 1
 * joins the group behind it. Undefined if there are none.
 */
const groupsBetween = (shape: readonly number[], target: readonly number[]): Reassociation | undefined => {
  let at = 0;
  const groups: number[][] = [];
  for (const wanted of target) {
    const group: number[] = [];
    let product = 1;
    while (at < shape.length && shape[at] !== DYNAMIC && product * shape[at]! < wanted) {
      product *= shape[at]!;
      group.push(at++);
    }
    const last = shape[at];
    const fits =
      last === DYNAMIC
        ? wanted === DYNAMIC && product === 1
        : last !== undefined && product * last === wanted;
    if (!fits) return undefined;
    group.push(at++);
    groups.push(group);
  }
  while (at < shape.length) {
    if (shape[at] !== 1) return undefined;
    groups.at(-1)?.push(at++);
  }
  return groups;
};

const hasStaticTiles = ({ innerTiles }: PackTiling): boolean =>
  innerTiles.every((tile) => typeof tile === 'number');

/** Whether a tensor of type `from` can be expanded to `shape`, at most one size of each group being dynamic. */
const mayExpand = (from: TensorType, shape: readonly number[], groups: Reassociation): boolean =>
  typeEquals(inferCollapsedType({ ...from, shape }, groups), from) &&
  groups.every((group) => group.filter((each) => shape[each] === DYNAMIC).length <= 1);

/** A packed reshape: the reshape of a packing. */
export const packThroughReshape = (control: PropagationControl): RewritePattern =>
  onOp(pack, 'bubble-up-pack-through-reshape', (rewriter, operation) => {
    const { source } = pack.operands(operation);
    const producer = rewriter.definingOperation(source);
    if (producer === undefined || !hasOneUse(rewriter, source)) return;
    if (!collapseShape.is(producer) && !expandShape.is(producer)) return;
    if (!hasStaticTiles(tilingOf(operation))) return;
    if (!control({ rewriter, producer, consumer: operation, operand: 0 })) return;
    if (collapseShape.is(producer)) packThroughCollapse(rewriter, operation, producer);
    else packThroughExpand(rewriter, operation, producer);
  });

/** @deviation Not if the collapsed packing would have another type. */
const packThroughCollapse = (
  rewriter: Rewriter,
  operation: DraftOperation,
  producer: DraftOperation,
): void => {
  const { dest, paddingValue } = pack.operands(operation);
  const { src } = collapseShape.operands(producer);
  const source = src as Value<TensorType>;
  const { reassociation } = collapseShape.attributes(producer);
  const collapsed = tilingOf(operation);
  const tiling = expandedTiling(collapsed, reassociation, source.type.shape);
  if (!isFull(source, tiling)) return;
  const groups = packedGroups(reassociation, collapsed);
  if (!typeEquals(inferCollapsedType(packedTypeOf(source.type, tiling), groups), dest.type)) return;
  const made = createPackedDestination(rewriter, source, tiling);
  const packed = createPack(rewriter, source, made, tiling, paddingValue);
  rewriter.replaceWith(
    operation,
    collapseShape.state({
      operands: { src: packed.results[0]! },
      attributes: { reassociation: groups },
      resultTypes: [dest.type],
    }),
  );
};

/**
 * The outer dimensions keep their order, and at most the innermost dimension of a group is tiled.
 *
 * @deviation Not if tiles that are padded to their size in each row of a group would run on into the next row, where
 * upstream counts tiles only; nor if the packing would have another type.
 */
const packThroughExpand = (rewriter: Rewriter, operation: DraftOperation, producer: DraftOperation): void => {
  const { source: expanded, dest, paddingValue } = pack.operands(operation);
  const { src } = expandShape.operands(producer);
  const source = src as Value<TensorType>;
  const { reassociation } = expandShape.attributes(producer);
  const tiling = tilingOf(operation);
  if (tiling.outerDimsPerm.some((from, i) => from !== i)) return;
  const isTiled = (dimension: number): boolean => tiling.innerDimsPos.includes(dimension);
  const isRow = (group: readonly number[]): boolean => {
    const [outer, last] = [group.slice(0, -1), group.at(-1)];
    if (last === undefined || !group.some(isTiled)) return true;
    if (outer.some(isTiled)) return false;
    if (paddingValue === undefined || outer.every((each) => expanded.type.shape[each] === 1)) return true;
    const at = tiling.innerDimsPos.indexOf(last);
    return isFull(expanded, {
      innerTiles: [tiling.innerTiles[at]!],
      innerDimsPos: [last],
      outerDimsPerm: [],
    });
  };
  if (!reassociation.every(isRow)) return;
  const before: PackTiling = {
    innerTiles: tiling.innerTiles,
    innerDimsPos: tiling.innerDimsPos.map((position) =>
      reassociation.findIndex((group) => group.includes(position)),
    ),
    outerDimsPerm: [],
  };
  const packedType = packedTypeOf(source.type, before);
  const { shape } = dest.type;
  const groups = packedType.shape.length < shape.length ? groupsBetween(shape, packedType.shape) : undefined;
  if (groups === undefined || !mayExpand(packedType, shape, groups)) return;
  if (!typeEquals(packedTypeOf(expanded.type, tiling), dest.type)) return;
  const made = createPackedDestination(rewriter, source, before);
  const packed = createPack(rewriter, source, made, before, paddingValue);
  const result = createExpand(rewriter, packed.results[0] as Value<TensorType>, shape, groups);
  rewriter.replaceOperation(operation, [result]);
};

/**
 * An expanded unpacking: the tiles expanded, then unpacked.
 *
 * @deviation Not if the result would have another type.
 */
export const unpackThroughReshape = (control: PropagationControl): RewritePattern =>
  onOp(unpack, 'push-down-unpack-through-expand', (rewriter, operation) => {
    const [result] = operation.results;
    const [user] = rewriter.users(result!);
    if (user === undefined || !expandShape.is(user) || !hasOneUse(rewriter, result!)) return;
    const collapsed = tilingOf(operation);
    if (!hasStaticTiles(collapsed)) return;
    if (!control({ rewriter, producer: operation, consumer: user, operand: 0 })) return;
    const expanded = user.results[0] as Value<TensorType>;
    const { reassociation } = expandShape.attributes(user);
    const tiling = expandedTiling(collapsed, reassociation, expanded.type.shape);
    if (!isFull(expanded, tiling)) return;
    const groups = packedGroups(reassociation, collapsed);
    const type = packedTypeOf(expanded.type, tiling);
    const { source } = unpack.operands(operation);
    if (!mayExpand(source.type, type.shape, groups)) return;
    if (!typeEquals(unpackedTypeOf(type, tiling), expanded.type)) return;
    const tiles = createExpand(rewriter, source, type.shape, groups);
    const dest = createUnpackedDestination(rewriter, tiles, tiling);
    rewriter.replaceOperation(user, createUnpack(rewriter, tiles, dest, tiling).results);
  });
