/** Bounds of indices and sizes, by interval analysis of the ops that compute them; upstream uses `ValueBoundsConstraintSet`. */
import type { AffineMap, Bounds } from '@sconv/affine';
import { enclosure, ifAffine } from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, followDefinitions } from '@sconv/ir';
import * as affine from './affine.ts';
import { constantIndexOf } from './composed-apply.ts';
import { loopOfVariable } from './counted-loops.ts';
import { structured } from './linalg.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedSizes } from './mixed-indices.ts';
import { dim as memrefDim } from './memref.ts';
import type { LoopBounds } from './scf.ts';
import { forBounds } from './scf.ts';
import { cast, dim, empty, extractSlice } from './tensor.ts';

const unbounded: Bounds = [-Infinity, Infinity];

type BoundsOf = (value: Value) => Bounds;

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

const boundsIn = (rewriter: Rewriter): BoundsOf =>
  followDefinitions<Bounds>(
    (value, of) => boundsBy(rewriter, value, of),
    () => unbounded,
  );

/** The bounds of a value, given those of the operands of its definition. */
const boundsBy = (rewriter: Rewriter, value: Value, of: BoundsOf): Bounds => {
  const known = constantIndexOf(rewriter, value);
  if (known !== undefined) return [known, known + 1];
  const loop = loopOfVariable(rewriter, value);
  if (loop !== undefined) {
    const { lower, upper } = forBounds(loop);
    return [of(lower)[0], of(upper)[1] - 1];
  }
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

/** Whether the upper bound of a loop may be below its lower one, so that their difference is no number of elements. */
export const mayBeReversed = (
  rewriter: Rewriter,
  { lower, upper }: Pick<LoopBounds, 'lower' | 'upper'>,
): boolean => {
  const of = boundsIn(rewriter);
  const boundsOf = (index: MixedIndex): Bounds =>
    typeof index === 'number' ? [index, index + 1] : of(index);
  return boundsOf(lower)[1] - 1 > boundsOf(upper)[0];
};

const boundBy = (size: MixedIndex, of: BoundsOf): number =>
  typeof size === 'number' ? size : of(size)[1] - 1;

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
