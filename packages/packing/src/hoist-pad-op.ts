/**
 * Hoists a `tensor.pad` out of `scf.for` loops (upstream's `hoistPaddingOnTensors`): loops before them pack all of its
 * tiles into one tensor, optionally transposed, and the padding becomes a slice of that.
 */
import { dim, identityMap, makeMap, symbol } from '@sconv/affine';
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { andThen, success } from '@sconv/diagnostics';
import type { MixedIndex, MixedSlice } from '@sconv/dialects';
import {
  applyFolded,
  constantIndexOf,
  createEmpty,
  extractSliceState,
  indexValue,
  insertSliceState,
  mayBeReversed,
  permuted,
  unitStrideSlice,
  valueBound,
} from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { maxsi } from '@sconv/dialects/arith';
import { generic, yieldOp as linalgYield } from '@sconv/dialects/linalg';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { pad } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, builder, indexType, tensorType } from '@sconv/ir';
import { carryPadded } from './carry-padded.ts';
import type { HoistablePad } from './hoistable-pad.ts';
import { hoistablePad, loopsAround, notHoisted } from './hoistable-pad.ts';

/** Loops that pack all tiles of a padding. */
export interface PackingNest {
  /** Outermost first. */
  readonly loops: readonly DraftOperation[];
  /** The padding in them. */
  readonly pad: DraftOperation;
  /** All tiles, one dimension per loop before those of a tile. */
  readonly packed: Value<TensorType>;
}

/** Why an operation is no padding that `transposition` fits; undefined if it is one. */
const checkPad = (operation: DraftOperation, transposition: readonly number[]): Failed | undefined => {
  if (!pad.is(operation)) return notHoisted('hoist-pad/target', operation, "the op is not a 'tensor.pad'");
  const rank = pad.results(operation).result.type.shape.length;
  if (transposition.length === 0 || transposition.length === rank) return undefined;
  const reason = `[${transposition.join(', ')}] does not permute ${rank} dimensions`;
  return notHoisted('hoist-pad/transpose', operation, reason);
};

/**
 * Hoists a padding out of the `count` loops around it; `transposition` permutes the dimensions of the packed tiles.
 * Returns the hoisted padding.
 *
 * @deviation Upstream transposes back by the same permutation, which is wrong for a cycle, and slices what a loop
 * carries where the slice was in the whole tensor; see `carryPadded` for the latter.
 */
export const hoistPadOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  count: number,
  transposition: readonly number[] = [],
): Diagnosed<DraftOperation> => {
  const wrong = checkPad(operation, transposition);
  if (wrong !== undefined) return wrong;
  const loops = loopsAround(operation, count);
  if (loops.length === 0)
    return notHoisted('hoist-pad/no-loop', operation, 'no loop is immediately around it');
  return andThen(hoistablePad(rewriter, operation, loops), (hoistable) => {
    const { carrier, packingLoops } = hoistable;
    if (carrier !== undefined && packingLoops.length > 0)
      return notHoisted('hoist-pad/source', operation, 'a loop carries the slice, and others change it');
    return andThen(createPackingNest(rewriter, hoistable, transposition), (nest) => {
      if (carrier !== undefined) {
        return carryPadded(rewriter, hoistable, carrier, nest.pad.results[0]!)
          ? success(nest.pad)
          : notHoisted(
              'hoist-pad/source',
              operation,
              'the loop that carries its source does not yield a slice of what is padded',
            );
      }
      rewriter.setInsertionPointBefore(operation);
      const value = readTile(rewriter, hoistable, nest, transposition);
      rewriter.replaceOperation(operation, [value], [nest.pad]);
      return success(nest.pad);
    });
  });
};

/** Creates the loops that pack all tiles of a padding before `loop`, which is around it, and keeps the padding. */
export const buildPackingLoopNest = (
  rewriter: Rewriter,
  operation: DraftOperation,
  loop: DraftOperation,
  transposition: readonly number[] = [],
): Diagnosed<PackingNest> => {
  const wrong = checkPad(operation, transposition);
  if (wrong !== undefined) return wrong;
  const around = loopsAround(operation, Infinity);
  const loops = around.slice(0, around.indexOf(loop) + 1);
  if (loops.length === 0) return notHoisted('hoist-pad/no-loop', operation, 'it is not in the given loop');
  return andThen(hoistablePad(rewriter, operation, loops), (hoistable) =>
    createPackingNest(rewriter, hoistable, transposition),
  );
};

