/**
 * Whether two perfectly nested loops may be exchanged.
 *
 * Iterations (i, j) then run with j outside. Those with the same i, and those with the same j, keep their order, so
 * only dependences between iterations that differ in both matter. There are none if a carried value is
 *
 * - a tensor, or a buffer, of which each iteration uses only a part determined by i alone, or by j alone, or
 * - only combined with other values in any order (`accumulation`).
 */
import { ifAffine, linearForm } from '@sconv/affine';
import type { MixedIndex, MixedSlice } from '@sconv/dialects';
import {
  combinerOf,
  composeValue,
  constantIndexOf,
  mixedSlice,
  outputAccumulation,
  unitStrideSlice,
  sameSlice,
} from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import { load, store } from '@sconv/dialects/memref';
import { firstInit, forOp } from '@sconv/dialects/scf';
import { extract, extractSlice, insert, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Operation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, effectsBelow, effectsOf, terminatorOf } from '@sconv/ir';

/** An operand of an operation. */
interface Use {
  readonly user: Operation;
  readonly index: number;
}

/** Whether a loop and the loop that is its body may be exchanged. */
export const areSwappable = (rewriter: Rewriter, outer: DraftOperation, inner: DraftOperation): boolean => {
  const loops = [outer, inner].map((loop) => countOf(rewriter, loop));
  const isTold = (parts: readonly MixedSlice[] | undefined): boolean =>
    parts !== undefined && loops.some((loop) => areTold(rewriter, parts, loop, outer));
  const end = terminatorOf(bodyOf(inner));
  return (
    bodyOf(inner)
      .arguments.slice(1)
      .every(
        (argument, index) =>
          isTold(carriedParts(rewriter, argument, { user: end, index })) ||
          carriedCombiner(rewriter, argument, { user: end, index }) !== undefined,
      ) &&
    (onlyReads(rewriter, inner) || isTold(bufferParts(rewriter, outer, inner)))
  );
};

/** The induction variable of a loop and its step. */
interface Count {
  readonly variable: Value;
  /** A lower bound. */
  readonly step: number;
}

const countOf = (rewriter: Rewriter, loop: DraftOperation): Count => ({
  variable: bodyOf(loop).arguments[0]!,
  step: constantIndexOf(rewriter, forOp.operands(loop).step) ?? 1,
});

// --- Parts determined by an induction variable ---------------------------------------------------------------------

/** Whether a single common index determines in which iteration of the loop the parts are used. */
const areTold = (
  rewriter: Rewriter,
  parts: readonly MixedSlice[],
  loop: Count,
  outer: DraftOperation,
): boolean => {
  const [first, ...others] = parts.map((part) => tellingIndices(rewriter, part, loop, outer));
  return first === undefined || first.some((told) => others.every((each) => each.includes(told)));
};

/** The indices of a part that are a multiple of the variable plus a loop-invariant term, as text. */
const tellingIndices = (
  rewriter: Rewriter,
  { offsets, sizes, strides }: MixedSlice,
  { variable, step }: Count,
  outer: DraftOperation,
): readonly string[] =>
  offsets.flatMap((offset, position) => {
    const size = sizes[position];
    if (typeof offset === 'number' || typeof size !== 'number' || strides[position] !== 1) return [];
    const { map, operands } = composeValue(rewriter, offset);
    const others = operands.filter(({ id }) => id !== variable.id);
    if (!others.every((other) => rewriter.isDefinedOutside(other, outer))) return [];
    const [index] = map.results;
    const factor = factorOf(
      index,
      operands.findIndex(({ id }) => id === variable.id),
    );
    // Successive parts must not overlap: each moves by at least its size.
    if (Math.abs(factor) * step < size) return [];
    return [`${position}: ${String(index)} of ${operands.map(({ id }) => id).join()}`];
  });

type Index = ReturnType<typeof composeValue>['map']['results'][number];

/** The coefficient of a dimension in a linear index; 0 if the index is not linear. */
const factorOf = (index: Index | undefined, dimension: number): number =>
  (index === undefined ? undefined : ifAffine(() => linearForm(index)))?.dims[dimension] ?? 0;

const element = (offsets: readonly MixedIndex[]): MixedSlice =>
  unitStrideSlice({ offsets, sizes: offsets.map(() => 1) });

/** The part that an operation reads of its operand. */
const readPart = ({ user, index }: Use): MixedSlice | undefined => {
  if (index !== 0) return undefined;
  if (extractSlice.is(user)) return mixedSlice(user);
  return extract.is(user) ? element(extract.operands(user).indices) : undefined;
};

/** The part that an operation overwrites in its operand. */
const writtenPart = ({ user, index }: Use): MixedSlice | undefined => {
  if (index !== 1) return undefined;
  if (insertSlice.is(user)) return mixedSlice(user);
  return insert.is(user) ? element(insert.operands(user).indices) : undefined;
};

/**
 * The parts of a tensor that are used along its def-use chain from `start` to `end`; undefined if there are other
 * uses.
 */
