/** The register tiles of a `kernel.contract`: what a plan says, or else what suits the registers. */
import { linearForm } from '@sconv/affine';
import type { AffineMap } from '@sconv/affine';
import type { ContractKernel, ContractSpace } from '@sconv/dialects/kernel';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { MemRefType } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';

/** An index for each dimension; 0 for those that are summed over. */
export type Point = readonly number[];

/** Results along the lanes, from a point on. */
export interface LaneVector {
  readonly at: Point;
  readonly width: number;
  /** How many elements are loaded of the operand that is read in vectors: more than `width` where it is padded. */
  readonly loaded: number;
}

/** Sums that stay in registers together: of each vector with each of the others. */
export interface ContractTile {
  readonly vectors: readonly LaneVector[];
  /** Windows where the lanes are filters, filters where they are windows: each element is broadcast. */
  readonly others: readonly Point[];
}

/** Registers of vectors of so many lanes: for the sums, a step's vectors, and an element that is broadcast. */
export interface LaneRegisters {
  readonly lanes: number;
  readonly registers: number;
}

/** The operand that is read in vectors, and the one whose elements are broadcast: positions in `operands`. */
export const contractRoles = ({
  windows,
  lanes,
}: ContractSpace): readonly [vectors: 0 | 1, broadcast: 0 | 1] => (windows.includes(lanes) ? [0, 1] : [1, 0]);

/** The register tiles, in the order in which they are computed. */
export const contractTiles = (kernel: ContractKernel, unit: LaneRegisters): readonly ContractTile[] => {
  const { space } = kernel;
  const room = roomAlongLanes(kernel);
  const { windows, filters, extents, tiles } = space;
  const count = (dimensions: readonly number[]): number =>
    dimensions.reduce((all, each) => all * extents[each]!, 1);
  const [ofLanes, ofOthers] = contractRoles(space)[0] === 0 ? [windows, filters] : [filters, windows];
  const tileOf = (lanes: Span, others: Span): ContractTile => ({
    vectors: vectorsOf(space, ofLanes, lanes, unit.lanes).map((vector) => ({
      ...vector,
      loaded: Math.max(vector.width, Math.min(unit.lanes, room - vector.at[space.lanes]!)),
    })),
    others: pointsOf(space, ofOthers, others),
  });
  if (tiles !== undefined) {
    return tiles.map(({ firstWindow, windows: width, firstFilter, filters: height }) => {
      const [own, other] = [
        { first: firstWindow, count: width },
        { first: firstFilter, count: height },
      ];
      return ofLanes === windows ? tileOf(own, other) : tileOf(other, own);
    });
  }
  const all = tileOf({ first: 0, count: count(ofLanes) }, { first: 0, count: count(ofOthers) });
  const counts = { vectors: all.vectors.length, others: all.others.length };
  const { vectors, others } = registerSizes(counts, unit.registers);
  return evenly(all.vectors, vectors).flatMap((some) =>
    evenly(all.others, others).map((points) => ({ vectors: some, others: points })),
  );
};

/** How many elements along the lanes the operand has that is read in vectors, if it is padded; else 0. */
const roomAlongLanes = ({ operands, maps, space }: ContractKernel): number => {
  const [vectors] = contractRoles(space);
  const at = maps[vectors].results.findIndex((expr) => expr.kind === 'dim' && expr.position === space.lanes);
  const size = operands[vectors].type.shape[at] ?? 0;
  return size > space.extents[space.lanes]! ? size : 0;
};

interface Span {
  readonly first: number;
  readonly count: number;
}

/** The points of these dimensions, counted row by row. */
const pointsOf = (
  { extents }: ContractSpace,
  dimensions: readonly number[],
  { first, count }: Span,
): Point[] =>
  Array.from({ length: count }, (_, i) => {
    const point = extents.map(() => 0);
    let rest = first + i;
    for (const each of dimensions.toReversed()) {
      point[each] = rest % extents[each]!;
      rest = Math.floor(rest / extents[each]!);
    }
    return point;
  });

/** The same as vectors: a new one begins where a point is not the next along the lanes. */
const vectorsOf = (
  space: ContractSpace,
  dimensions: readonly number[],
  span: Span,
  lanes: number,
): readonly Omit<LaneVector, 'loaded'>[] => {
  const vectors: { at: Point; width: number }[] = [];
  for (const point of pointsOf(space, dimensions, span)) {
    const last = vectors.at(-1);
    const next = last?.at.with(space.lanes, last.at[space.lanes]! + last.width);
    if (last !== undefined && last.width < lanes && next!.every((index, i) => index === point[i]))
      last.width += 1;
    else vectors.push({ at: point, width: 1 });
  }
  return vectors;
};

/** Multiply-adds that hide the latency of one another. */
const pipelined = 8;

/** How many vectors there are, and how many others each of them is multiplied with. */
export interface ContractCounts {
  readonly vectors: number;
  readonly others: number;
}

/**
 * How many vectors and others a register tile has at most, with the fewest multiply-adds and loads for all: what a step
 * of all costs, in multiply-adds, two loads being one.
 */
export const registerSizes = (
  { vectors, others }: ContractCounts,
  registers: number,
): ContractCounts & { readonly cost: number } => {
  let best = { vectors: 1, others: 1, cost: Infinity };
  for (let v = 1; v <= vectors; v += 1)
    for (let o = 1; o <= others && v * o + v + 1 <= registers; o += 1) {
      const passes = Math.ceil(vectors / v) * Math.ceil(others / o);
      const cost = passes * (Math.max(v * o, pipelined) + (v + o) / 2);
      if (cost < best.cost) best = { vectors: v, others: o, cost };
    }
  return best;
};

/** Consecutive parts of a list, of nearly the same length, at most `largest`. */
const evenly = <T>(all: readonly T[], largest: number): readonly (readonly T[])[] => {
  const parts = Math.ceil(all.length / largest);
  const from = (part: number): number => Math.round((part * all.length) / parts);
  return Array.from({ length: parts }, (_, i) => all.slice(from(i), from(i + 1)));
};

/** Distances in a buffer, in elements. */
export interface ContractStrides {
  /** For a step along each dimension. */
  readonly steps: readonly number[];
  /** Of the first element from that of the buffer. */
  readonly first: number;
}

/** The distances of an operand with this map; undefined where the layout has none that are known. */
export const contractStrides = (type: MemRefType, map: AffineMap): ContractStrides | undefined => {
  const strides = stridedLayoutOf(type)?.strides;
  if (strides === undefined) return undefined;
  const steps = new Array<number>(map.numDims).fill(0);
  let first = 0;
  for (const [i, expr] of map.results.entries()) {
    const form = linearForm(expr);
    // The distance within a dimension of one element does not count.
    const stride = type.shape[i] === 1 ? 0 : strides[i]!;
    if (form === undefined || stride === DYNAMIC) return undefined;
    form.dims.forEach((factor, dimension) => (steps[dimension]! += factor * stride));
    first += form.constant * stride;
  }
  return { steps, first };
};
