/** Promotes single-iteration loops: upstream's `promoteIfSingleIteration`. */
import { countedLoops, createIndex, indexNumber, insertSliceState, mixedSlice } from '@sconv/dialects';
import { forOp, forall, forallBounds } from '@sconv/dialects/scf';
import { parallelInsertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, terminatorOf } from '@sconv/ir';

/** Replaces an `scf.for` or `scf.forall` known to have one iteration by its body; returns whether it did. */
export const promoteIfOneIterationOp = (rewriter: Rewriter, loop: DraftOperation): boolean => {
  const loops = countedLoops(loop, (bound) => indexNumber(rewriter, bound));
  if (loops?.every(({ trips }) => trips === 1) !== true) return false;
  if (forOp.is(loop)) {
    const { lowerBound, initArgs } = forOp.operands(loop);
    rewriter.replaceOperation(loop, inlined(rewriter, loop, [lowerBound, ...initArgs]));
  } else promoteForall(rewriter, loop);
  return true;
};

/** Inlines the body of a loop before it, with `values` for its arguments; returns the yielded values. */
const inlined = (rewriter: Rewriter, loop: DraftOperation, values: readonly Value[]): readonly Value[] => {
  const body = bodyOf(loop);
  rewriter.setInsertionPointBefore(loop);
  const terminator = terminatorOf(body);
  rewriter.inlineBlock(body, values);
  const results = terminator.operands;
  rewriter.eraseOperation(terminator);
  return results;
};

/** The parallel insertions become a chain of insertions after the body. */
const promoteForall = (rewriter: Rewriter, loop: DraftOperation): void => {
  rewriter.setInsertionPointBefore(loop);
  const lower = forallBounds(loop).map((each) =>
    typeof each.lower === 'number' ? createIndex(rewriter, each.lower) : each.lower,
  );
  const body = bodyOf(loop);
  const results: Value[] = [...forall.operands(loop).outputs];
  const shared = body.arguments.slice(lower.length).map(({ id }) => id);
  const terminator = terminatorOf(body);
  const slices = bodyOf(terminator).operations.map((operation) => ({
    operation,
    output: shared.indexOf(parallelInsertSlice.operands(operation).dest.id),
  }));
  rewriter.inlineBlock(body, [...lower, ...results]);
  for (const { operation, output } of slices) {
    const { source } = parallelInsertSlice.operands(operation);
    results[output] = rewriter.createValue(insertSliceState(source, results[output]!, mixedSlice(operation)));
  }
  rewriter.eraseOperation(terminator);
  rewriter.replaceOperation(loop, results);
};
