/**
 * Tiling (ST §5.3, stage 3): a structured op in a nest of `scf.for` loops, each iteration computing one tile.
 */
import { affineMap, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import {
  applyComposed,
  composeValue,
  createApplication,
  createGenericLike,
  createIndex,
  elementTypeOf,
  isStaticTensorOrScalar,
  mayRunInBlocks,
  sliceArguments,
} from '@sconv/dialects';
import type { MixedSlice } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { generic, index, genericView } from '@sconv/dialects/linalg';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, DYNAMIC, indexType, printType, tensorType } from '@sconv/ir';
import { tileOperand } from './tile-operand.ts';
import type { TileOperand, TileSlice } from './tile-operand.ts';

/** The tile and the loops around it. */
export interface TileResult {
  readonly tiled: DraftOperation;
  /** Outermost first. */
  readonly loops: readonly DraftOperation[];
}

/** A loop to make: over iteration dimension `dimension`, in steps of `size`. */
interface TileLoop {
  readonly dimension: number;
  readonly size: number;
}

const fail = (code: string, message: string, operation: DraftOperation) =>
  silenceable(error(code, message, operation.location));

/**
 * Tiles a `linalg.generic` on static tensors. `sizes` counts iterations for each iteration dimension, 0 for one that is
 * not tiled; missing sizes are 0. `interchange` is the order of the loops as positions of iteration dimensions, padded
 * with the identity: `[0, 2, 1]` puts the loop over dimension 2 before that over 1.
 *
 * Operands are sliced, so the op is refused where a slice would change what a map means (see `gatherOperandOp`). It is
 * refused, too, where the iterations of a reduction would run in another order and the body does not combine its values in
 * any order, as a sum does.
 *
 * @deviation A size that does not divide its dimension is refused instead of giving tiles of dynamic size: split first.
 */
export const tileUsingForOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly number[],
  interchange: readonly number[] = [],
): Diagnosed<TileResult> => {
  if (!generic.is(operation))
    return fail('tile/not-generic', `expected a linalg.generic, got '${operation.name}'`, operation);
  const { loopRanges, inputs, outputs } = genericView(operation);
  const rank = loopRanges.length;
  if (sizes.length > rank || !sizes.every((size) => Number.isSafeInteger(size) && size >= 0)) {
    return fail(
      'tile/sizes',
      `expected up to ${rank} tile sizes of at least 0, got [${sizes.join(', ')}]`,
      operation,
    );
  }
  const order = padded(interchange, rank);
  const positions = new Set(order);
  if (order.length !== rank || order.some((_, position) => !positions.has(position))) {
    return fail(
      'tile/interchange',
      `[${interchange.join(', ')}] does not permute the ${rank} loops`,
      operation,
    );
  }
  if (loopRanges.includes(DYNAMIC) || ![...inputs, ...outputs].every(isStaticTensorOrScalar)) {
    return fail('tile/dynamic', 'expected operands of static tensor type', operation);
  }
  const loops = order
    .map((dimension): TileLoop => ({ dimension, size: sizes[dimension] ?? 0 }))
    .filter(({ size }) => size > 0);
  if (loops.length === 0) return success({ tiled: operation, loops: [] });
  for (const { dimension, size } of loops) {
    const extent = loopRanges[dimension]!;
    if (extent < size) {
      return fail(
        'tile/remainder',
        `tile size ${size} exceeds dimension ${dimension} of extent ${extent}`,
        operation,
      );
    }
    if (extent % size !== 0) {
      return fail(
        'tile/remainder',
        `tile size ${size} does not divide dimension ${dimension} of extent ${extent}: split it first`,
        operation,
      );
    }
  }
  const tileSizes = loopRanges.map((_, dimension) => sizes[dimension] ?? 0);
  const outer = loops.filter(({ dimension, size }) => loopRanges[dimension]! > size);
  const mayTile = mayRunInBlocks(
    rewriter.registry,
    operation,
    outer.map(({ dimension }) => dimension),
    (dimension) => (tileSizes[dimension]! || loopRanges[dimension]!) > 1,
  );
  if (!mayTile) {
    return fail(
      'tile/order',
      'in tiles the iterations would run in another order, and the body does not combine values in any order',
      operation,
    );
  }
  return mapSuccess(tileOperands(operation, tileSizes), (operands) =>
    createNest(rewriter, operation, loops, operands),
  );
};

