/**
 * Packs a structured op (upstream's `linalg::pack`): tiles each iteration dimension with a given size, packs the
 * operands into tiles of these sizes, and unpacks the results. The packings can then be moved or transposed.
 *
 * @deviation Operands are padded with a value that leaves the output unchanged, where upstream pads with zeros; the
 * op is rejected if there is none, or if reordering its iterations would change the result. `linalg.index` of a tiled
 * dimension is recomputed from its parts.
 */
import type { AffineMap } from '@sconv/affine';
import { dim, isFunctionOfDim, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, mapSuccess, silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import {
  applyComposed,
  constantIndexOf,
  createConstantValue,
  createGenericLike,
  indexNumber,
  mayRunInBlocks,
  takeBody,
} from '@sconv/dialects';
import { addi, muli } from '@sconv/dialects/arith';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { index, structured } from '@sconv/dialects/linalg';
import { pack } from '@sconv/dialects/tensor';
import type { Attribute, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, DYNAMIC, indexType, isStaticShape } from '@sconv/ir';
import { createPack, createPackedDestination, createUnpack, tilingOf } from '@sconv/dialects';
import { paddingValues } from './padding-values.ts';

/** The ops that replace a packed structured op. */
export interface StructuredPackResult {
  readonly packs: readonly DraftOperation[];
  readonly packed: DraftOperation;
  readonly unpacks: readonly DraftOperation[];
}

/** A tiled iteration dimension, and its inner dimension. */
interface PackedDimension {
  readonly dimension: number;
  readonly inner: number;
  readonly size: MixedIndex;
  /** By operand: which of its dimensions it is. */
  readonly positions: readonly (number | undefined)[];
}

/** The operand dimension that an iteration dimension indexes; undefined if none, false if part of a compound index. */
const positionOf = ({ results }: AffineMap, dimension: number): number | undefined | false => {
  const positions = results.flatMap((result, i) => (isFunctionOfDim(result, dimension) ? [i] : []));
  const [position, ...more] = positions;
  if (position === undefined) return undefined;
  return more.length === 0 && results[position]!.kind === 'dim' ? position : false;
};

/** Packs a structured op on tensors by a size per iteration dimension, 0 for an untiled one. */
export const packStructuredOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly MixedIndex[],
): Diagnosed<StructuredPackResult> =>
  mapSuccess(checkPacking(rewriter, operation, sizes), (plan) => packByPlan(rewriter, operation, plan));

/** How a structured op is packed. */
interface PackPlan {
  readonly view: StructuredOp;
  readonly packed: readonly PackedDimension[];
  /** By operand: what pads it. */
  readonly padding: readonly (Attribute | undefined)[];
}

/** Fails unless the op can be packed by these sizes without a change of its results. */
const checkPacking = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly MixedIndex[],
): Diagnosed<PackPlan> => {
  const { registry } = rewriter;
  const view = structured(registry, operation);
  if (view?.body === undefined || view.outputs.some(({ type }) => type.kind !== 'tensor')) {
    return silenceableError(
      'pack/not-structured',
      `'${operation.name}' is not a structured op with a body, on tensors`,
      operation,
    );
  }
  const { indexingMaps, iteratorTypes, loopRanges } = view;
  const rank = iteratorTypes.length;
  const known = sizes.map((size) =>
    typeof size === 'number' ? size : (constantIndexOf(rewriter, size) ?? DYNAMIC),
  );
  if (sizes.length !== rank || known.some((size) => size < 0 && size !== DYNAMIC)) {
    return silenceableError(
      'pack/sizes',
      `expected ${rank} sizes of at least 0, got [${known.join(', ')}]`,
      operation,
    );
  }
  const packed: PackedDimension[] = [];
  for (const [dimension, size] of sizes.entries()) {
    if (known[dimension] === 0) continue;
    const positions = indexingMaps.map((map) => positionOf(map, dimension));
    const wrong = positions.indexOf(false);
    if (wrong >= 0) {
      const message =
        `data tiling failed: dimension ${dimension} is only part of an index of operand ${wrong}, ` +
        indexingMaps[wrong]!.toString();
      return definite(error('pack/maps', message, operation.location));
    }
    // No position is false at this point.
    const inner = rank + packed.length;
    packed.push({ dimension, inner, size, positions: positions as (number | undefined)[] });
  }
  const partial = packed.filter(({ dimension }) => {
    const [size, extent] = [known[dimension]!, loopRanges[dimension]!];
    return size === DYNAMIC || extent === DYNAMIC || extent % size !== 0;
  });
  const padding = paddingValues(
    rewriter,
    operation,
    partial.map(({ dimension }) => dimension),
  );
  if (padding === undefined) {
    return silenceableError(
      'pack/padding',
      'a size does not divide its dimension, and no padding value leaves the results unchanged',
      operation,
    );
  }
  const isTiled = (dimension: number): boolean => packed.some((each) => each.dimension === dimension);
  const mayRun = mayRunInBlocks(
    registry,
    operation,
    iteratorTypes.map((_, dimension) => dimension),
    isTiled,
  );
  if (packed.length > 0 && !mayRun) {
    return silenceableError(
      'pack/order',
      'tiles would run the iterations in another order, which may change the result',
      operation,
    );
  }
  return success({ view, packed, padding });
};

