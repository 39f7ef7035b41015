/** `scf.for`: small trip counts, and redundant iter args. */
import { castTo } from '@sconv/dialects';
import { addi } from '@sconv/dialects/arith';
import { forOp } from '@sconv/dialects/scf';
import { cast } from '@sconv/dialects/tensor';
import type { RewritePattern, Rewriter, Value } from '@sconv/ir';
import { bodyOf, terminatorOf } from '@sconv/ir';
import { inlineInPlace, kept, withoutArguments, withResults } from '../bodies.ts';
import { definedBy, integerConstant, isSame, onOp, recreate } from '../match.ts';
import { tensorCast, throughCast } from './tensor-cast.ts';

/**
 * `upper - lower`, if constant.
 *
 * @deviation Upstream takes it that `lower + c` does not wrap; here that is so for indices, and where the sum says it.
 */
export const constantDifference = (rewriter: Rewriter, lower: Value, upper: Value): number | undefined => {
  const [from, to] = [integerConstant(rewriter, lower), integerConstant(rewriter, upper)];
  if (from !== undefined && to !== undefined) return to - from;
  if (isSame(lower, upper)) return 0;
  const addition = definedBy(rewriter, upper, addi);
  if (addition === undefined) return undefined;
  if (upper.type.kind !== 'index' && !addi.attributes(addition).overflowFlags.includes('nsw'))
    return undefined;
  const sum = addition.operands;
  return isSame(sum[0], lower)
    ? integerConstant(rewriter, sum[1])
    : isSame(sum[1], lower)
      ? integerConstant(rewriter, sum[0])
      : undefined;
};

/** A loop with a trip count of zero or one, or with loop-invariant results. */
const trivialLoop = onOp(forOp, 'trivial-for', (rewriter, operation) => {
  const { lowerBound, upperBound, step, initArgs } = forOp.operands(operation);
  const distance = constantDifference(rewriter, lowerBound, upperBound);
  if (distance === undefined) return;
  if (distance <= 0) {
    rewriter.replaceOperation(operation, initArgs);
    return;
  }
  const size = integerConstant(rewriter, step);
  const body = bodyOf(operation);
  if (size !== undefined && size >= distance) {
    inlineInPlace(rewriter, operation, body, [lowerBound, ...initArgs]);
    return;
  }
  const last = terminatorOf(body);
  if (body.first !== last) return;
  if (last.operands.every((value) => rewriter.isDefinedOutside(value, operation)))
    rewriter.replaceOperation(operation, last.operands);
});

/** Iter args that are loop-invariant or dead. */
const uselessIterArgs = onOp(forOp, 'useless-iter-args', (rewriter, operation) => {
  const { initArgs } = forOp.operands(operation);
  const body = bodyOf(operation);
  const last = terminatorOf(body);
  const [, ...carried] = body.arguments;
  const keep = initArgs.map((init, i) => {
    const [argument, yielded, result] = [carried[i]!, last.operands[i]!, operation.results[i]!];
    const isUnused = !rewriter.hasUses(argument) && !rewriter.hasUses(result);
    return !(isSame(argument, yielded) || isSame(init, yielded) || isUnused);
  });
  if (keep.every((each) => each)) return;
  // The yield must not use the definitions of dropped values.
  rewriter.setOperands(last, kept(last.operands, keep));
  withoutArguments(rewriter, body, keep, initArgs, 1);
  withResults(rewriter, operation, keep, initArgs, {
    operands: [...operation.operands.slice(0, 3), ...kept(initArgs, keep)],
  });
});

/** An iter arg that is cast to a less static type before the loop. */
const iterArgOfCast = onOp(forOp, 'iter-arg-of-cast', (rewriter, operation) => {
  const { initArgs } = forOp.operands(operation);
  const at = initArgs.findIndex((init, i) => {
    const source = throughCast(rewriter, init);
    return source !== undefined && rewriter.users(operation.results[i]!).length === 1;
  });
  const source = definedBy(rewriter, initArgs[at], cast)?.operands[0];
  if (source === undefined) return;
  const body = bodyOf(operation);
  const { type } = initArgs[at]!;
  const argument = rewriter.changeArgumentType(body, at + 1, source.type);
  rewriter.scoped(() => {
    rewriter.setInsertionPointToStart(body);
    const back = castTo(rewriter, argument, type, tensorCast);
    const made = rewriter.definingOperation(back);
    rewriter.replaceUsesIf(argument, back, (user) => user !== made);
    const last = terminatorOf(body);
    rewriter.setInsertionPointBefore(last);
    rewriter.setOperand(last, at, castTo(rewriter, last.operands[at]!, source.type, tensorCast));
  });
  const operands = operation.operands.with(3 + at, source);
  const resultTypes = operands.slice(3).map((each) => each.type);
  const made = recreate(rewriter, operation, { operands, resultTypes });
  rewriter.replaceOperation(
    operation,
    made.results.map((value, i) => castTo(rewriter, value, operation.results[i]!.type, tensorCast)),
    [made],
  );
});

export const scfForPatterns: readonly RewritePattern[] = [uselessIterArgs, trivialLoop, iterArgOfCast];
