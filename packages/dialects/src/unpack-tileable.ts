/**
 * Tiling of `tensor.unpack` along the dimensions of its result. A tile that consists of whole inner tiles unpacks
 * these in place. Any other unpacks all inner tiles that it touches into a new tensor, of which it is a slice.
 */
import { affineMap, identityMap } from '@sconv/affine';
import { success } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { applyFolded, isSymbol } from './affine-application.ts';
import { divui, muli, remui } from './arith-integer.ts';
import { permuted, tilingOf } from './create-packed.ts';
import { createSizes } from './create-size.ts';
import { createEmpty } from './create-tensor.ts';
import { minFolded } from './folded-bounds.ts';
import { valueBound } from './index-bounds.ts';
import { divisorOf } from './index-divisor.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { indexNumber, indexValue } from './mixed-values.ts';
import { isClamped } from './pack-tileable.ts';
import { createSlice } from './structured-tileable.ts';
import { unpack } from './tensor-pack.ts';
import type { MixedBox, Tile, Tileable } from './tileable.ts';

const quotient = affineMap('(d0)[s0] -> (d0 floordiv s0)');
const remainder = affineMap('(d0)[s0] -> (d0 mod s0)');
const roundedUp = affineMap('(d0)[s0] -> (d0 ceildiv s0)');
const sum = affineMap('(d0, d1) -> (d0 + d1)');
const previous = affineMap('(d0) -> (d0 - 1)');
const difference = affineMap('(d0, d1) -> (d0 - d1)');
const next = affineMap('(d0) -> (d0 + 1)');
const both = identityMap(2);

export const unpackTileable = (operation: DraftOperation): Tileable => {
  const { dest } = unpack.operands(operation);
  return {
    isParallel: dest.type.shape.map(() => true),
    domain: (rewriter) => createSizes(rewriter, dest),
    destinations: () => [dest],
    check: () => success(undefined),
    tile: (rewriter, box, [destination = dest]) => createUnpackTile(rewriter, operation, box, destination),
    resultBox: (_rewriter, _result, box) => box,
    boxOfResult: (_rewriter, _result, box) => box,
  };
};

/** One dimension of a tile. */
interface UnpackTilePart {
  /** Whether the tile begins with an inner tile. */
  readonly isAligned: boolean;
  /** The inner tiles that it touches. */
  readonly offset: MixedIndex;
  readonly size: MixedIndex;
  /** Where it begins in them, and how many elements they have. */
  readonly start: MixedIndex;
  readonly expanded: MixedIndex;
}

/**
 * @deviation Upstream takes a tile for aligned if its size is a multiple of the inner tile's. A slice that a consumer
 * reads need not begin with an inner tile for all that; here the offset has to be a multiple too. And a tile without
 * elements touches no inner tile: upstream's may read one beyond the end.
 */
const partOf = (
  rewriter: Rewriter,
  offset: MixedIndex,
  size: MixedIndex,
  inner: MixedIndex | undefined,
): UnpackTilePart => {
  if (inner === undefined) return { isAligned: true, offset, size, start: 0, expanded: size };
  const known = indexNumber(rewriter, inner);
  const bound = indexNumber(rewriter, size) ?? valueBound(rewriter, size);
  const isMultiple = (number: number): boolean => known !== undefined && number % known === 0;
  if (isMultiple(bound) && isMultiple(divisorOf(rewriter, offset))) {
    const first = applyFolded(rewriter, quotient, [offset, inner]);
    const count = bound === known ? 1 : applyFolded(rewriter, roundedUp, [size, inner]);
    return { isAligned: true, offset: first, size: count, start: 0, expanded: size };
  }
  const first = divided(rewriter, offset, inner);
  const end = applyFolded(rewriter, sum, [offset, size]);
  const last = divided(rewriter, applyFolded(rewriter, previous, [end]), inner);
  const distance = applyFolded(rewriter, difference, [last.quotient, first.quotient]);
  const touched = applyFolded(rewriter, next, [distance]);
  const count = isClamped(rewriter, size) ? minFolded(rewriter, both, [touched, size]) : touched;
  return {
    isAligned: false,
    offset: first.quotient,
    size: count,
    start: first.remainder,
    expanded: multiplied(rewriter, count, inner),
  };
};

/** The inner tile of an element, and its position in it. */
const divided = (
  rewriter: Rewriter,
  index: MixedIndex,
  inner: MixedIndex,
): { readonly quotient: MixedIndex; readonly remainder: MixedIndex } => {
  const rhs = indexValue(rewriter, inner);
  if (isSymbol(rewriter, rhs)) {
    return {
      quotient: applyFolded(rewriter, quotient, [index, rhs]),
      remainder: applyFolded(rewriter, remainder, [index, rhs]),
    };
  }
  const operands = { lhs: indexValue(rewriter, index), rhs };
  return {
    quotient: rewriter.createValue(divui.state({ operands, resultTypes: [indexType] })),
    remainder: rewriter.createValue(remui.state({ operands, resultTypes: [indexType] })),
  };
};

/** As upstream, no affine op: this one would not simplify. */
const multiplied = (rewriter: Rewriter, count: MixedIndex, inner: MixedIndex): MixedIndex => {
  const [a, b] = [indexNumber(rewriter, count), indexNumber(rewriter, inner)];
  if (a !== undefined && b !== undefined) return a * b;
  const operands = { lhs: indexValue(rewriter, count), rhs: indexValue(rewriter, inner) };
  return rewriter.createValue(muli.state({ operands, resultTypes: [indexType] }));
};

const createUnpackTile = (
  rewriter: Rewriter,
  operation: DraftOperation,
  box: MixedBox,
  destination: Value,
): Tile => {
  const { source, dest, innerTiles } = unpack.operands(operation);
  const tiling = tilingOf(operation);
  const parts = box.offsets.map((offset, dimension) =>
    partOf(
      rewriter,
      offset,
      box.sizes[dimension]!,
      tiling.innerTiles[tiling.innerDimsPos.indexOf(dimension)],
    ),
  );
  const outer = permuted(parts, tiling.outerDimsPerm);
  const slice = createSlice(rewriter, source, {
    offsets: [...outer.map(({ offset }) => offset), ...tiling.innerTiles.map(() => 0)],
    sizes: [...outer.map(({ size }) => size), ...tiling.innerTiles],
  });
  const isAligned = parts.every((part) => part.isAligned);
  const target = isAligned
    ? createSlice(rewriter, destination, box)
    : createEmpty(
        rewriter,
        parts.map(({ expanded }) => expanded),
        dest.type.elementType,
      );
  const tile = rewriter.create({
    name: operation.name,
    operands: [slice, target, ...innerTiles],
    resultTypes: [target.type],
    attributes: operation.attributes,
    location: operation.location,
  });
  const offsets = parts.map(({ start }) => start);
  const value = isAligned
    ? tile.results[0]!
    : createSlice(rewriter, tile.results[0]!, { offsets, sizes: box.sizes });
  return { operation: tile, values: [value] };
};
