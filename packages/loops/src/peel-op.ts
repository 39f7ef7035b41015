/**
 * Peels the first iteration or the partial last one off a loop: upstream's `peelForLoopFirstIteration`,
 * `peelForLoopAndSimplifyBounds`.
 */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim, ifAffine, makeMap, range, substitute, symbol } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { indexNumber, mayBeReversed, normalApplication, tripCount } from '@sconv/dialects';
import { apply, max, min } from '@sconv/dialects/affine';
import type { LoopBounds } from '@sconv/dialects/scf';
import { forBounds, forOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, indexType } from '@sconv/ir';
import { constantBounds, createInteger } from './constant-bounds.ts';
import { createRest } from './rest-loop.ts';

/** The original loop with fewer iterations, and the peeled one. */
export interface PeeledLoop {
  readonly loop: DraftOperation;
  readonly remainder: DraftOperation;
}

const [s0, s1, s2] = [symbol(0), symbol(1), symbol(2)];

/**
 * Lowers the upper bound of an `scf.for` to a multiple of its step; a remainder loop after it runs the partial
 * iteration. In both, resolves each `affine.min` and `affine.max` that this decides.
 *
 * @deviation Where the upper bound may be below the lower one, neither loop begins below the latter: upstream's
 * remainder then runs iterations that the loop did not have.
 */
export const peelOp = (rewriter: Rewriter, loop: DraftOperation): Diagnosed<PeeledLoop> => {
  if (!forOp.is(loop)) return notPeeled('peel/last', loop);
  const bounds = forBounds(loop);
  const { lower, upper, step } = bounds;
  const operands = [lower, upper, step];
  const stepSize = indexNumber(rewriter, step);
  const left = normalApplication(rewriter, makeMap(0, 3, [s1.sub(s0).mod(s2)]), operands)?.subject.results[0];
  const known = constantBounds(rewriter, bounds);
  if (
    (stepSize !== undefined && stepSize <= 1) ||
    (left?.kind === 'constant' && left.value === 0) ||
    (known === undefined ? upper.type.kind !== 'index' : known.upper <= known.lower)
  )
    return silenceableError('peel/last', 'failed to peel the last iteration', loop);
  rewriter.setInsertionPointBefore(loop);
  const split =
    known === undefined
      ? createSplit(rewriter, bounds)
      : createInteger(rewriter, known.upper - mod(known.upper - known.lower, known.step), upper.type);
  const remainder = createRest(rewriter, loop, split);
  rewriter.setOperands(loop, [lower, split, step, ...loop.operands.slice(3)]);
  decideExtremes(rewriter, loop, upper, true);
  decideExtremes(rewriter, remainder, upper, false);
  return success({ loop, remainder });
};

/**
 * Starts an `scf.for` at its second iteration; a loop before it runs the first one.
 *
 * @deviation With dynamic bounds, upstream's peeled loop runs even if the loop had no iterations; here it ends at the
 * upper bound.
 */
export const peelFrontOp = (rewriter: Rewriter, loop: DraftOperation): Diagnosed<PeeledLoop> => {
  if (!forOp.is(loop)) return notPeeled('peel/first', loop);
  const bounds = forBounds(loop);
  const { lower, upper, step } = bounds;
  const known = constantBounds(rewriter, bounds);
  if (known === undefined ? upper.type.kind !== 'index' : tripCount(known) <= 1)
    return silenceableError('peel/first', 'failed to peel the first iteration', loop);
  rewriter.setInsertionPointBefore(loop);
  const split =
    known === undefined
      ? rewriter.createValue(
          min.state({
            operands: { mapOperands: [lower, step, upper] },
            attributes: { map: makeMap(0, 3, [s0.add(s1), s2]) },
            resultTypes: [indexType],
          }),
        )
      : createInteger(rewriter, known.lower + known.step, upper.type);
  const remainder = rewriter.clone(loop);
  rewriter.setOperands(remainder, [lower, split, step, ...loop.operands.slice(3)]);
  rewriter.setOperands(loop, [split, upper, step, ...remainder.results]);
  return success({ loop, remainder });
};

/** The failure at what is not an `scf.for`. */
const notPeeled = (code: 'peel/first' | 'peel/last', operation: DraftOperation) =>
  silenceableError(code, `failed to peel: expected an scf.for, got '${operation.name}'`, operation);

const mod = (a: number, b: number): number => ((a % b) + b) % b;

/** The upper bound less the partial step; not below the lower bound. */
const createSplit = (rewriter: Rewriter, { lower, upper, step }: LoopBounds<Value>): Value => {
  const whole = s1.sub(s1.sub(s0).mod(s2));
  const isOrdered = !mayBeReversed(rewriter, { lower, upper });
  return rewriter.createValue(
    (isOrdered ? apply : max).state({
      operands: { mapOperands: [lower, upper, step] },
      attributes: { map: makeMap(0, 3, isOrdered ? [whole] : [s0, whole]) },
      resultTypes: [indexType],
    }),
  );
};

/** Replaces minima and maxima that are decided when a whole step is left, or when none is. */
const decideExtremes = (rewriter: Rewriter, loop: DraftOperation, upper: Value, isWhole: boolean): void => {
  for (const operation of rewriter.walk(loop)) {
    if (!min.is(operation) && !max.is(operation)) continue;
    const { map } = operation.attributes;
    if (map?.kind !== 'affine-map') continue;
    const normal = normalApplication(rewriter, map.map, operation.operands);
    if (normal === undefined) continue;
    const { subject, operands } = normal;
    const { numDims, numSymbols } = subject;
    const position = (value: Value): AffineExpr => {
      const known = indexNumber(rewriter, value);
      if (known !== undefined) return constant(known);
      const at = operands.findIndex(({ id }) => id === value.id);
      return symbol(1 + (at < 0 ? operands.length + (value.id === upper.id ? 0 : 1) : at));
    };
    const variable = bodyOf(loop).arguments[0]!;
    // The induction variable by its distance, dim 0, from the last whole step.
    const values = operands.map((operand, i) => {
      if (operand.id !== variable.id) return symbol(1 + i);
      const lastWhole = position(upper).sub(position(forBounds(loop).step));
      return isWhole ? lastWhole.sub(dim(0)) : lastWhole.add(dim(0)).add(1);
    });
    const decided = decidedResult(
      subject.results,
      (expr) => substitute(expr, { dims: values.slice(0, numDims), symbols: values.slice(numDims) }),
      min.is(operation),
    );
    if (decided === undefined) continue;
    const chosen = normalApplication(rewriter, makeMap(numDims, numSymbols, [decided]), operands);
    if (chosen === undefined) continue;
    rewriter.replaceWith(
      operation,
      apply.state<Rewriter>({
        operands: { mapOperands: chosen.operands },
        attributes: { map: chosen.subject },
        resultTypes: [indexType],
      }),
    );
  }
};

const decidedResult = (
  results: readonly AffineExpr[],
  valueOf: (expr: AffineExpr) => AffineExpr,
  isMin: boolean,
): AffineExpr | undefined => {
  return ifAffine(() => {
    const values = results.map(valueOf);
    return results.find((_, at) =>
      values.every((other) => {
        const difference = isMin ? other.sub(values[at]!) : values[at]!.sub(other);
        return range(difference, { dims: [[0, Infinity]] }).lo >= 0;
      }),
    );
  });
};
