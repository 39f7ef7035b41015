/**
 * Bounds of indices and sizes, by interval analysis of the ops that compute them; upstream uses
 * `ValueBoundsConstraintSet`.
 */
import type { AffineMap, Bounds } from '@sconv/affine';
import {
  constant,
  dim as dimension,
  enclosure,
  ifAffine,
  makeMap,
  simplify,
  symbol,
  writtenLinearForm,
} from '@sconv/affine';
import type { Operation, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, followDefinitions } from '@sconv/ir';
import * as affine from './affine.ts';
import { composeApplication, constantIndexOf } from './composed-apply.ts';
import { boundsOfLoops, boundsOfVariable } from './counted-loops.ts';
import type { BoundsOf } from './interfaces.ts';
import { structured } from './linalg.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedSizes } from './mixed-indices.ts';
import { dim as memrefDim } from './memref.ts';
import type { LoopBounds } from './scf.ts';
import { cast, dim, empty, extractSlice } from './tensor.ts';
import type { Transfer } from './vector-transfer-parts.ts';
import { fitsAlong } from './vector-transfer-parts.ts';

const unbounded: Bounds = [-Infinity, Infinity];

/** The bounds of the results of a map. */
const applied = (map: AffineMap, operands: readonly Value[], of: BoundsOf): readonly Bounds[] => {
  const bounds = operands.map(of);
  const box = { dims: bounds.slice(0, map.numDims), symbols: bounds.slice(map.numDims) };
  return map.results.map((result) => {
    // Not for the variable of a loop without iterations, nor beyond 2^53.
    const known = ifAffine(() => enclosure(result, box));
    return known === undefined ? unbounded : [known.lo, known.hi];
  });
};

const mixedBounds = (index: MixedIndex, of: BoundsOf): Bounds =>
  typeof index === 'number' ? [index, index + 1] : of(index);

/** Asks for the bounds of any index. */
export const boundsIn = (rewriter: Rewriter): BoundsOf =>
  followDefinitions<Bounds>(
    (value, of) => boundsBy(rewriter, value, of),
    () => unbounded,
  );

/** The bounds of a value, given those of the operands of its definition. */
const boundsBy = (rewriter: Rewriter, value: Value, of: BoundsOf): Bounds => {
  const known = constantIndexOf(rewriter, value);
  if (known !== undefined) return [known, known + 1];
  const loop = boundsOfVariable(rewriter, value);
  if (loop !== undefined) return [mixedBounds(loop.lower, of)[0], mixedBounds(loop.upper, of)[1] - 1];
  const definition = rewriter.definingOperation(value);
  if (definition === undefined) return unbounded;
  if (affine.apply.is(definition))
    return applied(affine.apply.attributes(definition).map, definition.operands, of)[0]!;
  if (affine.min.is(definition)) {
    const all = applied(affine.min.attributes(definition).map, definition.operands, of);
    return [Math.min(...all.map(([lo]) => lo)), Math.min(...all.map(([, hi]) => hi))];
  }
  if (affine.max.is(definition)) {
    const all = applied(affine.max.attributes(definition).map, definition.operands, of);
    return [Math.max(...all.map(([lo]) => lo)), Math.max(...all.map(([, hi]) => hi))];
  }
  if (dim.is(definition)) {
    const { source, index } = dim.operands(definition);
    const dimension = constantIndexOf(rewriter, index);
    if (dimension !== undefined && source.type.kind === 'tensor')
      return [0, sizeBy(rewriter, source, dimension, of) + 1];
  }
  return dim.is(definition) || memrefDim.is(definition) ? [0, Infinity] : unbounded;
};

/** The upper bound of an index; infinite if unknown. */
export const valueBound = (rewriter: Rewriter, size: MixedIndex): number => boundBy(size, boundsIn(rewriter));

/** Whether an index may be below 0. */
export const mayBeNegative = (rewriter: Rewriter, index: MixedIndex): boolean =>
  mixedBounds(index, boundsIn(rewriter))[0] < 0;

/**
 * Whether a transfer stays in bounds along dimension `at` of its vector: as it promises, or by the bounds of its
 * index.
 */
export const isInBounds = (rewriter: Rewriter, transfer: Transfer, at: number): boolean => {
  const along = transfer.map.results[at];
  if (transfer.inBounds[at] === true || along?.kind !== 'dim') return true;
  const index = transfer.indices[along.position]!;
  return fitsAlong(transfer, at, affineVariableBounds(rewriter, index) ?? boundsIn(rewriter)(index));
};

/** The bounds of the variable of an `affine.for` with constant bounds; undefined for other values. */
const affineVariableBounds = (rewriter: Rewriter, value: Value): Bounds | undefined => {
  const block = rewriter.owningBlock(value);
  const loop = block?.region.operation;
  if (loop === undefined || !affine.forOp.is(loop) || block?.arguments[0]?.id !== value.id) return undefined;
  const { lowerBoundMap, upperBoundMap, step } = affine.forOp.attributes(loop);
  const [lower, upper] = [lowerBoundMap, upperBoundMap].map(({ results: [only, ...more] }) =>
    more.length === 0 && only?.kind === 'constant' ? only.value : undefined,
  );
  if (lower === undefined || upper === undefined || upper <= lower) return undefined;
  return [lower, lower + step * Math.floor((upper - 1 - lower) / step) + 1];
};

