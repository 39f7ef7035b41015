/** `scf.parallel` and `scf.forall`: dimensions with small trip counts, nests, and dead results. */
import type { MixedIndex } from '@sconv/dialects';
import {
  castTo,
  indexNumber,
  indexValue,
  insertSliceState,
  mixedSlice,
  sliceOperands,
} from '@sconv/dialects';
import { forall, forallBounds, inParallel, parallel } from '@sconv/dialects/scf';
import { cast, parallelInsertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Id, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { bodyOf, terminatorOf } from '@sconv/ir';
import { inlineInPlace, kept, withoutArguments, withResults } from '../bodies.ts';
import { definedBy, isSame, onOp, recreate, sameMixed, withConstants } from '../match.ts';
import { constantDifference } from './scf-for.ts';
import { tensorCast, throughCast } from './tensor-cast.ts';

/** The trip count of a dimension, if it is 0 or 1; undefined otherwise. */
const fewIterations = (
  rewriter: Rewriter,
  lower: MixedIndex,
  upper: MixedIndex,
  step: MixedIndex,
): 0 | 1 | undefined => {
  const number = (index: MixedIndex): number | undefined => indexNumber(rewriter, index);
  const [from, to] = [number(lower), number(upper)];
  const distance =
    from !== undefined && to !== undefined
      ? to - from
      : typeof lower === 'object' && typeof upper === 'object'
        ? constantDifference(rewriter, lower, upper)
        : undefined;
  if (distance === undefined) return undefined;
  if (distance <= 0) return 0;
  const size = number(step);
  return size !== undefined && size >= distance ? 1 : undefined;
};

const fewParallelIterations = onOp(parallel, 'parallel-of-few-iterations', (rewriter, operation) => {
  const { lowerBound, upperBound, step, initVals } = parallel.operands(operation);
  const counts = lowerBound.map((lower, i) => fewIterations(rewriter, lower, upperBound[i]!, step[i]!));
  if (counts.includes(0)) {
    rewriter.replaceOperation(operation, initVals);
    return;
  }
  const keep = counts.map((count) => count !== 1);
  if (keep.every((each) => each)) return;
  const body = bodyOf(operation);
  if (keep.includes(true)) {
    withoutArguments(rewriter, body, keep, lowerBound);
    const operands = {
      lowerBound: kept(lowerBound, keep),
      upperBound: kept(upperBound, keep),
      step: kept(step, keep),
      initVals,
    };
    const { operands: list, attributes } = parallel.state<Rewriter>({
      operands: operands,
      resultTypes: operation.results.map(({ type }) => type),
    });
    rewriter.setOperands(operation, list);
    rewriter.setAttributes(operation, { ...operation.attributes, ...attributes });
    return;
  }
  // Each reduction is applied once: to the initial value and the body's.
  inlineInPlace(rewriter, operation, body, lowerBound, (reduce) => {
    return initVals.map((init, i) => {
      const reduction = reduce.regions[i]!.blocks[0]!;
      const end = terminatorOf(reduction);
      rewriter.scoped(() => {
        rewriter.setInsertionPointBefore(reduce);
        rewriter.inlineBlock(reduction, [init, reduce.operands[i]!]);
      });
      const [value] = end.operands;
      rewriter.eraseOperation(end);
      return value!;
    });
  });
});

/** Perfectly nested loops merge into one. */
const nestedParallel = onOp(parallel, 'nested-parallel', (rewriter, operation) => {
  const body = bodyOf(operation);
  const inner = body.first;
  if (inner === undefined || !parallel.is(inner) || inner.next !== body.last) return;
  if (operation.results.length > 0 || inner.results.length > 0) return;
  const [outside, inside] = [parallel.operands(operation), parallel.operands(inner)];
  const own = new Set<Id>(body.arguments.map(({ id }) => id));
  if (inner.operands.some(({ id }) => own.has(id))) return;
  const made = rewriter.create(
    parallel.state<Rewriter>({
      operands: {
        lowerBound: [...outside.lowerBound, ...inside.lowerBound],
        upperBound: [...outside.upperBound, ...inside.upperBound],
        step: [...outside.step, ...inside.step],
        initVals: [],
      },
      resultTypes: [],
    }),
    operation.location,
  );
  const region = made.regions[0] ?? rewriter.createRegion(made);
  const block = rewriter.createBlock(
    region,
    [...body.arguments, ...bodyOf(inner).arguments].map(({ type }) => type),
  );
  rewriter.setInsertionPointToEnd(block);
  const { length } = body.arguments;
  const values = [...block.arguments];
  rewriter.inlineBlock(bodyOf(inner), values.slice(length));
  body.arguments.forEach((argument, i) => {
    rewriter.replaceAllUsesWith(argument, values[i]!);
  });
  rewriter.replaceOperation(operation, [], [made]);
});

interface Bounds {
  readonly lower: readonly MixedIndex[];
  readonly upper: readonly MixedIndex[];
  readonly step: readonly MixedIndex[];
}

const boundsOf = (operation: DraftOperation): Bounds => {
  const bounds = forallBounds(operation);
  return {
    lower: bounds.map(({ lower }) => lower),
    upper: bounds.map(({ upper }) => upper),
    step: bounds.map(({ step }) => step),
  };
};

/** The operands and attributes of an `scf.forall` with these bounds. */
const forallState = (
  operation: DraftOperation,
  { lower, upper, step }: Bounds,
  outputs: readonly Value[],
) => {
  const [lowers, uppers, steps] = [sliceOperands(lower), sliceOperands(upper), sliceOperands(step)];
  const { mapping } = forall.attributes(operation);
  const state = forall.state<Rewriter>({
    operands: {
      dynamicLowerBound: lowers.dynamic,
      dynamicUpperBound: uppers.dynamic,
      dynamicStep: steps.dynamic,
      outputs: outputs,
    },
    attributes: {
      staticLowerBound: lowers.static,
      staticUpperBound: uppers.static,
      staticStep: steps.static,
      mapping: mapping?.length === lower.length ? mapping : undefined,
    },
    resultTypes: outputs.map(({ type }) => type),
  });
  const { mapping: _mapping, ...others } = operation.attributes;
  return { operands: state.operands, attributes: { ...others, ...state.attributes } };
};

const staticForall = onOp(forall, 'forall-of-constants', (rewriter, operation) => {
  const { lower, upper, step } = boundsOf(operation);
  const after: Bounds = {
    lower: withConstants(rewriter, lower),
    upper: withConstants(rewriter, upper),
    step: withConstants(rewriter, step),
  };
  if (sameMixed(lower, after.lower) && sameMixed(upper, after.upper) && sameMixed(step, after.step)) return;
  const { operands, attributes } = forallState(operation, after, forall.operands(operation).outputs);
  rewriter.setOperands(operation, operands);
  rewriter.setAttributes(operation, attributes);
});

/** The block arguments of the shared outputs. */
const sharedOf = (operation: DraftOperation): readonly Value[] => {
  const { arguments: all } = bodyOf(operation);
  return [...all].slice(all.length - operation.results.length);
};

/** The parallel insertions of an iteration. */
const insertionsOf = (operation: DraftOperation): readonly DraftOperation[] => {
  const end = terminatorOf(bodyOf(operation));
  return inParallel.is(end) ? (end.regions[0]?.blocks[0]?.operations ?? []) : [];
};

const fewForallIterations = onOp(forall, 'forall-of-few-iterations', (rewriter, operation) => {
  const bounds = boundsOf(operation);
  const { outputs } = forall.operands(operation);
  const counts = bounds.lower.map((lower, i) =>
    fewIterations(rewriter, lower, bounds.upper[i]!, bounds.step[i]!),
  );
  if (counts.includes(0)) {
    rewriter.replaceOperation(operation, outputs);
    return;
  }
  const keep = counts.map((count) => count !== 1);
  if (keep.every((each) => each) || forall.attributes(operation).mapping !== undefined) return;
  const body = bodyOf(operation);
  const starts = bounds.lower.map((lower, i) => (keep[i] === true ? undefined : indexValue(rewriter, lower)));
  if (keep.includes(true)) {
    withoutArguments(rewriter, body, keep, starts);
    const fewer: Bounds = {
      lower: kept(bounds.lower, keep),
      upper: kept(bounds.upper, keep),
      step: kept(bounds.step, keep),
    };
    const { operands, attributes } = forallState(operation, fewer, outputs);
    rewriter.setOperands(operation, operands);
    rewriter.setAttributes(operation, attributes);
    return;
  }
  const shared = sharedOf(operation);
  const insertions = insertionsOf(operation);
  if (!insertions.every((each) => parallelInsertSlice.is(each))) return;
  const places = insertions.map((each) => shared.findIndex(({ id }) => id === each.operands[1]?.id));
  const values = [...starts.filter((start) => start !== undefined), ...outputs];
  inlineInPlace(rewriter, operation, body, values, (end) => {
    const results: Value[] = [...outputs];
    insertions.forEach((each, i) => {
      const place = places[i]!;
      results[place] = rewriter.scoped(() => {
        rewriter.setInsertionPointBefore(end);
        return rewriter.createValue(insertSliceState(each.operands[0]!, results[place]!, mixedSlice(each)));
      });
    });
    return results;
  });
});

/** Results that are dead, or that no iteration writes. */
const uselessForallResults = onOp(forall, 'useless-forall-results', (rewriter, operation) => {
  const { outputs } = forall.operands(operation);
  const shared = sharedOf(operation);
  const insertions = insertionsOf(operation);
  const writes = (argument: Value): readonly DraftOperation[] =>
    insertions.filter((each) => isSame(each.operands[1], argument));
  const keep = operation.results.map(
    (result, i) => rewriter.hasUses(result) && writes(shared[i]!).length > 0,
  );
  if (keep.every((each) => each)) return;
  shared.forEach((argument, i) => {
    if (keep[i] === true) return;
    for (const each of writes(argument)) rewriter.eraseOperation(each);
  });
  const body = bodyOf(operation);
  withoutArguments(rewriter, body, keep, outputs, body.arguments.length - shared.length);
  const change = forallState(operation, boundsOf(operation), kept(outputs, keep));
  withResults(rewriter, operation, keep, outputs, change);
});

/** A shared output that is cast to a less static type before the loop. */
const forallOfCast = onOp(forall, 'forall-of-cast', (rewriter, operation) => {
  const { outputs } = forall.operands(operation);
  const sources = outputs.map((output) => throughCast(rewriter, output));
  if (sources.every((source) => source === undefined)) return;
  const body = bodyOf(operation);
  const shared = sharedOf(operation);
  const first = body.arguments.length - shared.length;
  const insertions = insertionsOf(operation);
  sources.forEach((source, i) => {
    if (source === undefined) return;
    const argument = rewriter.changeArgumentType(body, first + i, source.type);
    rewriter.scoped(() => {
      rewriter.setInsertionPointToStart(body);
      const writes = insertions.filter((each) => isSame(each.operands[1], argument));
      const others = rewriter.users(argument).some((user) => !writes.includes(user));
      if (!others) return;
      const back = castTo(rewriter, argument, outputs[i]!.type, tensorCast);
      const made = definedBy(rewriter, back, cast);
      rewriter.replaceUsesIf(argument, back, (user) => user !== made && !writes.includes(user));
    });
  });
  const inits = outputs.map((output, i) => sources[i] ?? output);
  const made = recreate(rewriter, operation, {
    ...forallState(operation, boundsOf(operation), inits),
    resultTypes: inits.map(({ type }) => type),
  });
  rewriter.replaceOperation(
    operation,
    made.results.map((value, i) => castTo(rewriter, value, operation.results[i]!.type, tensorCast)),
    [made],
  );
});

export const scfParallelPatterns: readonly RewritePattern[] = [
  fewParallelIterations,
  nestedParallel,
  staticForall,
  fewForallIterations,
  uselessForallResults,
  forallOfCast,
];