const packByPlan = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { view, packed, padding }: PackPlan,
): StructuredPackResult => {
  const { indexingMaps, inputs, outputs, iteratorTypes } = view;
  // Step 1. Pack the operands that a tiled dimension indexes.
  rewriter.setInsertionPointBefore(operation);
  const operands = [...inputs, ...outputs].map((operand, i) =>
    packedOperand(rewriter, operand, i, packed, padding[i]),
  );
  const parts = [operands.slice(0, inputs.length), operands.slice(inputs.length)] as const;

  // Step 2. Create the op on them: the inner dimensions follow all others, with the same iterator types.
  const created = createGenericLike(rewriter, operation, {
    inputs: parts[0],
    outputs: parts[1],
    indexingMaps: indexingMaps.map((map, i) => packedMap(map, i, iteratorTypes.length, packed)),
    iteratorTypes: [...iteratorTypes, ...packed.map(({ dimension }) => iteratorTypes[dimension]!)],
  });
  takeBody(rewriter, operation, created);
  joinIndices(rewriter, created, packed);

  // Step 3. Unpack the results.
  rewriter.setInsertionPointBefore(operation);
  const packs = operands.flatMap((value) => packOf(rewriter, value, view) ?? []);
  const unpacks: DraftOperation[] = [];
  const results = created.results.map((result, i) => {
    const made = packOf(rewriter, parts[1][i]!, view);
    if (made === undefined) return result;
    const source = result as Value<TensorType>;
    const unpacked = createUnpack(rewriter, source, pack.operands(made).source, tilingOf(made));
    unpacks.push(unpacked);
    return unpacked.results[0]!;
  });

  // Step 4. Replace the op.
  rewriter.replaceOperation(operation, results, [created]);
  return { packs, packed: created, unpacks };
};

/** The op that packs an operand, unless the operand is one of `view` itself. */
const packOf = (
  rewriter: Rewriter,
  operand: Value,
  { inputs, outputs }: StructuredOp,
): DraftOperation | undefined =>
  [...inputs, ...outputs].some(({ id }) => id === operand.id)
    ? undefined
    : rewriter.definingOperation(operand);

/** An operand's map, with inner dimensions appended for the tiled ones. */
const packedMap = (
  { results }: AffineMap,
  operand: number,
  rank: number,
  packed: readonly PackedDimension[],
): AffineMap =>
  makeMap(rank + packed.length, 0, [
    ...results,
    ...packed.flatMap(({ inner, positions }) => (positions[operand] === undefined ? [] : [dim(inner)])),
  ]);

/** An operand, packed if one of its dimensions is tiled. */
const packedOperand = (
  rewriter: Rewriter,
  operand: Value,
  position: number,
  packed: readonly PackedDimension[],
  padding: Attribute | undefined,
): Value => {
  const tiled = packed.filter(({ positions }) => positions[position] !== undefined);
  if (tiled.length === 0) return operand;
  const source = operand as Value<TensorType>;
  const tiling = {
    innerTiles: tiled.map(({ size }) => size),
    innerDimsPos: tiled.map(({ positions }) => positions[position]!),
    outerDimsPerm: [],
  };
  const dest = createPackedDestination(rewriter, source, tiling);
  const isFull =
    isStaticShape(source.type) &&
    tiling.innerTiles.every((tile, i) => {
      const size = indexNumber(rewriter, tile);
      return size !== undefined && source.type.shape[tiling.innerDimsPos[i]!]! % size === 0;
    });
  const value =
    isFull || padding === undefined
      ? undefined
      : createConstantValue(rewriter, padding, source.type.elementType);
  return createPack(rewriter, source, dest, tiling, value).results[0]!;
};

/** In the packed op, `linalg.index` of a tiled dimension counts tiles: recomputes the index at its uses in the body. */
const joinIndices = (
  rewriter: Rewriter,
  created: DraftOperation,
  packed: readonly PackedDimension[],
): void => {
  for (const inside of [...bodyOf(created).operations]) {
    if (!index.is(inside)) continue;
    const tiled = packed.find(({ dimension }) => dimension === index.attributes(inside).dim);
    if (tiled === undefined) continue;
    const outer = inside.results[0]!;
    const users = rewriter.users(outer);
    rewriter.setInsertionPointAfter(inside);
    const inner = rewriter.createValue(index.state({ attributes: { dim: tiled.inner } }));
    const joined = joinedIndex(rewriter, outer, inner, tiled.size);
    rewriter.replaceUsesIf(outer, joined, (user) => users.includes(user));
  }
};

const joinedIndex = (rewriter: Rewriter, outer: Value, inner: Value, size: MixedIndex): Value => {
  if (typeof size === 'number')
    return applyComposed(rewriter, makeMap(2, 0, [dim(0).mul(size).add(dim(1))]), [outer, inner]);
  const lhs = rewriter.createValue(
    muli.state({ operands: { lhs: outer, rhs: size }, resultTypes: [indexType] }),
  );
  return rewriter.createValue(addi.state({ operands: { lhs, rhs: inner }, resultTypes: [indexType] }));
};
