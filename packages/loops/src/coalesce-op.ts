/** Coalesces a perfect loop nest: upstream's `coalescePerfectlyNestedSCFForLoops`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { indexNumber, mayBeReversed } from '@sconv/dialects';
import { addi, ceildivsi, divsi, maxsi, muli, remsi, subi } from '@sconv/dialects/arith';
import type { LoopBounds } from '@sconv/dialects/scf';
import { forBounds, forOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, builder, printType, terminatorOf, typeEquals } from '@sconv/ir';
import { createInteger, integerOf } from './constant-bounds.ts';

/**
 * Turns each band of a perfect `scf.for` nest into one loop: loops whose bounds are defined outside the band and that
 * pass their iter args on unchanged. Returns the loop.
 *
 * @deviation Loops that count in different types are not coalesced, nor those whose iterations may be more than their
 * type counts, and a loop whose upper bound is below the lower one has no iterations: upstream multiplies the counts
 * as they are, which is invalid IR, a product that wraps, or one above 0. Nor is an iter arg passed on if the inner
 * loop uses it, too, in each of its iterations: upstream gives it the value of the previous iteration of the inner
 * loop.
 */
export const coalesceOp = (rewriter: Rewriter, loop: DraftOperation): Diagnosed<DraftOperation> => {
  const loops = forOp.is(loop) ? perfectNest(loop) : [];
  // Per loop, the outermost loop that its bounds are defined outside of.
  const outermost = loops.map((inner, i) => {
    const found = loops
      .slice(0, i)
      .findIndex((outer) =>
        inner.operands.slice(0, 3).every((bound) => rewriter.isDefinedOutside(bound, outer)),
      );
    return found < 0 ? i : found;
  });
  // Per loop, the first of the chain of loops that pass on their iter args and count in one type.
  const chainStart: number[] = [];
  loops.forEach((inner, i) => {
    const outer = loops[i - 1];
    const isLinked = outer !== undefined && handsOn(rewriter, outer, inner) && countAlike(outer, inner);
    chainStart.push(isLinked ? chainStart[i - 1]! : i);
  });
  let isChanged = false;
  const uncountable: DraftOperation[] = [];
  // From the innermost band outwards.
  for (let end = loops.length; end > 1; end--) {
    const start = loops.findIndex((_, at) => {
      if (at >= end - 1 || Math.max(...outermost.slice(at, end)) > at || chainStart[end - 1]! > at)
        return false;
      const fits = isCountable(rewriter, loops.slice(at, end));
      if (!fits) uncountable.push(loops[at]!);
      return fits;
    });
    if (start < 0) continue;
    coalesceBand(rewriter, loops.slice(start, end));
    isChanged = true;
    end = start + 1;
  }
  if (isChanged) return success(loop);
  const [first] = uncountable;
  if (first === undefined) return silenceableError('coalesce/failed', 'failed to coalesce', loop);
  const type = printType(forBounds(first).upper.type);
  return silenceableError('coalesce/overflow', `the iterations may be more than ${type} counts`, loop);
};

/** A loop, and the loops perfectly nested in it. */
const perfectNest = (loop: DraftOperation): readonly DraftOperation[] => {
  const { operations } = bodyOf(loop);
  const [inner] = operations;
  return operations.length === 2 && inner !== undefined && forOp.is(inner)
    ? [loop, ...perfectNest(inner)]
    : [loop];
};

const sameValues = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every(({ id }, i) => id === b[i]!.id);

/**
 * Whether a loop passes its iter args to the inner one, uses them for nothing else, and yields what that results in.
 */
const handsOn = (rewriter: Rewriter, outer: DraftOperation, inner: DraftOperation): boolean => {
  const carried = bodyOf(outer).arguments.slice(1);
  return (
    sameValues(carried, forOp.operands(inner).initArgs) &&
    carried.every((value) => rewriter.users(value).length === 1) &&
    sameValues(terminatorOf(bodyOf(outer)).operands, inner.results)
  );
};