const createPackingNest = (
  rewriter: Rewriter,
  hoistable: HoistablePad,
  transposition: readonly number[],
): Diagnosed<PackingNest> => {
  const { pad: operation, outermost, packingLoops } = hoistable;
  const { shape, elementType } = operation.results[0]!.type as TensorType;
  rewriter.setInsertionPointBefore(outermost);
  const counts: Value[] = [];
  for (const loop of packingLoops) {
    const count = greatestCount(rewriter, loop, outermost);
    if (count === undefined)
      return notHoisted('hoist-pad/bounds', operation, 'an upper bound in the loops has no bound itself');
    counts.push(count);
  }
  const empty = createEmpty(rewriter, [...counts, ...permuted(shape, transposition)], elementType);
  return success(copyIntoLoops(rewriter, hoistable, transposition, empty));
};

const tripCount = makeMap(2, 1, [dim(1).sub(dim(0)).ceilDiv(symbol(0))]);

/**
 * An upper bound of how often a loop iterates, known before `outermost`.
 *
 * @deviation Upstream's is negative for a loop whose upper bound is below its lower one.
 */
const greatestCount = (
  rewriter: Rewriter,
  loop: DraftOperation,
  outermost: DraftOperation,
): Value | undefined => {
  const [lower, upper, step] = loop.operands.map(
    (bound): MixedIndex => constantIndexOf(rewriter, bound) ?? bound,
  ) as [MixedIndex, MixedIndex, MixedIndex];
  const bound = valueBound(rewriter, upper);
  const isKnown = Number.isFinite(bound);
  if (!isKnown && typeof upper !== 'number' && !rewriter.isDefinedOutside(upper, outermost)) return undefined;
  const end = notBefore(rewriter, lower, isKnown ? bound : upper);
  return indexValue(rewriter, applyFolded(rewriter, tripCount, [lower, end, step]));
};

/**
 * The upper bound of a loop, or its lower one if that is greater: then it has no iterations, and not less than that.
 */
const notBefore = (rewriter: Rewriter, lower: MixedIndex, upper: MixedIndex): MixedIndex => {
  if (typeof lower === 'number' && typeof upper === 'number') return Math.max(lower, upper);
  if (!mayBeReversed(rewriter, { lower, upper })) return upper;
  const [lhs, rhs] = [lower, upper].map((bound) => indexValue(rewriter, bound)) as [Value, Value];
  return builder(rewriter)(maxsi, { lhs, rhs });
};

/** Copies what computes the padding, with its loops, and inserts each tile into `empty`. */
const copyIntoLoops = (
  rewriter: Rewriter,
  { pad: operation, slice, operations, carrier }: HoistablePad,
  transposition: readonly number[],
  empty: Value<TensorType>,
): PackingNest => {
  const { shape } = operation.results[0]!.type as TensorType;
  const tile = permuted(shape, transposition);
  const copies = new Map<number, Value>();
  if (carrier !== undefined) copies.set(operation.operands[0]!.id, slice.results[0]!);
  const copyOf = (value: Value): Value => copies.get(value.id) ?? value;
  const loops: DraftOperation[] = [];
  const indices: Value[] = [];
  const build = (at: Rewriter, from: number, carried: Value): Value => {
    const next = operations.findIndex((each, i) => i >= from && forOp.is(each));
    for (const each of operations.slice(from, next < 0 ? undefined : next)) at.clone(each, copies);
    const loop = operations[next];
    if (loop === undefined) return insertTile(at, copyOf(operation.results[0]!), carried);
    const [lowerBound, upperBound, step] = loop.operands.slice(0, 3).map(copyOf) as [Value, Value, Value];
    const depth = loops.length;
    const copy = at.create(
      forOp.state<Rewriter>({
        operands: { lowerBound, upperBound, step, initArgs: [carried] },
        resultTypes: [carried.type],
        location: operation.location,
        bodies: [
          {
            argumentTypes: [indexType, carried.type],
            build: (inner, variable, ...[inside]) => {
              copies.set(bodyOf(loop).arguments[0]!.id, variable);
              indices.push(iterationOf(inner, variable, lowerBound, step));
              const results = [build(inner, next + 1, inside!)];
              inner.create(yieldOp.state({ operands: { results } }));
            },
          },
        ],
      }),
    );
    loops.splice(depth, 0, copy);
    return copy.results[0]!;
  };
  const insertTile = (at: Rewriter, padded: Value, carried: Value): Value => {
    const position = tileSlice(indices, tile);
    let source = padded;
    if (transposition.length > 0) {
      const part = sliceOf(at, carried as Value<TensorType>, position, tile);
      source = transposed(at, padded as Value<TensorType>, part, transposition);
    }
    if (indices.length === 0) return source;
    return at.createValue(insertSliceState(source, carried, position));
  };
  const packed = build(rewriter, 0, empty) as Value<TensorType>;
  const pad = rewriter.definingOperation(copyOf(operation.results[0]!))!;
  return { loops, pad, packed };
};