/** The tiles of all operands, inputs first. */
const tileOperands = (
  operation: DraftOperation,
  tileSizes: readonly number[],
): Diagnosed<readonly TileOperand[]> => {
  const { loopRanges, inputs, outputs, indexingMaps } = genericView(operation);
  return collect([...inputs, ...outputs].entries(), ([i, { type }]) => {
    const shape = type.kind === 'tensor' ? type.shape : [];
    const tile = tileOperand(indexingMaps[i]!, shape, loopRanges, tileSizes);
    if ('results' in tile) return success(tile);
    if (tile.kind === 'out-of-bounds') {
      const message = `a slice may reach outside of dimension ${tile.position} of operand ${i}, a ${printType(type)}`;
      return fail('tile/out-of-bounds', message, operation);
    }
    return fail(
      'tile/unsound-slice',
      `a slice would restart '${tile.expr.toString()}' at 0, but it is not linear in the tiled dimensions: ` +
        'gather the operand first (transform.structured.gather_operand)',
      operation,
    );
  });
};

/** An interchange with the identity for the positions that it does not name. */
export const padded = (interchange: readonly number[], rank: number): readonly number[] => [
  ...interchange,
  ...Array.from({ length: rank }, (_, position) => position).slice(interchange.length),
];

/** The loops from the outside in, the tile in the innermost one. */
const createNest = (
  rewriter: Rewriter,
  operation: DraftOperation,
  loops: readonly TileLoop[],
  operands: readonly TileOperand[],
): TileResult => {
  const { loopRanges, outputs } = genericView(operation);
  rewriter.setInsertionPointBefore(operation);
  const zero = createIndex(rewriter, 0);
  // Bounds stand before the nest, so that loops can be swapped later.
  const bounds = loops.map(({ dimension, size }) => ({
    upperBound: createIndex(rewriter, loopRanges[dimension]!),
    step: createIndex(rewriter, size),
  }));
  const created: DraftOperation[] = [];
  const offsets = new Map<number, Value>();
  let tiled: DraftOperation | undefined;
  const nest = (depth: number, destinations: readonly Value[]): readonly Value[] => {
    const loop = loops[depth];
    if (loop === undefined) {
      const tile = createTile(rewriter, operation, operands, offsets, destinations);
      tiled = tile.operation;
      return tile.destinations;
    }
    const forLoop = rewriter.create(
      forOp.state<Rewriter>({
        operands: { lowerBound: zero, ...bounds[depth]!, initArgs: destinations },
        resultTypes: destinations.map((value) => value.type),
        location: operation.location,
        bodies: [
          {
            argumentTypes: [indexType, ...destinations.map((value) => value.type)],
            build: (body, iv, ...iterArguments) => {
              offsets.set(loop.dimension, iv);
              const results = nest(depth + 1, iterArguments);
              body.create(yieldOp.state({ operands: { results } }));
            },
          },
        ],
      }),
    );
    created.unshift(forLoop);
    return forLoop.results;
  };
  rewriter.replaceOperation(operation, nest(0, outputs), [tiled!]);
  return { tiled: tiled!, loops: created };
};