const countAlike = (outer: DraftOperation, inner: DraftOperation): boolean =>
  typeEquals(forBounds(outer).upper.type, forBounds(inner).upper.type);

/** Whether the type of the bounds of these loops is known to hold the number of their iterations. */
const isCountable = (rewriter: Rewriter, loops: readonly DraftOperation[]): boolean => {
  const { type } = forBounds(loops[0]!).upper;
  const width = type.kind === 'integer' ? type.width : 64;
  const most = (1n << BigInt(width - 1)) - 1n;
  let product = 1n;
  for (const loop of loops) {
    const count = greatestCount(rewriter, loop, width);
    if (count === undefined) return false;
    product *= count;
  }
  return product <= most;
};

/** The most iterations that a loop may have; undefined if the length of its range may be more than its type holds. */
const greatestCount = (rewriter: Rewriter, loop: DraftOperation, width: number): bigint | undefined => {
  const { lower, upper, step } = forBounds(loop);
  const [from, to, by] = [lower, upper, step].map((bound) => integerOf(rewriter, bound));
  // Nobody waits for iterations that 64 bits do not count, so what is not known is taken to be few.
  if (width >= 64 && (from === undefined || to === undefined)) return 1n;
  const most = (1n << BigInt(width - 1)) - 1n;
  const length = (to ?? most) - (from ?? -most - 1n);
  if (length > most) return undefined;
  return countIn(length, by !== undefined && by > 0n ? by : 1n);
};

/** The number of steps in a range. */
const countIn = (length: bigint, step: bigint): bigint => (length <= 0n ? 0n : (length + step - 1n) / step);

const coalesceBand = (rewriter: Rewriter, loops: readonly DraftOperation[]): void => {
  const [outermost] = loops;
  const innermost = loops.at(-1);
  if (outermost === undefined || innermost === undefined) throw new Error('a band has two loops at least');
  // 1. Normalize the loops: from 0 in steps of 1.
  const reversed = loops.filter((loop) => mayBeReversed(rewriter, forBounds(loop)));
  for (const loop of loops) normalize(rewriter, loop, outermost, innermost);
  // 2. Give all iterations to the outermost loop; of the counts, only one may be below 0.
  rewriter.setInsertionPointBefore(outermost);
  const [, ...clamped] = reversed.filter((loop) => integerOf(rewriter, forBounds(loop).upper) === undefined);
  const counts = loops.map((loop) => {
    const count = forBounds(loop).upper;
    return clamped.includes(loop) ? atLeastZero(rewriter, count) : count;
  });
  const [lower, , step, ...inits] = outermost.operands as [Value, Value, Value, ...Value[]];
  rewriter.setOperands(outermost, [lower, productOf(rewriter, counts), step, ...inits]);
  // 3. Recompute the induction variables.
  const body = bodyOf(outermost);
  rewriter.setInsertionPointToStart(body);
  const { variables, makers } = delinearized(rewriter, body.arguments[0]!, counts);
  rewriter.replaceUsesIf(body.arguments[0]!, variables[0]!, (user) => !makers.has(user));
  // 4. Inline the bodies, from the innermost loop outwards.
  for (let i = loops.length - 1; i > 0; i--) {
    const inner = loops[i]!;
    const block = bodyOf(inner);
    const terminator = terminatorOf(block);
    rewriter.setInsertionPointBefore(inner);
    rewriter.inlineBlock(block, [variables[i]!, ...forOp.operands(inner).initArgs]);
    const yielded = terminator.operands;
    rewriter.eraseOperation(terminator);
    rewriter.replaceOperation(inner, yielded);
  }
};

/**
 * Normalizes a loop to count its iterations; the old induction variable is recomputed at the start of the innermost
 * body.
 */