/** Whether a loop over indices runs at least once; false if that is not known. */
export const isNeverEmpty = (rewriter: Rewriter, loop: Operation): boolean => {
  const of = boundsIn(rewriter);
  if (affine.forOp.is(loop)) {
    const { lowerBoundMap, upperBoundMap } = affine.forOp.attributes(loop);
    const { lowerBoundOperands, upperBoundOperands } = affine.forOp.operands(loop);
    const least = applied(upperBoundMap, upperBoundOperands, of).map(([lo]) => lo);
    const greatest = applied(lowerBoundMap, lowerBoundOperands, of).map(([, end]) => end - 1);
    return Math.max(...greatest) < Math.min(...least);
  }
  const bounds = boundsOfLoops(loop);
  return bounds?.every(({ lower, upper }) => boundBy(lower, of) < mixedBounds(upper, of)[0]) === true;
};

/** Whether the upper bound of a loop may be below its lower one, so that their difference is no number of elements. */
export const mayBeReversed = (
  rewriter: Rewriter,
  { lower, upper }: Pick<LoopBounds, 'lower' | 'upper'>,
): boolean => {
  const of = boundsIn(rewriter);
  return mixedBounds(lower, of)[1] - 1 > mixedBounds(upper, of)[0];
};

/** Whether a size may be 0, as that of an empty part: what is left of the range of a loop in its iterations is not. */
export const mayBeZero = (rewriter: Rewriter, size: MixedIndex): boolean => {
  if (typeof size === 'number') return size < 1;
  if (boundsIn(rewriter)(size)[0] >= 1) return false;
  const definition = rewriter.definingOperation(size);
  if (definition === undefined || !(affine.min.is(definition) || affine.apply.is(definition))) return true;
  const { map } = (affine.min.is(definition) ? affine.min : affine.apply).attributes(definition);
  return !map.results.every((_, i) => isPositive(rewriter, map, definition.operands, i));
};

/**
 * Whether a result of a map is at least 1, by its bounds, or as it is what is left of a range: `range - step * i`,
 * where the loop of `i` ends at `range ceildiv step`.
 */
const isPositive = (rewriter: Rewriter, map: AffineMap, operands: readonly Value[], at: number): boolean => {
  const { numDims, numSymbols, results } = map;
  const result = results[at]!;
  const [bounds = unbounded] = applied(makeMap(numDims, numSymbols, [result]), operands, boundsIn(rewriter));
  if (bounds[0] >= 1) return true;
  const form = ifAffine(() => writtenLinearForm(result));
  return operands.some((variable, i) => {
    const step = -((i < numDims ? form?.dims[i] : form?.symbols[i - numDims]) ?? 0);
    const upper = boundsOfVariable(rewriter, variable)?.upper;
    if (step < 1 || upper === undefined) return false;
    const range = result.add((i < numDims ? dimension(i) : symbol(i - numDims)).mul(step));
    const ends = typeof upper === 'number' ? [] : [upper];
    const end = typeof upper === 'number' ? constant(upper) : symbol(numSymbols);
    const beyond = makeMap(numDims, numSymbols + ends.length, [range.ceilDiv(step).sub(end)]);
    const difference = ifAffine(() =>
      simplify(composeApplication(rewriter, beyond, [...operands, ...ends]).map),
    )?.results[0];
    return difference?.kind === 'constant' && difference.value >= 0;
  });
};

const boundBy = (size: MixedIndex, of: BoundsOf): number => mixedBounds(size, of)[1] - 1;

/** The upper bound of a dimension's size; infinite if unknown. */
export const sizeBound = (rewriter: Rewriter, value: Value, dimension: number): number =>
  sizeBy(rewriter, value, dimension, boundsIn(rewriter));

const sizeBy = (rewriter: Rewriter, value: Value, dimension: number, of: BoundsOf): number => {
  const size = value.type.kind === 'tensor' ? value.type.shape[dimension] : undefined;
  if (size !== undefined && size !== DYNAMIC) return size;
  const definition = rewriter.definingOperation(value);
  if (definition === undefined) return Infinity;
  if (extractSlice.is(definition)) {
    const sizes = mixedSizes(definition);
    const rank = value.type.kind === 'tensor' ? value.type.shape.length : 0;
    return sizes.length === rank ? boundBy(sizes[dimension]!, of) : Infinity;
  }
  if (empty.is(definition)) {
    const { shape } = definition.results[0]!.type as { readonly shape: readonly number[] };
    const position = shape.slice(0, dimension).filter((each) => each === DYNAMIC).length;
    return boundBy(definition.operands[position]!, of);
  }
  if (cast.is(definition)) return sizeBy(rewriter, definition.operands[0]!, dimension, of);
  const result = definition.results.findIndex(({ id }) => id === value.id);
  const tied = structured(rewriter.registry, definition)?.outputs[result];
  return tied === undefined ? Infinity : sizeBy(rewriter, tied, dimension, of);
};
