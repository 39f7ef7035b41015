/** Upper bounds of sizes, by interval analysis of the ops that compute them; upstream uses `ValueBoundsConstraintSet`. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import * as affine from './affine.ts';
import { constantIndexOf } from './composed-apply.ts';
import { structured } from './linalg.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedSizes } from './mixed-indices.ts';
import { forOp } from './scf.ts';
import { cast, dim, empty, extractSlice } from './tensor.ts';

/** The bounds of a value, inclusive, possibly infinite. */
type Interval = readonly [least: number, greatest: number];

const unbounded: Interval = [-Infinity, Infinity];

/** The interval of `expr`, given those of dimensions and symbols. */
const intervalOf = (expr: AffineExpr, dims: readonly Interval[], symbols: readonly Interval[]): Interval => {
  switch (expr.kind) {
    case 'constant':
      return [expr.value, expr.value];
    case 'dim':
      return dims[expr.position]!;
    case 'symbol':
      return symbols[expr.position]!;
    default: {
      const [a, b] = [intervalOf(expr.lhs, dims, symbols), intervalOf(expr.rhs, dims, symbols)];
      return combined(expr.kind, a, b);
    }
  }
};

const combined = (
  kind: 'add' | 'mul' | 'mod' | 'floordiv' | 'ceildiv',
  [low, high]: Interval,
  [other, otherHigh]: Interval,
): Interval => {
  if (kind === 'add') return [low + other, high + otherHigh];
  // Only constants give a bound.
  if (other !== otherHigh || other === 0) return unbounded;
  const ends = [low, high].map((end) => {
    if (kind === 'mul') return end * other;
    return kind === 'floordiv' ? Math.floor(end / other) : Math.ceil(end / other);
  });
  return kind === 'mod' ? [0, Math.abs(other) - 1] : [Math.min(...ends), Math.max(...ends)];
};

const applied = (rewriter: Rewriter, map: AffineMap, operands: readonly Value[]): readonly Interval[] => {
  const values = operands.map((operand) => valueInterval(rewriter, operand));
  return map.results.map((result) =>
    intervalOf(result, values.slice(0, map.numDims), values.slice(map.numDims)),
  );
};

const valueInterval = (rewriter: Rewriter, value: Value): Interval => {
  const known = constantIndexOf(rewriter, value);
  if (known !== undefined) return [known, known];
  const definition = rewriter.definingOperation(value);
  if (definition === undefined) return ofLoop(rewriter, value);
  if (affine.apply.is(definition))
    return applied(rewriter, affine.apply.attributes(definition).map, definition.operands)[0]!;
  if (affine.min.is(definition)) {
    const all = applied(rewriter, affine.min.attributes(definition).map, definition.operands);
    return [Math.min(...all.map(([low]) => low)), Math.min(...all.map(([, high]) => high))];
  }
  if (affine.max.is(definition)) {
    const all = applied(rewriter, affine.max.attributes(definition).map, definition.operands);
    return [Math.max(...all.map(([low]) => low)), Math.max(...all.map(([, high]) => high))];
  }
  if (dim.is(definition)) {
    const { source, index } = dim.operands(definition);
    const dimension = constantIndexOf(rewriter, index);
    if (dimension !== undefined && source.type.kind === 'tensor')
      return [0, sizeBound(rewriter, source, dimension)];
  }
  return unbounded;
};

/** The interval of an induction variable. */
const ofLoop = (rewriter: Rewriter, value: Value): Interval => {
  const block = rewriter.owningBlock(value);
  const loop = block?.region.operation;
  if (loop === undefined || !forOp.is(loop) || block?.arguments[0]?.id !== value.id) return unbounded;
  const { lowerBound, upperBound } = forOp.operands(loop);
  return [valueInterval(rewriter, lowerBound)[0], valueInterval(rewriter, upperBound)[1] - 1];
};

/** The upper bound of an index; infinite if unknown. */
export const valueBound = (rewriter: Rewriter, size: MixedIndex): number =>
  typeof size === 'number' ? size : valueInterval(rewriter, size)[1];

/** The upper bound of a dimension's size; infinite if unknown. */
export const sizeBound = (rewriter: Rewriter, value: Value, dimension: number): number => {
  const size = value.type.kind === 'tensor' ? value.type.shape[dimension] : undefined;
  if (size !== undefined && size !== DYNAMIC) return size;
  const definition = rewriter.definingOperation(value);
  if (definition === undefined) return Infinity;
  if (extractSlice.is(definition)) {
    const sizes = mixedSizes(definition);
    const rank = value.type.kind === 'tensor' ? value.type.shape.length : 0;
    return sizes.length === rank ? valueBound(rewriter, sizes[dimension]!) : Infinity;
  }
  if (empty.is(definition)) {
    const { shape } = definition.results[0]!.type as { readonly shape: readonly number[] };
    const position = shape.slice(0, dimension).filter((each) => each === DYNAMIC).length;
    return valueBound(rewriter, definition.operands[position]!);
  }
  if (cast.is(definition)) return sizeBound(rewriter, definition.operands[0]!, dimension);
  const result = definition.results.findIndex(({ id }) => id === value.id);
  const tied = structured(rewriter.registry, definition)?.outputs[result];
  return tied === undefined ? Infinity : sizeBound(rewriter, tied, dimension);
};