const normalize = (
  rewriter: Rewriter,
  loop: DraftOperation,
  outermost: DraftOperation,
  innermost: DraftOperation,
): void => {
  const bounds = forBounds(loop);
  const { lower, step } = bounds;
  const isZeroBased = integerOf(rewriter, lower) === 0n;
  const isStepOne = integerOf(rewriter, step) === 1n;
  const hasLength = isZeroBased && !((integerOf(rewriter, bounds.upper) ?? 0n) < 0n);
  if (hasLength && isStepOne) return;
  rewriter.setInsertionPointBefore(outermost);
  const upper = countOf(rewriter, bounds, hasLength, isStepOne);
  const zero = createInteger(rewriter, 0, lower.type);
  const one = createInteger(rewriter, 1, step.type);
  rewriter.setOperands(loop, [zero, upper, one, ...forOp.operands(loop).initArgs]);
  const build = builder(rewriter);
  const variable = bodyOf(loop).arguments[0]!;
  rewriter.setInsertionPointToStart(bodyOf(innermost));
  const makers = new Set<DraftOperation | undefined>();
  let value = variable;
  if (!isStepOne) makers.add(rewriter.definingOperation((value = build(muli, { lhs: value, rhs: step }))));
  if (!isZeroBased) makers.add(rewriter.definingOperation((value = build(addi, { lhs: value, rhs: lower }))));
  rewriter.replaceUsesIf(variable, value, (user) => !makers.has(user));
};

/** The trip count of a loop, at the insertion point; `hasLength`: its upper bound is the length of its range. */
const countOf = (
  rewriter: Rewriter,
  bounds: LoopBounds<Value>,
  hasLength: boolean,
  isStepOne: boolean,
): Value => {
  const { lower, upper, step } = bounds;
  const build = builder(rewriter);
  // Like upstream, materializes a constant for each known intermediate value.
  const [from, to, by] = [lower, upper, step].map((bound) => integerOf(rewriter, bound));
  const distance = from === undefined || to === undefined ? undefined : to > from ? to - from : 0n;
  const length = hasLength
    ? upper
    : distance === undefined
      ? build(subi, { lhs: upper, rhs: lower })
      : createInteger(rewriter, distance, upper.type);
  if (isStepOne) return length;
  return distance === undefined || by === undefined || by <= 0n
    ? build(ceildivsi, { lhs: length, rhs: step })
    : createInteger(rewriter, countIn(distance, by), upper.type);
};

const atLeastZero = (rewriter: Rewriter, count: Value): Value =>
  builder(rewriter)(maxsi, { lhs: count, rhs: createInteger(rewriter, 0, count.type) });

const productOf = (rewriter: Rewriter, counts: readonly Value[]): Value => {
  const factors = counts.filter((count) => indexNumber(rewriter, count) !== 1);
  const [first, ...others] = factors;
  if (first === undefined) return createInteger(rewriter, 1, counts[0]!.type);
  return others.reduce((product, count) => builder(rewriter)(muli, { lhs: product, rhs: count }), first);
};

/**
 * The induction variables, outermost first, delinearized from the coalesced one, and the operations that compute them.
 */
const delinearized = (
  rewriter: Rewriter,
  linear: Value,
  counts: readonly Value[],
): { readonly variables: readonly Value[]; readonly makers: ReadonlySet<DraftOperation | undefined> } => {
  const build = builder(rewriter);
  const makers = new Set<DraftOperation | undefined>();
  const computed = (value: Value): Value => {
    makers.add(rewriter.definingOperation(value));
    return value;
  };
  const isOne = counts.map((count) => indexNumber(rewriter, count) === 1);
  const first = isOne.findIndex((each) => !each);
  const leading = first < 0 ? counts.length : first;
  const variables: Value[] = counts.slice(0, leading).map((count) => createInteger(rewriter, 0, count.type));
  let rest = linear;
  for (let i = counts.length - 1; i >= leading; i--) {
    const count = counts[i]!;
    if (i < counts.length - 1 && !isOne[i + 1]!)
      rest = computed(build(divsi, { lhs: rest, rhs: counts[i + 1]! }));
    if (i === leading) variables[i] = rest;
    else if (isOne[i]!) variables[i] = createInteger(rewriter, 0, count.type);
    else variables[i] = computed(build(remsi, { lhs: rest, rhs: count }));
  }
  return { variables, makers };
};
