/** The iteration space of a `kernel.contract`, from its maps and the shapes of its operands. */
import type { AffineMap } from '@sconv/affine';
import { ifAffine, usedDims, writtenLinearForm } from '@sconv/affine';
import type { MemRefType } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';
import { touchedRange } from './affine-planning.ts';
import type { KernelTile } from './kernel-tiles.ts';
import { coversOnce, passOf } from './kernel-tiles.ts';

/** The attributes of a `kernel.contract`. */
export interface ContractAttributes {
  /** Of the input, the filters and the output. */
  readonly maps: readonly AffineMap[];
  readonly lanes: number;
  readonly unroll?: readonly number[] | undefined;
  readonly tiles?: readonly number[] | undefined;
}

/** The dimensions of a contraction by what they index. */
export interface ContractSpace {
  /** Of each dimension. */
  readonly extents: readonly number[];
  /** The dimensions of input and output, in their order. */
  readonly windows: readonly number[];
  /** The dimensions of filters and output. */
  readonly filters: readonly number[];
  /** The dimensions that are summed over. */
  readonly reduced: readonly number[];
  /** The dimension of the vectors. */
  readonly lanes: number;
  /** Of each dimension: how many points of it are code of their own. */
  readonly unroll: readonly number[];
  readonly tiles: readonly KernelTile[] | undefined;
}

/** More steps are not unrolled: each is code of its own. */
const maximumUnrolled = 64;

/** The iteration space, or why there is none. */
export const contractSpace = (
  types: readonly MemRefType[],
  { maps, lanes, unroll, tiles }: ContractAttributes,
): ContractSpace | string => {
  const numDims = maps[0]?.numDims ?? 0;
  const fits = (map: AffineMap, i: number): boolean =>
    map.numDims === numDims && map.numSymbols === 0 && map.results.length === types[i]?.shape.length;
  if (maps.length !== 3 || !maps.every(fits)) return 'expects a map for each of the three operands';
  if (!types.every((type) => isStaticShape(type))) return 'expects operands of static sizes';
  const dims = Array.from({ length: numDims }, (_, position) => position);
  // An operand may be padded along the lanes: the output says how many there are.
  const extents = dims.map((position) => {
    const written = position === lanes ? extentOf(types.slice(2), maps.slice(2), position) : 0;
    return written >= 1 ? written : extentOf(types, maps, position);
  });
  if (extents.some((extent) => extent < 1))
    return 'expects dimensions that an operand bounds, none of them empty';
  const isInside = maps.every((map, i) =>
    map.results.every((expr, at) => {
      if (writtenLinearForm(expr) === undefined) return false;
      const touched = ifAffine(() => touchedRange(expr, extents));
      return touched !== undefined && touched.lo >= 0 && touched.hi <= types[i]!.shape[at]!;
    }),
  );
  if (!isInside) return 'expects indices that are linear, and within the operands';
  const used = (operand: number): ReadonlySet<number> => new Set(usedDims(maps[operand]!));
  const [ofInput, ofFilters, ofOutput] = [used(0), used(1), used(2)];
  const isPermuted =
    maps[2]!.results.every(({ kind }) => kind === 'dim') && ofOutput.size === maps[2]!.results.length;
  if (!isPermuted || [...ofOutput].some((each) => ofInput.has(each) === ofFilters.has(each)))
    return 'expects an output indexed by dimensions, each of which one of the operands has';
  const windows = dims.filter((each) => ofOutput.has(each) && ofInput.has(each));
  const filters = dims.filter((each) => ofOutput.has(each) && ofFilters.has(each));
  const reduced = dims.filter((each) => !ofOutput.has(each));
  if (!ofOutput.has(lanes)) return 'expects lanes along a dimension of the output';
  const factors = unroll ?? dims.map(() => 1);
  const isFactor = (factor: number, each: number): boolean =>
    factor >= 1 && extents[each]! % factor === 0 && (factor === 1 || reduced.includes(each));
  if (factors.length !== numDims || !factors.every(isFactor) || product(factors) > maximumUnrolled)
    return `expects factors that divide the dimensions summed over, of up to ${maximumUnrolled} steps`;
  const parts = tiles && byFours(tiles);
  const sizeOf = (positions: readonly number[]): number => product(positions.map((each) => extents[each]!));
  if (parts !== undefined && !coversOnce(parts, { windows: sizeOf(windows), filters: sizeOf(filters) }))
    return 'expects tiles that cover each result once';
  return { extents, windows, filters, reduced, lanes, unroll: factors, tiles: parts?.map(passOf) };
};

/** What is wrong with the maps and attributes of a `kernel.contract`. */
export function* contractProblems(
  types: readonly MemRefType[],
  attributes: ContractAttributes,
): Generator<string> {
  const space = contractSpace(types, attributes);
  if (typeof space === 'string') yield space;
}

/** The size that a dimension alone indexes; 0 if there is none. */
const extentOf = (types: readonly MemRefType[], maps: readonly AffineMap[], position: number): number => {
  for (const [i, map] of maps.entries()) {
    const at = map.results.findIndex((expr) => expr.kind === 'dim' && expr.position === position);
    if (at >= 0) return types[i]!.shape[at]!;
  }
  return 0;
};

/** A list by fours. */
const byFours = (numbers: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(numbers.length / 4) }, (_, i) => numbers.slice(4 * i, 4 * i + 4));

const product = (numbers: readonly number[]): number => numbers.reduce((all, each) => all * each, 1);
