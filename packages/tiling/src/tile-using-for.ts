/**
 * Tiling (ST §5.3, stage 3): a structured op in a nest of `scf.for` loops, each iteration computing one tile.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { affineMap, constant, isFunctionOfDim, makeMap, range, substitute } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import { applyComposed, createGenericLike, createIndex, sliceArguments } from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { generic, index, structured } from '@sconv/dialects/linalg';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, DYNAMIC, i64ArrayAttribute, indexType, tensorType, withDefault } from '@sconv/ir';
import { consumes, defineTransformOp, produces, producesAll } from '@sconv/transform';
import { parseTileUsingFor, printTileUsingFor } from './tile-using-for-assembly.ts';
import { tileUsingForExamples } from './examples.ts';

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
 * Operands are sliced, so the op is refused where a slice would change what a map means (see `gatherOperand`).
 *
 * @deviation A size that does not divide its dimension is refused instead of giving tiles of dynamic size: split first.
 */
export const tileUsingFor = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly number[],
  interchange: readonly number[] = [],
): Diagnosed<TileResult> => {
  if (!generic.is(operation))
    return fail('tile/not-generic', `expected a linalg.generic, got '${operation.name}'`, operation);
  const { loopRanges, inputs, outputs, indexingMaps } = structured(operation);
  const rank = loopRanges.length;
  if (sizes.length > rank || sizes.some((size) => size < 0)) {
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
  if (loopRanges.includes(DYNAMIC) || [...inputs, ...outputs].some((value) => value.type.kind !== 'tensor')) {
    return fail('tile/dynamic', 'expected operands of static tensor type', operation);
  }
  const loops = order
    .map((dimension): TileLoop => ({ dimension, size: sizes[dimension] ?? 0 }))
    .filter(({ size }) => size > 0);
  if (loops.length === 0) return success({ tiled: operation, loops: [] });
  for (const { dimension, size } of loops) {
    if (loopRanges[dimension]! % size !== 0) {
      return fail(
        'tile/remainder',
        `tile size ${size} does not divide dimension ${dimension} of extent ${loopRanges[dimension]!}: split it first`,
        operation,
      );
    }
  }
  const tiledDimensions = loops.map(({ dimension }) => dimension);
  for (const map of indexingMaps) {
    const unsound = map.results.find((result) => !slicesSoundly(result, tiledDimensions));
    if (unsound !== undefined) {
      return fail(
        'tile/unsound-slice',
        `a slice would restart '${unsound.toString()}' at 0, but it is not linear in the tiled dimensions: ` +
          'gather the operand first (transform.structured.gather_operand)',
        operation,
      );
    }
  }
  return success(createNest(rewriter, operation, loops));
};

/** An interchange with the identity for the positions that it does not name. */
const padded = (interchange: readonly number[], rank: number): readonly number[] => [
  ...interchange,
  ...Array.from({ length: rank }, (_, position) => position).slice(interchange.length),
];

/** Whether `expr` changes by a value that does not depend on its own start when the tiled dimensions are shifted. */
const slicesSoundly = (expr: AffineExpr, tiled: readonly number[]): boolean => {
  switch (expr.kind) {
    case 'dim':
    case 'symbol':
    case 'constant':
      return true;
    case 'add':
    case 'mul':
      return slicesSoundly(expr.lhs, tiled) && slicesSoundly(expr.rhs, tiled);
    case 'mod':
    case 'floordiv':
    case 'ceildiv':
      return tiled.every((dimension) => !isFunctionOfDim(expr, dimension));
  }
};

/** The loops from the outside in, the tile in the innermost one. */
const createNest = (
  rewriter: Rewriter,
  operation: DraftOperation,
  loops: readonly TileLoop[],
): TileResult => {
  const { loopRanges, outputs } = structured(operation);
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
      const tile = createTile(rewriter, operation, loops, offsets, destinations);
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
  rewriter.replaceOperation(operation, nest(0, outputs));
  rewriter.recordReplacement(operation, [tiled!]);
  return { tiled: tiled!, loops: created };
};

/** The tile at the loops' offsets: slices of the operands, the op over them, its results in their places. */
const createTile = (
  rewriter: Rewriter,
  operation: DraftOperation,
  loops: readonly TileLoop[],
  offsets: ReadonlyMap<number, Value>,
  destinations: readonly Value[],
): { readonly operation: DraftOperation; readonly destinations: readonly Value[] } => {
  const { inputs, indexingMaps, loopRanges } = structured(operation);
  const tileRanges = loopRanges.map(
    (extent, dimension) => loops.find((loop) => loop.dimension === dimension)?.size ?? extent,
  );
  const tileOf = (map: AffineMap, value: Value) => tileSlice(rewriter, map, value, tileRanges, offsets);
  const slices = [...inputs, ...destinations].map((value, i) => tileOf(indexingMaps[i]!, value));
  const outputSlices = slices.slice(inputs.length);
  const tile = createGenericLike(rewriter, operation, {
    inputs: slices.slice(0, inputs.length).map(({ value }) => value),
    outputs: outputSlices.map(({ value }) => value),
    indexingMaps: slices.map(({ results }) => makeMap(loopRanges.length, 0, results)),
  });
  rewriter.cloneRegion(operation.regions[0]!, tile.regions[0]!);
  offsetIndices(rewriter, tile, offsets);
  return {
    operation: tile,
    destinations: tile.results.map((result, i) => {
      const { slice } = outputSlices[i]!;
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

interface TileSlice {
  readonly value: Value;
  /** Indices into `value`. */
  readonly results: readonly AffineExpr[];
  /** Undefined where the operand does not depend on a tiled dimension and is taken whole. */
  readonly slice:
    | {
        readonly offsets: readonly MixedIndex[];
        readonly sizes: readonly number[];
        readonly strides: readonly number[];
      }
    | undefined;
}

const tileSlice = (
  rewriter: Rewriter,
  map: AffineMap,
  value: Value,
  tileRanges: readonly number[],
  offsets: ReadonlyMap<number, Value>,
): TileSlice => {
  const dependent = map.results.some((result) => [...offsets.keys()].some((d) => isFunctionOfDim(result, d)));
  if (!dependent) return { value, results: map.results, slice: undefined };
  const { shape, elementType } = value.type as TensorType;
  const box = { dims: tileRanges.map((extent): readonly [number, number] => [0, extent]) };
  const parts = map.results.map((result, i) => {
    if (![...offsets.keys()].some((dimension) => isFunctionOfDim(result, dimension))) {
      return { offset: 0, size: shape[i]!, result };
    }
    const { lo, hi } = range(result, box);
    return {
      offset: offsetOf(rewriter, result.add(lo), tileRanges.length, offsets),
      size: hi - lo,
      result: result.sub(lo),
    };
  });
  const slice = {
    offsets: parts.map(({ offset }) => offset),
    sizes: parts.map(({ size }) => size),
    strides: parts.map(() => 1),
  };
  const { operands, attributes } = sliceArguments(slice);
  const part = rewriter.createValue(
    extractSlice.state({
      operands: { source: value, ...operands },
      attributes,
      resultTypes: [tensorType(slice.sizes, elementType)],
    }),
  );
  return { value: part, results: parts.map(({ result }) => result), slice };
};

/** Where a tile begins in one dimension of an operand: `result` at the loops' offsets, 0 in the other dimensions. */
const offsetOf = (
  rewriter: Rewriter,
  result: AffineExpr,
  rank: number,
  offsets: ReadonlyMap<number, Value>,
): Value => {
  const start = substitute(result, {
    dims: Array.from({ length: rank }, (_, dimension) => (offsets.has(dimension) ? undefined : constant(0))),
  });
  const values = Array.from({ length: rank }, (_, dimension) => offsets.get(dimension));
  // Dimensions without a loop are gone from `start`; any value may stand for them.
  const placeholder = [...offsets.values()][0]!;
  return applyComposed(
    rewriter,
    makeMap(rank, 0, [start]),
    values.map((value) => value ?? placeholder),
  );
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
    const { map } = apply.attributes(application);
    const composed = applyComposed(rewriter, map, application.operands);
    rewriter.replaceOperation(application, [composed]);
  }
  for (const inner of rewriter.walk(operation).toReversed()) {
    if (apply.is(inner) && !rewriter.hasUses(inner.results[0]!)) rewriter.eraseOperation(inner);
  }
};

/** `transform.structured.tile_using_for`, with static sizes. */
export const tileUsingForOp = defineTransformOp({
  name: 'transform.structured.tile_using_for',
  summary: 'Tiles the target with `scf.for` loops.',
  paper: ['ST §5.3, stages 3a and 3b'],
  operands: { target: consumes('generic ops on static tensors') },
  attributes: {
    staticSizes: withDefault(i64ArrayAttribute, []),
    interchange: withDefault(i64ArrayAttribute, []),
  },
  results: {
    tiledLinalgOp: produces('the tiles', 'linalg.generic'),
    loops: producesAll('the loops, outermost first'),
  },
  variadicResults: ({ staticSizes = [] }) => staticSizes.filter((size) => size > 0).length,
  failures: {
    'tile/not-generic': { mode: 'silenceable', when: 'a target is not a linalg.generic' },
    'tile/sizes': { mode: 'silenceable', when: 'there are more sizes than loops, or a negative one' },
    'tile/interchange': { mode: 'silenceable', when: 'the interchange is not a permutation' },
    'tile/dynamic': { mode: 'silenceable', when: 'a target has dynamic sizes or buffers' },
    'tile/remainder': { mode: 'silenceable', when: 'a size does not divide its dimension' },
    'tile/unsound-slice': {
      mode: 'silenceable',
      when: 'an operand is indexed by a floordiv or mod of a tiled dimension',
    },
  },
  assembly: { parse: parseTileUsingFor, print: printTileUsingFor },
  examples: () => tileUsingForExamples,
  apply: ({ rewriter, resultCount, warn }, { target }, { staticSizes, interchange }) => {
    const moved = interchange.some((position, i) => position !== i);
    const tiled = padded(interchange, staticSizes.length).filter(
      (position) => (staticSizes[position] ?? 0) > 0,
    );
    if (moved && tiled.every((position, i) => i === 0 || position > tiled[i - 1]!)) {
      warn(
        'tile/interchange-without-effect',
        `interchange [${interchange.join(', ')}] leaves the tiled dimensions in their order: ` +
          'positions count iteration dimensions, not loops',
      );
    }
    return mapSuccess(
      collect(target, (operation) => tileUsingFor(rewriter, operation, staticSizes, interchange)),
      (tiles) => ({
        tiledLinalgOp: tiles.map(({ tiled }) => tiled),
        loops:
          tiles.length === 0
            ? Array.from({ length: resultCount - 1 }, () => [])
            : tiles[0]!.loops.map((_, depth) => tiles.map(({ loops }) => loops[depth]!)),
      }),
    );
  },
});