const iteration = makeMap(2, 1, [dim(0).sub(dim(1)).ceilDiv(symbol(0))]);

/** The number of the current iteration. As upstream's, the op does not fold bounds into its map. */
const iterationOf = (rewriter: Rewriter, variable: Value, lowerBound: Value, step: Value): Value =>
  rewriter.createValue(
    apply.state({
      operands: { mapOperands: [variable, lowerBound, step] },
      attributes: { map: iteration },
      resultTypes: [indexType],
    }),
  );

/** Where a tile is in the packed tensor. */
const tileSlice = (indices: readonly Value[], tile: readonly number[]): MixedSlice =>
  unitStrideSlice({
    offsets: [...indices, ...tile.map(() => 0)],
    sizes: [...indices.map(() => 1), ...tile],
  });

const sliceOf = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  slice: MixedSlice,
  shape: readonly number[],
): Value<TensorType> => {
  const type = tensorType(shape, source.type.elementType);
  return rewriter.createValue(extractSliceState(source, slice, type)) as Value<TensorType>;
};

/** `input` with its dimensions permuted: dimension `i` is dimension `permutation[i]` of the input. */
const transposed = (
  rewriter: Rewriter,
  input: Value<TensorType>,
  output: Value<TensorType>,
  permutation: readonly number[],
): Value<TensorType> => {
  const rank = permutation.length;
  const from = permutation.map((_, position) => dim(permutation.indexOf(position)));
  const type = input.type.elementType;
  return rewriter.createValue(
    generic.state<Rewriter>({
      operands: { inputs: [input], outputs: [output] },
      attributes: {
        indexingMaps: [makeMap(rank, 0, from), identityMap(rank)],
        iteratorTypes: permutation.map(() => 'parallel' as const),
      },
      resultTypes: [output.type],
      bodies: [
        {
          argumentTypes: [type, type],
          build: (body, element) => {
            body.create(linalgYield.state({ operands: { values: [element] } }));
          },
        },
      ],
    }),
  ) as Value<TensorType>;
};

/** The tile of the current iterations, in place of the padding. */
const readTile = (
  rewriter: Rewriter,
  { pad: operation, packingLoops }: HoistablePad,
  { packed }: PackingNest,
  transposition: readonly number[],
): Value => {
  const { shape, elementType } = operation.results[0]!.type as TensorType;
  const tile = permuted(shape, transposition);
  const indices = packingLoops.map((loop) => {
    const { lowerBound, step } = forOp.operands(loop);
    return iterationOf(rewriter, bodyOf(loop).arguments[0]!, lowerBound, step);
  });
  const part = sliceOf(rewriter, packed, tileSlice(indices, tile), tile);
  if (transposition.length === 0) return part;
  const inverse = transposition.map((_, position) => transposition.indexOf(position));
  return transposed(rewriter, part, createEmpty(rewriter, shape, elementType), inverse);
};
