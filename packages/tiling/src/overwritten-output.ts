/** Whether the iterations of an `scf.forall` overwrite all of a shared output. */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim as dimExpr, evaluate, ifAffine, simplify, substitute, symbol } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { indexNumber, mixedSlice } from '@sconv/dialects';
import * as affine from '@sconv/dialects/affine';
import { forallBounds } from '@sconv/dialects/scf';
import { dim } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { followDefinitions, isShaped } from '@sconv/ir';
import { segmentsOf } from './forall-parts.ts';

/** The most iterations that are looked at one by one. */
const mostIterations = 65_536;

/** A dimension of a slice of tensors that are `alike`, and the loop that it is computed from. */
interface Extent {
  readonly alike: readonly Value[];
  readonly dimension: number;
  readonly offset: MixedIndex;
  readonly size: MixedIndex;
  readonly variable: Value;
  readonly bounds: Bounds;
}

type Bounds = ReturnType<typeof forallBounds>[number];

/**
 * Whether the slices of `insertion`, a `tensor.parallel_insert_slice` of `loop`, are known to cover a tensor: that of
 * any of `alike`, which have the same sizes.
 */
export const overwritesAll = (
  rewriter: Rewriter,
  loop: DraftOperation,
  insertion: DraftOperation,
  alike: readonly Value[],
): boolean => {
  const { offsets, sizes, strides } = mixedSlice(insertion);
  if (strides.some((stride) => stride !== 1)) return false;
  const { variables } = segmentsOf(loop);
  const bounds = forallBounds(loop);
  // 1. Each dimension on its own, by a loop of its own.
  const taken = new Set<number>();
  for (const [dimension, offset] of offsets.entries()) {
    const size = sizes[dimension]!;
    const used = variables.flatMap((variable, i) =>
      [offset, size].some((index) => dependsOn(rewriter, index, variable)) ? [i] : [],
    );
    const [loopOfIt, ...others] = used;
    if (others.length > 0 || used.some((each) => taken.has(each))) return false;
    for (const each of used) taken.add(each);
    if (loopOfIt === undefined) {
      if (indexNumber(rewriter, offset) !== 0 || !isSizeOf(rewriter, size, alike, dimension)) return false;
      continue;
    }
    const loopOf = { variable: variables[loopOfIt]!, bounds: bounds[loopOfIt]! };
    const extent = { alike, dimension, offset, size, ...loopOf };
    if (!inNumbers(rewriter, extent) && !inTiles(rewriter, extent)) return false;
  }
  // 2. The other loops have iterations.
  return bounds.every(({ lower, upper }, i) => {
    const [from, to] = [indexNumber(rewriter, lower), indexNumber(rewriter, upper)];
    return taken.has(i) || (from !== undefined && to !== undefined && from < to);
  });
};

/** Whether an index may be computed from a variable. */
const dependsOn = (rewriter: Rewriter, index: MixedIndex, variable: Value): boolean =>
  typeof index !== 'number' &&
  followDefinitions<boolean>(
    (value, of) => value.id === variable.id || rewriter.definingOperation(value)?.operands.some(of) === true,
    () => true,
  )(index);

/** Whether an index is the size of a dimension of any of these tensors. */
const isSizeOf = (
  rewriter: Rewriter,
  index: MixedIndex,
  alike: readonly Value[],
  dimension: number,
): boolean => {
  const number = indexNumber(rewriter, index);
  if (number !== undefined)
    return alike.some(({ type }) => isShaped(type) && type.shape[dimension] === number);
  const made = typeof index === 'number' ? undefined : rewriter.definingOperation(index);
  if (made === undefined || !dim.is(made)) return false;
  const { source, index: position } = dim.operands(made);
  return alike.some(({ id }) => id === source.id) && indexNumber(rewriter, position) === dimension;
};

