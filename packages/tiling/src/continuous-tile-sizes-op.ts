/** Tile sizes that decrease by powers of two until nothing is left, as `linalg::computeContinuousTileSizes`. */
import type { AffineMap } from '@sconv/affine';
import { affineMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, createIndex, indexValue, tileableOf } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, isShaped, isStaticShape } from '@sconv/ir';
import { createApply } from './create-apply.ts';

/** Tile sizes, and the total number of iterations covered by the tiles of each size. */
export interface ContinuousTileSizes<T> {
  readonly sizes: readonly T[];
  readonly chunks: readonly T[];
}

/** A dimension to tile by `target` iterations as far as possible. */
export interface ContinuousTarget {
  readonly dimension: number;
  readonly target: number;
}

/** The next smaller power of two. */
const smaller = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);

const isTarget = (target: number): boolean => Number.isSafeInteger(target) && target >= 1;

/** The sizes for a static dimension. */
export const continuousNumbers = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { dimension, target }: ContinuousTarget,
): Diagnosed<ContinuousTileSizes<number>> => {
  const view = structured(rewriter.registry, operation);
  if (view === undefined) return notStructured(operation);
  const isKnown = operation.operands.every(({ type }) => !isShaped(type) || isStaticShape(type));
  const range = view.loopRanges[dimension];
  if (range === undefined || !isTarget(target)) {
    const message = 'failed to compute multi-size tiling sizes';
    return silenceableError('tile/continuous', message, operation);
  }
  if (!isKnown || range === DYNAMIC) {
    const message = 'cannot compute parametric tile sizes for dynamically shaped payload op';
    return silenceableError('tile/continuous-dynamic', message, operation);
  }
  const sizes = [target];
  const chunks = [range - (range % target)];
  for (let size = target, rest = range % target; size > 1 && rest > 0; rest %= size) {
    size = smaller(size);
    if (rest < size) continue;
    sizes.push(size);
    chunks.push(rest - (rest % size));
  }
  return success({ sizes, chunks });
};

const notStructured = (operation: DraftOperation) =>
  definite(error('tile/continuous-structured', 'expected Linalg Op', operation.location));

const quotient = affineMap('()[s0, s1] -> (s0 floordiv s1)');
const rest = affineMap('()[s0, s1] -> (s0 mod s1)');
const product = affineMap('()[s0, s1] -> (s0 * s1)');

/** Creates ops before `operation` that compute the sizes: constants, and the number of iterations that each covers. */
export const continuousValues = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { dimension, target }: ContinuousTarget,
): Diagnosed<ContinuousTileSizes<DraftOperation>> => {
  const view = structured(rewriter.registry, operation);
  const tileable = tileableOf(rewriter.registry, operation);
  if (view === undefined || tileable === undefined) return notStructured(operation);
  if (view.loopRanges[dimension] === undefined || !isTarget(target)) {
    const message = 'could not generate tile size computation';
    return silenceableError('tile/continuous', message, operation);
  }
  rewriter.setInsertionPointBefore(operation);
  const range: MixedIndex = tileable.domain(rewriter)[dimension]!;
  const apply = (map: AffineMap, ...operands: readonly Value[]): Value =>
    createApply(rewriter, map, operands).results[0]!;
  const targetValue = createIndex(rewriter, target);
  const rangeValue = indexValue(rewriter, range);
  const tiles: (readonly [size: Value, count: Value])[] = [
    [targetValue, apply(quotient, rangeValue, targetValue)],
  ];
  let left = apply(rest, rangeValue, targetValue);
  // Upstream recomputes each tile count to see whether it is constant.
  applyFolded(rewriter, quotient, [rangeValue, targetValue]);
  for (let size = target; size > 1;) {
    size = smaller(size);
    const sizeValue = createIndex(rewriter, size);
    const count = apply(quotient, left, sizeValue);
    const known = applyFolded(rewriter, quotient, [left, sizeValue]);
    if (known !== 0) tiles.push([sizeValue, count]);
    left = apply(rest, left, sizeValue);
  }
  const definition = (value: Value): DraftOperation => {
    const found = rewriter.definingOperation(value);
    if (found === undefined) throw new Error('a size is computed by an op');
    return found;
  };
  return success({
    sizes: tiles.map(([size]) => definition(size)),
    chunks: tiles.map(([size, count]) => createApply(rewriter, product, [size, count])),
  });
};
