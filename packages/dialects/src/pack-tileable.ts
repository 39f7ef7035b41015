/**
 * Tiling of `tensor.pack` along its outer dimensions: a tile packs the part of the source that its inner tiles cover.
 */
import { affineMap, identityMap } from '@sconv/affine';
import { success } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { applyFolded, isSymbol } from './affine-application.ts';
import { muli } from './arith-integer.ts';
import { max } from './affine.ts';
import { permuted, tilingOf } from './create-packed.ts';
import { createSizes } from './create-size.ts';
import { maxFolded, minFolded } from './folded-bounds.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { indexNumber, indexValue } from './mixed-values.ts';
import { sameIndex } from './same-index.ts';
import { createSlice } from './structured-tileable.ts';
import { pack } from './tensor-pack.ts';
import type { MixedBox, Tile, Tileable } from './tileable.ts';

const product = affineMap('(d0)[s0] -> (d0 * s0)');
const difference = affineMap('(d0, d1) -> (d0 - d1)');
const both = identityMap(2);

export const packTileable = (operation: DraftOperation): Tileable => {
  const { source, dest } = pack.operands(operation);
  const rank = source.type.shape.length;
  const { innerTiles } = tilingOf(operation);
  return {
    isParallel: source.type.shape.map(() => true),
    domain: (rewriter) => createSizes(rewriter, dest).slice(0, rank),
    destinations: () => [dest],
    check: () => success(undefined),
    tile: (rewriter, box, [destination = dest]) => createPackTile(rewriter, operation, box, destination),
    resultBox: (rewriter, _result, box) => packedBox(rewriter, dest, box),
    boxOfResult: (rewriter, _result, { offsets, sizes }) => {
      // Parts of inner tiles would need other ops.
      const isWhole = innerTiles.every((tile, i) => {
        const [offset, size] = [offsets[rank + i]!, sizes[rank + i]!];
        return indexNumber(rewriter, offset) === 0 && sameIndex(rewriter, tile, size);
      });
      return isWhole ? { offsets: offsets.slice(0, rank), sizes: sizes.slice(0, rank) } : undefined;
    },
  };
};

/** The box of the result: inner tiles are whole. */
const packedBox = (rewriter: Rewriter, dest: Value, { offsets, sizes }: MixedBox): MixedBox => {
  const inner = createSizes(rewriter, dest).slice(offsets.length);
  return { offsets: [...offsets, ...inner.map(() => 0)], sizes: [...sizes, ...inner] };
};

/** `index` times an inner tile. */
export const timesTile = (rewriter: Rewriter, index: MixedIndex, tile: MixedIndex): MixedIndex => {
  if (typeof tile === 'number' || isSymbol(rewriter, tile))
    return applyFolded(rewriter, product, [index, tile]);
  const operands = { lhs: indexValue(rewriter, index), rhs: tile };
  return rewriter.createValue(muli.state({ operands, resultTypes: [indexType] }));
};

/** Whether a size is written as clamped to what is left, as those of threads that get no iterations: it may be 0. */
export const isClamped = (rewriter: Rewriter, size: MixedIndex): boolean => {
  const definition = typeof size === 'number' ? undefined : rewriter.definingOperation(size);
  return definition !== undefined && max.is(definition);
};

/**
 * @deviation The source's part of a tile without elements is empty: upstream's has a negative size if it lies beyond
 * the source.
 */
const createPackTile = (
  rewriter: Rewriter,
  operation: DraftOperation,
  box: MixedBox,
  destination: Value,
): Tile => {
  const { source, paddingValue, innerTiles } = pack.operands(operation);
  const tiling = tilingOf(operation);
  const inverse = tiling.outerDimsPerm.map((_, dimension) => tiling.outerDimsPerm.indexOf(dimension));
  const [outerOffsets, outerSizes] = [permuted(box.offsets, inverse), permuted(box.sizes, inverse)];
  const extents = createSizes(rewriter, source);
  const parts = extents.map(
    (extent, dimension): { readonly offset: MixedIndex; readonly size: MixedIndex } => {
      const position = tiling.innerDimsPos.indexOf(dimension);
      let [offset, size] = [outerOffsets[dimension]!, outerSizes[dimension]!];
      const isEmpty = isClamped(rewriter, size);
      if (position >= 0) {
        const tile = tiling.innerTiles[position]!;
        offset = timesTile(rewriter, offset, tile);
        size = timesTile(rewriter, size, tile);
      }
      if (paddingValue === undefined) return { offset, size };
      // The last inner tile may be partial.
      const rest = applyFolded(rewriter, difference, [extent, offset]);
      size = minFolded(rewriter, both, [size, rest]);
      return { offset, size: isEmpty ? maxFolded(rewriter, both, [0, size]) : size };
    },
  );
  const part = createSlice(rewriter, source, {
    offsets: parts.map(({ offset }) => offset),
    sizes: parts.map(({ size }) => size),
  });
  const dest = createSlice(rewriter, destination, packedBox(rewriter, destination, box));
  const tile = rewriter.create({
    name: operation.name,
    operands: [part, dest, ...(paddingValue === undefined ? [] : [paddingValue]), ...innerTiles],
    resultTypes: [dest.type],
    attributes: operation.attributes,
    location: operation.location,
  });
  return { operation: tile, values: tile.results };
};