/** Whether the parts follow each other from 0 to the end, iteration by iteration: with known numbers. */
const inNumbers = (
  rewriter: Rewriter,
  { alike, dimension, offset, size, variable, bounds }: Extent,
): boolean => {
  const { lower, upper, step } = bounds;
  const [from, to, by] = [lower, upper, step].map((bound) => indexNumber(rewriter, bound));
  const end = alike.flatMap(({ type }) =>
    isShaped(type) && type.shape[dimension]! >= 0 ? [type.shape[dimension]!] : [],
  )[0];
  if (from === undefined || to === undefined || by === undefined || end === undefined || by < 1) return false;
  if ((to - from) / by > mostIterations) return false;
  let covered = 0;
  for (let at = from; at < to; at += by) {
    const [start, count] = [offset, size].map((index) => numberAt(rewriter, index, variable, at));
    if (start === undefined || count === undefined) return false;
    if (start > covered) return false;
    covered = Math.max(covered, start + count);
  }
  return covered >= end;
};

/** The value of an index where a variable is `at`; undefined if it is not known. */
const numberAt = (rewriter: Rewriter, index: MixedIndex, variable: Value, at: number): number | undefined =>
  typeof index === 'number'
    ? index
    : followDefinitions<number | undefined>(
        (value, of) => (value.id === variable.id ? at : numberBy(rewriter, value, of)),
        () => undefined,
      )(index);

/** The value of an index, given those of the operands of its definition. */
const numberBy = (
  rewriter: Rewriter,
  index: Value,
  of: (operand: Value) => number | undefined,
): number | undefined => {
  const known = indexNumber(rewriter, index);
  if (known !== undefined) return known;
  const made = rewriter.definingOperation(index);
  const op = [affine.apply, affine.min, affine.max].find((each) => made !== undefined && each.is(made));
  if (made === undefined || op === undefined) return undefined;
  const operands = made.operands.map(of);
  if (!operands.every((operand) => operand !== undefined)) return undefined;
  const { map } = op.attributes(made);
  const results = ifAffine(() => evaluate(map, operands.slice(0, map.numDims), operands.slice(map.numDims)));
  if (results === undefined) return undefined;
  return op === affine.max ? Math.max(...results) : Math.min(...results);
};

/** Whether the parts are tiles of the step of the loop, from 0 to the size, or what is left of that. */
const inTiles = (
  rewriter: Rewriter,
  { alike, dimension, offset, size, variable, bounds }: Extent,
): boolean => {
  const { lower, upper, step } = bounds;
  const by = indexNumber(rewriter, step);
  const isTiled =
    typeof offset !== 'number' &&
    offset.id === variable.id &&
    indexNumber(rewriter, lower) === 0 &&
    isSizeOf(rewriter, upper, alike, dimension);
  if (!isTiled || by === undefined || by < 1) return false;
  const number = indexNumber(rewriter, size);
  if (number !== undefined) return number >= by;
  const least = typeof size === 'number' ? undefined : rewriter.definingOperation(size);
  if (least === undefined || !affine.min.is(least)) return false;
  // The variable is d0, the size s0.
  const operands = least.operands.map((operand): AffineExpr | undefined => {
    const known = indexNumber(rewriter, operand);
    if (operand.id === variable.id) return dimExpr(0);
    if (isSizeOf(rewriter, operand, alike, dimension)) return symbol(0);
    return known === undefined ? undefined : constant(known);
  });
  if (!operands.every((operand) => operand !== undefined)) return false;
  const { map } = affine.min.attributes(least);
  const [dims, symbols] = [operands.slice(0, map.numDims), operands.slice(map.numDims)];
  return map.results.every((result) => {
    const expr = ifAffine(() => simplify(substitute(result, { dims, symbols })));
    if (expr === undefined) return false;
    const left = simplify(expr.sub(symbol(0)).add(dimExpr(0)));
    return (expr.kind === 'constant' && expr.value >= by) || (left.kind === 'constant' && left.value >= 0);
  });
};
