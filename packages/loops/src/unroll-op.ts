/** Unrolls a loop: upstream's `loopUnrollByFactor`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { mayBeReversed, tripCount } from '@sconv/dialects';
import { addi, divui, maxsi, muli, remsi, remui, subi } from '@sconv/dialects/arith';
import { forOp as affineFor } from '@sconv/dialects/affine';
import type { LoopBounds } from '@sconv/dialects/scf';
import { forBounds, forOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, builder } from '@sconv/ir';
import { checkInteger, constantBounds, createInteger, integerOf } from './constant-bounds.ts';
import { promoteIfOneIterationOp } from './promote-if-one-iteration-op.ts';
import { createRest } from './rest-loop.ts';
import { unrollAffineOp } from './unroll-affine-op.ts';
import { checkFactor, lengthProblem, unrollBody } from './unroll-body.ts';

/**
 * Unrolls an `scf.for`, or an `affine.for` with known bounds, by `factor`, with a remainder loop after it.
 * Single-iteration loops are replaced by their bodies. Fails with `unroll/too-long` for a body of more than 2^18
 * operations, and throws a RangeError for a factor that is no integer above 0.
 *
 * @deviation For loops over integers upstream creates constants of type `index`, which is invalid IR; and it runs a
 * loop whose upper bound is below the lower one.
 */
export const unrollOp = (rewriter: Rewriter, loop: DraftOperation, factor: number): Diagnosed<undefined> => {
  checkFactor(factor);
  if (affineFor.is(loop)) return unrollAffineOp(rewriter, loop, factor);
  if (!forOp.is(loop)) {
    const message = `failed to unroll: expected an scf.for or affine.for, got '${loop.name}'`;
    return silenceableError('unroll/failed', message, loop);
  }
  const body = bodyOf(loop);
  if (body.operations.length === 1) return success(undefined);
  const bounds = forBounds(loop);
  const known = constantBounds(rewriter, bounds);
  if (known !== undefined && factor === 1) {
    promoteIfOneIterationOp(rewriter, loop);
    return success(undefined);
  }
  const problem = lengthProblem(rewriter, loop, factor);
  if (problem !== undefined) return problem;
  rewriter.setInsertionPointBefore(loop);
  const { upper, step } =
    known === undefined
      ? computedBounds(rewriter, bounds, factor)
      : knownBounds(rewriter, bounds, known, factor);
  // Before unrolling: the remainder is a copy of the original loop.
  const rest = upper === bounds.upper ? undefined : createRest(rewriter, loop, upper);
  const { lower } = bounds;
  rewriter.setOperands(loop, [lower, upper, step, ...forOp.operands(loop).initArgs]);
  unrollBody(rewriter, body, factor, (copy, variable) => {
    const build = builder(rewriter);
    const count = createInteger(rewriter, copy, variable.type);
    const distance = build(muli, { lhs: bounds.step, rhs: count });
    return build(addi, { lhs: variable, rhs: distance });
  });
  if (rest !== undefined) promoteIfOneIterationOp(rewriter, rest);
  promoteIfOneIterationOp(rewriter, loop);
  return success(undefined);
};

/** The bounds of the unrolled loop; its upper bound is the original one if nothing remains. */
const knownBounds = (
  rewriter: Rewriter,
  { upper, step }: LoopBounds<Value>,
  known: LoopBounds<number>,
  factor: number,
): Pick<LoopBounds<Value>, 'upper' | 'step'> => {
  const count = tripCount(known);
  const end = known.lower + (count - (count % factor)) * known.step;
  return {
    upper: end < known.upper ? createInteger(rewriter, end, upper.type) : upper,
    step: createInteger(rewriter, known.step * factor, step.type),
  };
};

/** The same for dynamic bounds; as upstream, the trip count is rounded up by unsigned division. */
const computedBounds = (
  rewriter: Rewriter,
  { lower, upper, step }: LoopBounds<Value>,
  factor: number,
): Pick<LoopBounds<Value>, 'upper' | 'step'> => {
  const build = builder(rewriter);
  checkInteger((integerOf(rewriter, step) ?? 1n) * BigInt(factor), step.type);
  const end: Value = mayBeReversed(rewriter, { lower, upper })
    ? build(maxsi, { lhs: upper, rhs: lower })
    : upper;
  const difference = build(subi, { lhs: end, rhs: lower });
  const one = createInteger(rewriter, 1, step.type);
  const below = build(subi, { lhs: step, rhs: one });
  const sum = build(addi, { lhs: difference, rhs: below });
  const count = build(divui, { lhs: sum, rhs: step });
  const by = createInteger(rewriter, factor, step.type);
  // A count of narrow integers may have the sign bit; one of indices has not, and upstream divides it so.
  const left = build(step.type.kind === 'index' ? remsi : remui, { lhs: count, rhs: by });
  const whole = build(subi, { lhs: count, rhs: left });
  const length = build(muli, { lhs: whole, rhs: step });
  return {
    upper: build(addi, { lhs: lower, rhs: length }),
    step: build(muli, { lhs: step, rhs: by }),
  };
};
