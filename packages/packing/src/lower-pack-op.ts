/**
 * Lowers `tensor.pack` and `tensor.unpack` to padding or slicing, reshapes and transpositions (upstream's
 * `lowerPack`).
 */
import { dim, makeMap, symbol } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import {
  applyFolded,
  createCollapse,
  createConstantValue,
  createEmpty,
  createExpand,
  createPad,
  createSize,
  createSizes,
  createTranspose,
  extractSliceState,
  insertSliceState,
  sliceAtOrigin,
  zeroOf,
} from '@sconv/dialects';
import { copy } from '@sconv/dialects/linalg';
import type { MixedIndex } from '@sconv/dialects/tensor';
import { inferCollapsedType, pack, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { builder, tensorType } from '@sconv/ir';
import type { PackTiling } from '@sconv/dialects';
import { permuted, tilingOf } from '@sconv/dialects';

/** The packed dimensions in the order of the unpacked ones, each inner dimension after its outer one. */
interface Unshuffled {
  /** By position: the packed dimension. */
  readonly order: readonly number[];
  /** By unpacked dimension: its one or two positions. */
  readonly groups: readonly (readonly number[])[];
}

const unshuffled = ({ innerDimsPos, outerDimsPerm }: PackTiling, rank: number): Unshuffled => {
  const order: number[] = [];
  const groups = Array.from({ length: rank }, (_, dimension) => {
    const outer = outerDimsPerm.length === 0 ? dimension : outerDimsPerm.indexOf(dimension);
    const inner = innerDimsPos.indexOf(dimension);
    const own = inner < 0 ? [outer] : [outer, rank + inner];
    order.push(...own);
    return own.map((_, i) => order.length - own.length + i);
  });
  return { order, groups };
};

/** Whether there is a single tile, of all dimensions in order: then packing only pads. */
const isOneTile = ({ innerDimsPos }: PackTiling, rank: number, packed: TensorType): boolean =>
  innerDimsPos.length === rank &&
  innerDimsPos.every((position, i) => position === i) &&
  packed.shape.slice(0, rank).every((size) => size === 1);

const inverse = (order: readonly number[]): readonly number[] => order.map((_, i) => order.indexOf(i));

/** The ops that a packing was lowered to; a single-tile packing is only padded and inserted. */
export interface LoweredPack {
  readonly pad: DraftOperation;
  readonly expandShape: DraftOperation | undefined;
  readonly transpose: DraftOperation | undefined;
}

/** Lowers a `tensor.pack` with tiles of static size to a padding, a reshape and a transposition. */
export const lowerPackOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<LoweredPack> => {
  const tiling = pack.is(operation) ? tilingOf(operation) : undefined;
  if (tiling?.innerTiles.every((tile) => typeof tile === 'number') !== true) {
    return silenceableError('lower-pack/dynamic', 'cannot lower to pad + expand + transpose', operation);
  }
  const { source, dest, paddingValue } = pack.operands(operation);
  const { shape, elementType } = source.type;
  const zero = zeroOf(elementType);
  if (paddingValue === undefined && zero === undefined) {
    return silenceableError('lower-pack/element', 'cannot pad elements that are not numbers', operation);
  }
  const { order, groups } = unshuffled(tiling, shape.length);
  const stripped = tensorType(permuted(dest.type.shape, order), elementType);
  rewriter.setInsertionPointBefore(operation);
  const high: MixedIndex[] = shape.map(() => 0);
  tiling.innerDimsPos.forEach((position, i) => {
    const size = createSize(rewriter, source, position);
    const tiles = createSize(rewriter, dest, order[groups[position]![0]!]!);
    high[position] = applyFolded(rewriter, beyond, [tiles, size, tiling.innerTiles[i]!]);
  });
  const value = paddingValue ?? createConstantValue(rewriter, zero!, elementType);
  const padded = createPad(rewriter, source, high, value, inferCollapsedType(stripped, groups).shape);
  const padding = rewriter.definingOperation(padded)!;
  if (isOneTile(tiling, shape.length, dest.type)) {
    const whole = createEmpty(rewriter, dest.type.shape, elementType);
    rewriter.replaceWith(operation, insertSliceState(padded, whole, sliceAtOrigin(dest.type.shape)));
    return success({ pad: padding, expandShape: undefined, transpose: undefined });
  }
  const expanded = createExpand(rewriter, padded, stripped.shape, groups);
  const transposed = createTranspose(rewriter, expanded, dest, inverse(order));
  rewriter.replaceOperation(operation, transposed.results);
  return success({
    pad: padding,
    expandShape: rewriter.definingOperation(expanded)!,
    transpose: transposed,
  });
};

/** How far `d0` tiles of size `s0` exceed a size `d1`. */
const beyond = makeMap(2, 1, [dim(0).mul(symbol(0)).sub(dim(1))]);

/** The ops that an unpacking was lowered to; a single-tile one is only sliced. */
export interface LoweredUnpack {
  readonly empty: DraftOperation | undefined;
  readonly transpose: DraftOperation | undefined;
  readonly collapseShape: DraftOperation | undefined;
  readonly extractSlice: DraftOperation;
}

/** Lowers a `tensor.unpack` to a transposition, a reshape, a slice, and a copy to its destination. */
export const lowerUnpackOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<LoweredUnpack> => {
  if (!unpack.is(operation)) {
    return silenceableError(
      'lower-unpack/target',
      `expected a 'tensor.unpack', got '${operation.name}'`,
      operation,
    );
  }
  const { source, dest } = unpack.operands(operation);
  const tiling = tilingOf(operation);
  const rank = dest.type.shape.length;
  rewriter.setInsertionPointBefore(operation);
  if (isOneTile(tiling, rank, source.type)) {
    const sizes = [...tiling.innerTiles.map(() => 1), ...createSizes(rewriter, dest)];
    const slice = rewriter.create(extractSliceState(source, sliceAtOrigin(sizes), dest.type));
    rewriter.replaceOperation(operation, slice.results);
    return success({
      empty: undefined,
      transpose: undefined,
      collapseShape: undefined,
      extractSlice: slice,
    });
  }
  const { order, groups } = unshuffled(tiling, rank);
  const sizes = permuted(createSizes(rewriter, source), order);
  const empty = createEmpty(rewriter, sizes, source.type.elementType);
  const transposed = createTranspose(rewriter, source, empty, order);
  const collapsed = createCollapse(rewriter, transposed.results[0]! as Value<TensorType>, groups);
  const slice = rewriter.create(
    extractSliceState(collapsed, sliceAtOrigin(createSizes(rewriter, dest)), dest.type),
  );
  const [copied] = builder(rewriter)(copy, { inputs: [slice.results[0]!], outputs: [dest] });
  rewriter.replaceOperation(operation, [copied!]);
  return success({
    empty: rewriter.definingOperation(empty)!,
    transpose: transposed,
    collapseShape: rewriter.definingOperation(collapsed)!,
    extractSlice: slice,
  });
};
