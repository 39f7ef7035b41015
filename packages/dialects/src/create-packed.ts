/** Creates `tensor.pack` and `tensor.unpack`. */
import { constant, dim, makeMap, symbol } from '@sconv/affine';
import type { DraftOperation, Operation, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, indexType } from '@sconv/ir';
import { indexValue } from './mixed-values.ts';
import { applyFolded, isSymbol } from './affine-application.ts';
import { ceildivsi } from './arith-integer.ts';
import { createDim, createDims } from './create-size.ts';
import { createEmpty } from './create-tensor.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedIndices, sliceOperands } from './mixed-indices.ts';
import { pack, unpack } from './tensor-pack.ts';

/** How a tensor is packed: the parameters of `tensor.pack` and `tensor.unpack`. */
export interface PackTiling {
  /** In the order of `innerDimsPos`. */
  readonly innerTiles: readonly MixedIndex[];
  /** The tiled dimensions of the unpacked tensor, in the order of the inner dimensions. */
  readonly innerDimsPos: readonly number[];
  /** The permutation of the outer dimensions; identity if empty. */
  readonly outerDimsPerm: readonly number[];
}

/** The tiling of a `tensor.pack` or a `tensor.unpack`. */
export const tilingOf = (operation: Operation): PackTiling => {
  const definition = pack.is(operation) ? pack : unpack;
  const { innerDimsPos, outerDimsPerm, staticInnerTiles } = definition.attributes(operation);
  const { innerTiles } = definition.operands(operation);
  return { innerTiles: mixedIndices(innerTiles, staticInnerTiles), innerDimsPos, outerDimsPerm };
};

/** `permutation` applied to a list, identity if empty: `[a, b, c]` by `[2, 0, 1]` is `[c, a, b]`. */
export const permuted = <T>(list: readonly T[], permutation: readonly number[]): readonly T[] =>
  permutation.length === 0 ? list : permutation.map((position) => list[position]!);

/** The number of tiles that cover a size; the last may be partial. */
const tileCount = (rewriter: Rewriter, size: MixedIndex, tile: MixedIndex): MixedIndex => {
  if (typeof tile === 'number') return applyFolded(rewriter, makeMap(1, 0, [dim(0).ceilDiv(tile)]), [size]);
  if (!isSymbol(rewriter, tile)) {
    const lhs = indexValue(rewriter, size);
    return rewriter.createValue(ceildivsi.state({ operands: { lhs, rhs: tile }, resultTypes: [indexType] }));
  }
  if (typeof size === 'number')
    return applyFolded(rewriter, makeMap(0, 1, [constant(size).ceilDiv(symbol(0))]), [tile]);
  return isSymbol(rewriter, size)
    ? applyFolded(rewriter, makeMap(0, 2, [symbol(0).ceilDiv(symbol(1))]), [size, tile])
    : applyFolded(rewriter, makeMap(1, 1, [dim(0).ceilDiv(symbol(0))]), [size, tile]);
};

/** An empty tensor for `source` packed. */
export const createPackedDestination = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  { innerTiles, innerDimsPos, outerDimsPerm }: PackTiling,
): Value<TensorType> => {
  const sizes = [...createDims(rewriter, source)];
  innerDimsPos.forEach((position, i) => {
    sizes[position] = tileCount(rewriter, sizes[position]!, innerTiles[i]!);
  });
  return createEmpty(rewriter, [...permuted(sizes, outerDimsPerm), ...innerTiles], source.type.elementType);
};

/** An empty tensor for the unpacked tiles of `source`, all of them full. */
export const createUnpackedDestination = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  { innerTiles, innerDimsPos, outerDimsPerm }: PackTiling,
): Value<TensorType> => {
  const rank = source.type.shape.length - innerTiles.length;
  const outer = source.type.shape
    .slice(0, rank)
    .map((size, i) => (size === DYNAMIC ? createDim(rewriter, source, i) : size));
  const sizes = outer.map((size, i) =>
    outerDimsPerm.length === 0 ? size : outer[outerDimsPerm.indexOf(i)]!,
  );
  innerDimsPos.forEach((position, i) => {
    const size = [sizes[position]!, innerTiles[i]!];
    sizes[position] = applyFolded(rewriter, makeMap(0, 2, [symbol(0).mul(symbol(1))]), size);
  });
  return createEmpty(rewriter, sizes, source.type.elementType);
};

const partsOf = ({ innerTiles, innerDimsPos, outerDimsPerm }: PackTiling) => {
  const tiles = sliceOperands(innerTiles);
  return {
    innerTiles: tiles.dynamic,
    attributes: { innerDimsPos, outerDimsPerm, staticInnerTiles: tiles.static },
  };
};

/** A new `tensor.pack`. */
export const createPack = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  dest: Value<TensorType>,
  tiling: PackTiling,
  paddingValue: Value | undefined,
): DraftOperation => {
  const { innerTiles, attributes } = partsOf(tiling);
  return rewriter.create(
    pack.state({
      operands: { source, dest, paddingValue, innerTiles },
      attributes,
      resultTypes: [dest.type],
    }),
  );
};

/** A new `tensor.unpack`. */
export const createUnpack = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  dest: Value<TensorType>,
  tiling: PackTiling,
): DraftOperation => {
  const { innerTiles, attributes } = partsOf(tiling);
  return rewriter.create(
    unpack.state({ operands: { source, dest, innerTiles }, attributes, resultTypes: [dest.type] }),
  );
};