const carriedParts = (rewriter: Rewriter, start: Value, end: Use): readonly MixedSlice[] | undefined => {
  const parts: MixedSlice[] = [];
  for (let value = start; ;) {
    const uses = usesOf(rewriter, value);
    parts.push(...uses.flatMap((use) => readPart(use) ?? []));
    const [next, ...more] = uses.filter((use) => readPart(use) === undefined);
    if (next === undefined || more.length > 0) return undefined;
    if (isUse(next, end)) return parts;
    const written = writtenPart(next);
    if (written !== undefined) {
      parts.push(written);
      value = next.user.results[0]!;
      continue;
    }
    const below = carriedByLoop(next);
    const inside = below && carriedParts(rewriter, below.argument, below.end);
    if (below === undefined || inside === undefined) return undefined;
    parts.push(...inside);
    value = below.result;
  }
};

/** The iter arg and result of an operand that is an initial value of a loop. */
const carriedByLoop = ({ user, index }: Use) => {
  if (!forOp.is(user)) return undefined;
  const position = index - firstInit(user);
  if (position < 0) return undefined;
  const body = bodyOf(user);
  const end: Use = { user: terminatorOf(body), index: position };
  return { argument: body.arguments[1 + position]!, end, result: user.results[position]! };
};

const usesOf = (rewriter: Rewriter, value: Value): readonly Use[] =>
  rewriter
    .users(value)
    .flatMap((user) =>
      user.operands.flatMap((operand, index) => (operand.id === value.id ? [{ user, index }] : [])),
    );

const isUse = (use: Use, end: Use): boolean => use.user.id === end.user.id && use.index === end.index;

// --- Values that are combined in any order -------------------------------------------------------------------------

/**
 * The operation that combines a value with others along its def-use chain to `end`, `none` if it is unchanged;
 * undefined for any other use.
 */
const carriedCombiner = (rewriter: Rewriter, start: Value, end: Use): string | undefined => {
  let combiner = 'none';
  for (let value = start; ;) {
    const uses = usesOf(rewriter, value);
    const [use, ...more] = uses;
    if (use !== undefined && more.length === 0 && isUse(use, end)) return combiner;
    const step = combinationOf(rewriter, uses);
    if (step === undefined) return undefined;
    if (combiner !== 'none' && step.combiner !== 'none' && step.combiner !== combiner) return undefined;
    if (step.combiner !== 'none') ({ combiner } = step);
    value = step.result;
  }
};

/** A value after combining. */
interface Combination {
  readonly combiner: string;
  readonly result: Value;
}

const combination = (combiner: string | undefined, result: Value | undefined): Combination | undefined =>
  combiner === undefined || result === undefined ? undefined : { combiner, result };

/** The combination that the users of a value compute together; undefined if they do anything else. */
const combinationOf = (rewriter: Rewriter, uses: readonly Use[]): Combination | undefined => {
  const [use, other, ...more] = uses;
  if (use === undefined || more.length > 0) return undefined;
  if (other !== undefined) return updateOf(rewriter, use, other) ?? updateOf(rewriter, other, use);
  const { user, index } = use;
  const loop = carriedByLoop(use);
  if (loop !== undefined) {
    const combiner = carriedCombiner(rewriter, loop.argument, loop.end);
    return combination(combiner, loop.result);
  }
  const view = structured(rewriter.registry, user);
  if (view !== undefined) {
    const { inputs, outputs } = view;
    const position = index - inputs.length;
    const combiner =
      outputs[position] === undefined ? undefined : outputAccumulation(rewriter.registry, user, position);
    return combination(combiner, user.results[position]);
  }
  return combination(combinerOf(rewriter.registry, user), user.results[0]);
};

/** A part that is extracted, combined and inserted back. */
const updateOf = (rewriter: Rewriter, read: Use, written: Use): Combination | undefined => {
  const [from, to] = [readPart(read), writtenPart(written)];
  if (from === undefined || to === undefined || !sameSlice(rewriter, from, to)) return undefined;
  const combiner = carriedCombiner(rewriter, read.user.results[0]!, { user: written.user, index: 0 });
  return combination(combiner, written.user.results[0]);
};

// --- Memory --------------------------------------------------------------------------------------------------------

const onlyReads = ({ registry }: Rewriter, loop: DraftOperation): boolean =>
  effectsBelow(registry, loop)?.every(({ kind }) => kind === 'read') === true;

/** The accessed parts of the only buffer that a loop uses; undefined if it may use other memory. */
const bufferParts = (
  rewriter: Rewriter,
  outer: DraftOperation,
  inner: DraftOperation,
): readonly MixedSlice[] | undefined => {
  const parts: MixedSlice[] = [];
  const buffers = new Map<number, Value>();
  for (const operation of rewriter.walk(inner)) {
    if (forOp.is(operation) || effectsOf(rewriter.registry, operation)?.length === 0) continue;
    const access = load.is(operation)
      ? load.operands(operation)
      : store.is(operation)
        ? store.operands(operation)
        : undefined;
    if (access === undefined) return undefined;
    buffers.set(access.memref.id, access.memref);
    parts.push(element(access.indices));
  }
  const [buffer, ...others] = buffers.values();
  // Two buffers may alias.
  return buffer !== undefined && others.length === 0 && rewriter.isDefinedOutside(buffer, outer)
    ? parts
    : undefined;
};
