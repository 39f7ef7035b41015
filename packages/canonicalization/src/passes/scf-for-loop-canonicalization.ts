/**
 * The pass `scf-for-loop-canonicalization`: simplifies `affine.min` and `affine.max` by loop bounds, and sizes of
 * loop-carried tensors whose shape does not change.
 */
import type { AffineExpr, AffineMap, Bounds } from '@sconv/affine';
import { dim, ifAffine, makeMap, range, substitute, symbol } from '@sconv/affine';
import { success } from '@sconv/diagnostics';
import {
  applied,
  indexNumber,
  indexValue,
  knownBounds,
  loopLike,
  normalApplication,
  tripCount,
} from '@sconv/dialects';
import { max, min } from '@sconv/dialects/affine';
import type { LoopBounds } from '@sconv/dialects/scf';
import { forall, forallBounds, forBounds, forOp, parallel } from '@sconv/dialects/scf';
import { cast, dim as tensorDim, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { applyPatternsGreedily, bodyOf, defineOperationPass, modelOf, terminatorOf } from '@sconv/ir';
import { destinationStart, onOp, onOps } from '../match.ts';

/** The bounds of an induction variable. */
const boundsOf = (rewriter: Rewriter, value: Value): LoopBounds | undefined => {
  const loop = rewriter.owningBlock(value)?.region.operation;
  if (loop === undefined) return undefined;
  const position = modelOf(rewriter.registry, loopLike, loop)
    ?.inductionVariables(loop)
    .findIndex(({ id }) => id === value.id);
  if (position === undefined || position < 0) return undefined;
  if (forOp.is(loop)) return forBounds(loop);
  if (parallel.is(loop)) {
    const { lowerBound, upperBound, step } = parallel.operands(loop);
    return { lower: lowerBound[position]!, upper: upperBound[position]!, step: step[position]! };
  }
  return forall.is(loop) ? forallBounds(loop)[position] : undefined;
};

/** A value as an expression of dimension `position`, with the bounds of that dimension. */
export interface BoundedValue {
  readonly expr: AffineExpr;
  readonly bounds: Bounds;
}

/** What is known about a value; undefined if nothing. */
export type KnownBounds = (rewriter: Rewriter, value: Value, position: number) => BoundedValue | undefined;

/** The induction variable as an expression of the iteration number, dimension `position`; bounded by the trip count. */
const iterationOf: KnownBounds = (rewriter, value, position) => {
  const found = boundsOf(rewriter, value);
  const known = found && knownBounds(found, (bound) => indexNumber(rewriter, bound));
  if (known === undefined || tripCount(known) === 0) return undefined;
  return { expr: dim(position).mul(known.step).add(known.lower), bounds: [0, tripCount(known)] };
};

/** A minimum or maximum that is always the same operand, given bounds on values. */
export const decidedExtremes = (boundsOf: KnownBounds): readonly RewritePattern[] =>
  onOps([min, max], 'decided-affine-extreme', (rewriter, operation) => {
    const { map } = operation.attributes;
    if (map?.kind !== 'affine-map') return;
    const normal = normalApplication(rewriter, map.map, operation.operands);
    if (normal === undefined) return;
    const decided = decidedResult(
      normal.subject,
      normal.operands.map((operand, i) => boundsOf(rewriter, operand, i)),
      min.is(operation),
    );
    if (decided === undefined) return;
    const { numDims, numSymbols } = normal.subject;
    const subject = makeMap(numDims, numSymbols, [decided]);
    rewriter.replaceOperation(operation, [
      indexValue(rewriter, applied(rewriter, { subject, operands: normal.operands })),
    ]);
  });

const decidedResult = (
  map: AffineMap,
  operands: readonly (BoundedValue | undefined)[],
  isMin: boolean,
): AffineExpr | undefined => {
  const bounds = operands.map((operand) => operand?.bounds);
  const values = operands.map((operand, i) => operand?.expr ?? symbol(i));
  return ifAffine(() => {
    const results = map.results.map((result) =>
      substitute(result, { dims: values.slice(0, map.numDims), symbols: values.slice(map.numDims) }),
    );
    const at = results.findIndex((result) =>
      results.every((other) => {
        const difference = isMin ? other.sub(result) : result.sub(other);
        return range(difference, { dims: bounds }).lo >= 0;
      }),
    );
    return at < 0 ? undefined : map.results[at];
  });
};

/** Whether a value has the shape of an iter arg: derived from it through destinations only. */
const keepsShape = (rewriter: Rewriter, value: Value, argument: Value): boolean => {
  let at = value;
  for (;;) {
    if (at.id === argument.id) return true;
    const source = rewriter.definingOperation(at);
    if (source === undefined) return false;
    const result = source.results.findIndex(({ id }) => id === at.id);
    const first = destinationStart(rewriter.registry, source);
    if (cast.is(source)) at = source.operands[0]!;
    else if (insertSlice.is(source)) at = source.operands[1]!;
    else if (forOp.is(source)) {
      const { initArgs } = forOp.operands(source);
      if (!carriesShape(rewriter, source, result)) return false;
      at = initArgs[result]!;
    } else if (first !== undefined) {
      const inits = source.operands.slice(first).filter(({ type }) => type.kind === 'tensor');
      const init = inits[result];
      if (init === undefined) return false;
      at = init;
    } else return false;
  }
};

const carriesShape = (rewriter: Rewriter, loop: DraftOperation, position: number): boolean => {
  const body = bodyOf(loop);
  const yielded = terminatorOf(body).operands[position];
  const argument = body.arguments[1 + position];
  return yielded !== undefined && argument !== undefined && keepsShape(rewriter, yielded, argument);
};

/** The size of a loop-carried tensor is that of its initial value. */
const dimOfCarried = onOp(tensorDim, 'dim-of-loop-carried', (rewriter, operation) => {
  const [tensor] = operation.operands;
  if (tensor === undefined) return;
  const made = rewriter.definingOperation(tensor);
  const loop = made ?? rewriter.owningBlock(tensor)?.region.operation;
  if (loop === undefined || !forOp.is(loop)) return;
  const position =
    made === undefined
      ? bodyOf(loop).arguments.findIndex(({ id }) => id === tensor.id) - 1
      : loop.results.findIndex(({ id }) => id === tensor.id);
  const init = forOp.operands(loop).initArgs[position];
  if (init !== undefined && carriesShape(rewriter, loop, position)) rewriter.setOperand(operation, 0, init);
});

export const loopPatterns: readonly RewritePattern[] = [...decidedExtremes(iterationOf), dimOfCarried];

export const scfForLoopCanonicalization = defineOperationPass({
  name: 'scf-for-loop-canonicalization',
  title: 'SCFForLoopCanonicalization',
  summary: 'simplify code in loops by their bounds',
  runOn: (rewriter, operation) => {
    applyPatternsGreedily(rewriter, [operation], loopPatterns);
    return success(undefined);
  },
});
