/**
 * What hoisting a `tensor.pad` out of `scf.for` loops needs: the loops that its slice depends on, and the ops in
 * between.
 */
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { constantIndexOf, isSymbol } from '@sconv/dialects';
import { forOp } from '@sconv/dialects/scf';
import { extractSlice, pad } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, constantValueOf, DYNAMIC, hasTrait } from '@sconv/ir';
import { hoistSubset } from './hoist-subset.ts';

/** A padding that can be hoisted. */
export interface HoistablePad {
  readonly pad: DraftOperation;
  readonly slice: DraftOperation;
  /** The loop that it is hoisted out of. */
  readonly outermost: DraftOperation;
  /** The loops whose induction variables its slice depends on, outermost first: one packed tile for each iteration. */
  readonly packingLoops: readonly DraftOperation[];
  /** What computes it inside the outermost loop, packing loops included, in program order. */
  readonly operations: readonly DraftOperation[];
  /** The loop that carries its slice, if one does. */
  readonly carrier: DraftOperation | undefined;
}

/** The failures of `hoistablePad`. */
export const hoistPadFailures = {
  'hoist-pad/no-loop': {
    mode: 'silenceable',
    when: 'a padding is in no `scf.for` loop, or not in the given one',
  },
  'hoist-pad/no-slice': { mode: 'silenceable', when: 'a padding does not pad a slice' },
  'hoist-pad/source': { mode: 'silenceable', when: 'the loops change the tensor that is sliced' },
  'hoist-pad/value': { mode: 'silenceable', when: 'the padding value is not constant' },
  'hoist-pad/shape': { mode: 'silenceable', when: 'the padded type has a dynamic size' },
  'hoist-pad/index': {
    mode: 'silenceable',
    when: 'an index of the slice is not computed from induction variables by ops without regions and effects',
  },
  'hoist-pad/bounds': {
    mode: 'silenceable',
    when:
      'a loop does not have a lower bound and a step above 0 from outside, and an upper bound that is ' +
      'known before the loops',
  },
} as const;

/** The failure to hoist a padding. */
export const notHoisted = (code: `hoist-pad/${string}`, operation: DraftOperation, reason: string): Failed =>
  silenceableError(code, `could not hoist the padding: ${reason}`, operation);

/** At most `count` loops immediately around an op, innermost first. */
export const loopsAround = (operation: DraftOperation, count: number): readonly DraftOperation[] => {
  const loops: DraftOperation[] = [];
  for (let at = operation.parent; at !== undefined && forOp.is(at) && loops.length < count; at = at.parent)
    loops.push(at);
  return loops;
};

/**
 * What hoisting `operation` out of `outermost`, an `scf.for` immediately around it or around such loops, needs. If
 * that loop only carries the sliced part of a tensor, the part itself is carried first.
 */
export const hoistablePad = (
  rewriter: Rewriter,
  operation: DraftOperation,
  loops: readonly DraftOperation[],
): Diagnosed<HoistablePad> => {
  const { source } = pad.operands(operation);
  const slice = rewriter.definingOperation(source);
  if (slice === undefined || !extractSlice.is(slice))
    return notHoisted('hoist-pad/no-slice', operation, 'its source is not a slice');
  if ((operation.results[0]!.type as TensorType).shape.includes(DYNAMIC))
    return notHoisted('hoist-pad/shape', operation, 'its type has a dynamic size');
  const value = bodyOf(operation).last?.operands[0];
  const constant = value && rewriter.definingOperation(value);
  if (constant === undefined || constantValueOf(rewriter.registry, constant) === undefined)
    return notHoisted('hoist-pad/value', operation, 'its padding value is not constant');
  const whole = extractSlice.operands(slice).source;
  let outermost = loops.at(-1)!;
  let enclosing = loops;
  if (!rewriter.isDefinedOutside(whole, outermost)) {
    const hoisted = hoistSubset(rewriter, slice, outermost);
    if (hoisted === undefined)
      return notHoisted(
        'hoist-pad/source',
        operation,
        'the loops change the tensor that its source is a slice of',
      );
    enclosing = [...loops.slice(0, -1), hoisted];
    outermost = hoisted;
  }
  const kept = indexComputation(rewriter, operation, slice, outermost, enclosing);
  if (kept === undefined) {
    const reason =
      'not all of its indices are computed from induction variables by ops without regions and effects';
    return notHoisted('hoist-pad/index', operation, reason);
  }
  const users = rewriter.users(slice.results[0]!);
  const carrier = users.length === 1 && forOp.is(users[0]!) ? users[0] : undefined;
  const packingLoops = enclosing.filter((loop) => kept.has(loop)).toReversed();
  const isFixed = (bound: Value): boolean =>
    rewriter.isDefinedOutside(bound, outermost) || constantIndexOf(rewriter, bound) !== undefined;
  const moving = packingLoops.find((loop) => {
    const { lowerBound, step } = forOp.operands(loop);
    return !isFixed(lowerBound) || !isFixed(step) || !isSymbol(rewriter, step);
  });
  if (moving !== undefined)
    return notHoisted('hoist-pad/bounds', operation, 'a lower bound or a step is computed in the loops');
  const isBackward = packingLoops.some((loop) => {
    const step = rewriter.constantOf(forOp.operands(loop).step);
    return step?.kind === 'integer' && step.value <= 0n;
  });
  if (isBackward) return notHoisted('hoist-pad/bounds', operation, 'the step of a loop is not positive');
  if (!rewriter.isWithin(constant, operation) && rewriter.isWithin(constant, outermost)) kept.add(constant);
  const operations = rewriter
    .walk(outermost)
    .filter((each) => kept.has(each))
    .toSorted((a, b) => Number(b === constant) - Number(a === constant));
  return success({ pad: operation, slice, outermost, packingLoops, operations, carrier });
};

/**
 * The padding, its slice and what computes their indices inside `outermost`; undefined if that is anything but
 * induction variables of `loops`, and ops on indices alone.
 */
const indexComputation = (
  rewriter: Rewriter,
  operation: DraftOperation,
  slice: DraftOperation,
  outermost: DraftOperation,
  loops: readonly DraftOperation[],
): Set<DraftOperation> | undefined => {
  const kept = new Set<DraftOperation>();
  const isComputed = (value: Value): boolean => {
    if (rewriter.isDefinedOutside(value, outermost)) return true;
    const definition = rewriter.definingOperation(value);
    if (definition === undefined) {
      const loop = loops.find((each) => bodyOf(each).arguments[0]!.id === value.id);
      if (loop === undefined) return false;
      if (kept.has(loop)) return true;
      kept.add(loop);
      const { lowerBound, upperBound, step } = forOp.operands(loop);
      return [lowerBound, upperBound, step].every(isComputed);
    }
    if (kept.has(definition)) return true;
    const isPlain =
      definition.regions.length === 0 &&
      hasTrait(rewriter.registry, definition, 'pure') &&
      definition.operands.every(({ type }) => type.kind === 'index');
    if (!isPlain) return false;
    kept.add(definition);
    return definition.operands.every(isComputed);
  };
  const indices = [operation, slice].flatMap(({ operands }) => operands.slice(1));
  if (!indices.every(isComputed)) return undefined;
  kept.add(operation);
  if (rewriter.isWithin(slice, outermost)) kept.add(slice);
  return kept;
};
