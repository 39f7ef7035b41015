/**
 * How a packed operand packs the iteration domain of a structured op, and how the op's other operands are packed with
 * it (upstream's `DataLayoutPropagation`).
 *
 *     operand (d0, d1), outer_dims_perm = [1, 0], inner_dims_pos = [0], inner_tiles = [8]
 *     → domain (d1, d0 / 8, d0 mod 8); another operand (d0) becomes (d1, d2) of it, packed by 8 as well
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, isFunctionOfDim, makeMap, substitute } from '@sconv/affine';
import type { MixedIndex, PackTiling } from '@sconv/dialects';
import { permuted } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';

/** A tiled dimension of the iteration domain. */
interface TiledDimension {
  readonly dimension: number;
  /** Its inner dimension, behind all others. */
  readonly inner: number;
  readonly size: MixedIndex;
}

/** A packed iteration domain: the dimensions of the op in another order, then those within tiles. */
export interface PackedDomain {
  /** The number of dimensions before packing. */
  readonly rank: number;
  readonly tiled: readonly TiledDimension[];
  /** By new dimension: the one that it was; the same ones if empty. */
  readonly order: readonly number[];
}

/** How an operand is read in the packed domain. */
export interface PackedOperand {
  /** How it is packed; undefined if it stays as it is. */
  readonly tiling: PackTiling | undefined;
  readonly map: AffineMap;
}

const positionsOf = ({ results }: AffineMap): readonly (number | undefined)[] =>
  results.map((result) => (result.kind === 'dim' ? result.position : undefined));

const hasRepeated = (list: readonly unknown[]): boolean => new Set(list).size !== list.length;

/**
 * The domain of an op of which operand `position` is packed by `tiling`; undefined if there is none: a tiled dimension
 * is none of those that `mayTile` allows, or part of a compound index, or the outer permutation moves such an index.
 *
 * @deviation Not if an operand is indexed by a tiled dimension twice, of which upstream packs one only.
 */
export const packedDomain = (
  { indexingMaps, iteratorTypes }: StructuredOp,
  position: number,
  { innerTiles, innerDimsPos, outerDimsPerm }: PackTiling,
  mayTile: (dimension: number) => boolean = (dimension) => iteratorTypes[dimension] === 'parallel',
): PackedDomain | undefined => {
  const rank = iteratorTypes.length;
  const own = positionsOf(indexingMaps[position]!);
  const dimensions = innerDimsPos.map((each) => own[each]);
  if (hasRepeated(dimensions)) return undefined;
  const tiled: TiledDimension[] = [];
  for (const [i, dimension] of dimensions.entries()) {
    if (dimension === undefined || !mayTile(dimension)) return undefined;
    if (!indexingMaps.every((map) => isAloneIn(map, dimension))) return undefined;
    tiled.push({ dimension, inner: rank + i, size: innerTiles[i]! });
  }
  const moved: number[] = [];
  for (const [i, from] of outerDimsPerm.entries()) {
    const dimension = own[from];
    if (dimension !== undefined) moved.push(dimension);
    else if (from !== i) return undefined;
  }
  if (hasRepeated(moved)) return undefined;
  let next = 0;
  const order =
    moved.length === 0
      ? []
      : iteratorTypes.map((_, dimension) => (moved.includes(dimension) ? moved[next++]! : dimension));
  return { rank, tiled, order };
};

/** Whether a dimension is at most one index of a map, and part of no other. */
const isAloneIn = ({ results }: AffineMap, dimension: number): boolean => {
  const uses = results.filter((result) => isFunctionOfDim(result, dimension));
  return uses.length <= 1 && uses.every(({ kind }) => kind === 'dim');
};

/** How an operand with this map is read in the packed domain. */
export const packedOperand = ({ rank, tiled, order }: PackedDomain, map: AffineMap): PackedOperand => {
  const positions = positionsOf(map);
  const own = tiled.filter(({ dimension }) => positions.includes(dimension));
  const outer = order.length === 0 ? map.results : renamed(map, order);
  const outerDimsPerm = outerPermutation(order, positions, own.length);
  const tiling: PackTiling = {
    innerTiles: own.map(({ size }) => size),
    innerDimsPos: own.map(({ dimension }) => positions.indexOf(dimension)),
    outerDimsPerm,
  };
  const results = [...permuted(outer, outerDimsPerm), ...own.map(({ inner }) => dim(inner))];
  return {
    tiling: own.length === 0 && outerDimsPerm.length === 0 ? undefined : tiling,
    map: makeMap(rank + tiled.length, 0, results),
  };
};

/**
 * The indices of a map in the order of the packed domain.
 *
 * @deviation Compound indices are renamed, too: upstream leaves them in the old order.
 */
const renamed = (map: AffineMap, order: readonly number[]): readonly AffineExpr[] =>
  substitute(map, { dims: order.map((_, dimension) => dim(order.indexOf(dimension))) }).results;

/**
 * The permutation that gives an operand's outer dimensions the order of the domain, as upstream chooses it: empty for
 * an operand of one dimension.
 *
 * @deviation Empty as well where upstream's is no permutation, since an index is constant or compound.
 */
const outerPermutation = (
  order: readonly number[],
  positions: readonly (number | undefined)[],
  inner: number,
): readonly number[] => {
  if (order.length === 0 || positions.length === 0 || positions.length + inner === 1) return [];
  const places = new Map(positions.map((dimension, place) => [dimension ?? place, place]));
  const permutation = order.flatMap((dimension) => places.get(dimension) ?? []);
  return permutation.length === positions.length && !hasRepeated(permutation) ? permutation : [];
};