/** The tile at the loops' offsets: slices of the operands, the op over them, its results in their places. */
const createTile = (
  rewriter: Rewriter,
  operation: DraftOperation,
  operands: readonly TileOperand[],
  offsets: ReadonlyMap<number, Value>,
  destinations: readonly Value[],
): { readonly operation: DraftOperation; readonly destinations: readonly Value[] } => {
  const { inputs, loopRanges, iteratorTypes } = genericView(operation);
  const parts = [...inputs, ...destinations].map((value, i) =>
    slicePart(rewriter, value, operands[i]!.slice, loopRanges.length, offsets),
  );
  const outputParts = parts.slice(inputs.length);
  const tile = createGenericLike(rewriter, operation, {
    inputs: parts.slice(0, inputs.length).map(({ value }) => value),
    outputs: outputParts.map(({ value }) => value),
    indexingMaps: operands.map(({ results }) => makeMap(loopRanges.length, 0, results)),
    iteratorTypes,
  });
  rewriter.cloneRegion(operation.regions[0]!, tile.regions[0]!);
  offsetIndices(rewriter, tile, offsets);
  return {
    operation: tile,
    destinations: tile.results.map((result, i) => {
      const { slice } = outputParts[i]!;
      if (slice === undefined) return result;
      const { operands, attributes } = sliceArguments(slice);
      return rewriter.createValue(
        insertSlice.state({
          operands: { source: result, dest: destinations[i]!, ...operands },
          attributes,
          resultTypes: [destinations[i]!.type],
        }),
      );
    }),
  };
};

/** The part of an operand that the present tile works on, and where it was taken from; no slice of what is taken whole. */
const slicePart = (
  rewriter: Rewriter,
  value: Value,
  tile: TileSlice | undefined,
  rank: number,
  offsets: ReadonlyMap<number, Value>,
): { readonly value: Value; readonly slice: MixedSlice | undefined } => {
  if (tile === undefined) return { value, slice: undefined };
  // Dimensions without a loop do not occur in an offset; any value may stand for them.
  const [placeholder] = offsets.values();
  const starts = Array.from({ length: rank }, (_, dimension) => offsets.get(dimension) ?? placeholder!);
  const slice = {
    offsets: tile.offsets.map((offset) =>
      offset === 0 ? 0 : applyComposed(rewriter, makeMap(rank, 0, [offset]), starts),
    ),
    sizes: tile.sizes,
    strides: tile.sizes.map(() => 1),
  };
  const { operands, attributes } = sliceArguments(slice);
  const part = rewriter.createValue(
    extractSlice.state({
      operands: { source: value, ...operands },
      attributes,
      resultTypes: [tensorType(tile.sizes, elementTypeOf(value.type))],
    }),
  );
  return { value: part, slice };
};

const sum = affineMap('(d0, d1) -> (d0 + d1)');

/** In a tile, `linalg.index` counts from the tile's start: adds the loops' offsets wherever the body uses one. */
const offsetIndices = (
  rewriter: Rewriter,
  tile: DraftOperation,
  offsets: ReadonlyMap<number, Value>,
): void => {
  for (const inner of [...bodyOf(tile).operations]) {
    if (!index.is(inner)) continue;
    const offset = offsets.get(index.attributes(inner).dim);
    if (offset === undefined) continue;
    const local = inner.results[0]!;
    const users = rewriter.users(local);
    rewriter.setInsertionPointAfter(inner);
    const shifted = applyComposed(rewriter, sum, [local, offset]);
    const addition = rewriter.definingOperation(shifted);
    rewriter.replaceUsesIf(local, shifted, (user) => user !== addition && users.includes(user));
  }
  rewriter.setInsertionPointAfter(tile);
  composeApplications(rewriter, tile);
  rewriter.setInsertionPointAfter(tile);
};

/** Folds chains of `affine.apply` below `operation` into single ones. */
const composeApplications = (rewriter: Rewriter, operation: DraftOperation): void => {
  const applications = rewriter.walk(operation).filter((inner) => apply.is(inner));
  for (const application of applications) {
    rewriter.setInsertionPointBefore(application);
    const composed = composeValue(rewriter, application.results[0]!);
    if (composed.operands.some((operand) => operand.id === application.results[0]!.id)) continue;
    rewriter.replaceOperation(application, [createApplication(rewriter, composed)]);
  }
  for (const inner of rewriter.walk(operation).toReversed()) {
    if (apply.is(inner) && !rewriter.hasUses(inner.results[0]!)) rewriter.eraseOperation(inner);
  }
};
