/** Unrolls an `affine.for` with a known trip count: upstream's `loopUnrollByFactor`. */
import type { AffineMap } from '@sconv/affine';
import { constant, dim, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { applyComposed, composeApplication, createIndex, knownBounds, tripCount } from '@sconv/dialects';
import { forOp } from '@sconv/dialects/affine';
import type { LoopBounds } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import {
  affineMapAttribute,
  bodyOf,
  denseArrayAttribute,
  i32,
  indexType,
  integerAttribute,
  terminatorOf,
} from '@sconv/ir';
import { createCopyAfter } from './rest-loop.ts';
import { lengthProblem, unrollBody } from './unroll-body.ts';

/** Unrolls an `affine.for` by `factor`, with a remainder loop after it. */
export const unrollAffineOp = (
  rewriter: Rewriter,
  loop: DraftOperation,
  factor: number,
): Diagnosed<undefined> => {
  const body = bodyOf(loop);
  if (body.operations.length === 1) return success(undefined);
  const bounds = constantAffineBounds(rewriter, loop);
  if (bounds === undefined)
    return silenceableError('unroll/failed', 'failed to unroll: the bounds are not constant', loop);
  const count = tripCount(bounds);
  if (factor === 1) {
    if (count === 1) promote(rewriter, loop);
    return success(undefined);
  }
  const problem = count < factor ? undefined : lengthProblem(rewriter, loop, factor);
  if (problem !== undefined) return problem;
  const end = bounds.lower + (count - (count % factor)) * bounds.step;
  const rest = count % factor === 0 ? undefined : createRest(rewriter, loop, end);
  if (count < factor) {
    // Everything is remainder.
    rewriter.replaceOperation(loop, forOp.operands(loop).inits);
    if (rest !== undefined && count === 1) promote(rewriter, rest);
    return success(undefined);
  }
  setBounds(rewriter, loop, rest === undefined ? {} : { upper: end }, bounds.step * factor);
  unrollBody(rewriter, body, factor, (copy, variable) =>
    applyComposed(rewriter, makeMap(1, 0, [dim(0).add(copy * bounds.step)]), [variable]),
  );
  if (rest !== undefined && count % factor === 1) promote(rewriter, rest);
  if (count - (count % factor) === factor) promote(rewriter, loop);
  return success(undefined);
};

/** The bounds of an `affine.for` as numbers; undefined if one is unknown. */
export const constantAffineBounds = (
  rewriter: Rewriter,
  loop: DraftOperation,
): LoopBounds<number> | undefined => {
  const { lowerBoundOperands, upperBoundOperands } = forOp.operands(loop);
  const { lowerBoundMap, upperBoundMap, step } = forOp.attributes(loop);
  const numberOf = (map: AffineMap, operands: readonly Value[]): number | undefined => {
    const [result, ...others] = composeApplication(rewriter, map, operands).map.results;
    return result?.kind === 'constant' && others.length === 0 ? result.value : undefined;
  };
  const [lower, upper] = [
    numberOf(lowerBoundMap, lowerBoundOperands),
    numberOf(upperBoundMap, upperBoundOperands),
  ];
  return knownBounds({ lower, upper, step }, (bound) => bound);
};

/** Sets constant bounds and a new step. */
const setBounds = (
  rewriter: Rewriter,
  loop: DraftOperation,
  { lower, upper }: { readonly lower?: number; readonly upper?: number },
  step: number,
  inits: readonly Value[] = forOp.operands(loop).inits,
): void => {
  const { lowerBoundOperands, upperBoundOperands } = forOp.operands(loop);
  const groups = [
    lower === undefined ? lowerBoundOperands : [],
    upper === undefined ? upperBoundOperands : [],
    inits,
  ];
  const mapOf = (bound: number) => affineMapAttribute(makeMap(0, 0, [constant(bound)]));
  rewriter.setOperands(loop, groups.flat());
  rewriter.setAttributes(loop, {
    ...loop.attributes,
    ...(lower === undefined ? {} : { lowerBoundMap: mapOf(lower) }),
    ...(upper === undefined ? {} : { upperBoundMap: mapOf(upper) }),
    step: integerAttribute(step, indexType),
    operandSegmentSizes: denseArrayAttribute(
      groups.map(({ length }) => length),
      i32,
    ),
  });
};

/** The rest of a loop from `from` on. */
const createRest = (rewriter: Rewriter, loop: DraftOperation, from: number): DraftOperation => {
  const rest = createCopyAfter(rewriter, loop);
  setBounds(rewriter, rest, { lower: from }, forOp.attributes(loop).step, loop.results);
  return rest;
};

/** Inlines the body of a single-iteration loop. */
const promote = (rewriter: Rewriter, loop: DraftOperation): void => {
  const { lowerBoundOperands, inits } = forOp.operands(loop);
  const { lowerBoundMap } = forOp.attributes(loop);
  const [bound] = lowerBoundMap.results;
  const body = bodyOf(loop);
  rewriter.setInsertionPointBefore(loop);
  const variable =
    bound?.kind === 'constant'
      ? createIndex(rewriter, bound.value)
      : applyComposed(rewriter, lowerBoundMap, lowerBoundOperands);
  const terminator = terminatorOf(body);
  rewriter.inlineBlock(body, [variable, ...inits]);
  rewriter.replaceOperation(loop, terminator.operands, []);
  rewriter.eraseOperation(terminator);
};
