/** Two tile sizes that together leave no remainder, as `linalg::computeMultiTileSizes`. */
import type { AffineMap } from '@sconv/affine';
import { affineMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { createIndex, indexValue, maxFolded, tileableOf } from '@sconv/dialects';
import { cmpi } from '@sconv/dialects/arith';
import { assert } from '@sconv/dialects/cf';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { createApply } from './create-apply.ts';

/** Tiles of `low` iterations before the split point, and of `high` after it. */
export interface MultitileSizes<T> {
  readonly low: T;
  readonly high: T;
  readonly point: T;
}

/** A dimension to tile by about `target` iterations, a multiple of `divisor`. */
export interface MultitileTarget {
  readonly dimension: number;
  readonly target: number;
  readonly divisor: number;
}

const isPositive = ({ target, divisor }: MultitileTarget): boolean =>
  [target, divisor].every((number) => Number.isSafeInteger(number) && number > 0);

const overflow = (operation: DraftOperation) =>
  silenceableError('tile/multitile', 'failed to compute multi-size tiling sizes', operation);

/** The sizes for a static dimension. */
export const multitileNumbers = (
  rewriter: Rewriter,
  operation: DraftOperation,
  of: MultitileTarget,
): Diagnosed<MultitileSizes<number>> => {
  const range = structured(rewriter.registry, operation)?.loopRanges[of.dimension];
  if (range === undefined || !isPositive(of)) return overflow(operation);
  if (range === DYNAMIC) {
    const message = 'cannot compute parametric tile sizes for dynamically shaped payload op';
    return silenceableError('tile/multitile-dynamic', message, operation);
  }
  const units = Math.floor(range / of.divisor);
  const wanted = Math.ceil(of.target / of.divisor);
  const count = Math.ceil(units / wanted);
  if (count === 0) return overflow(operation);
  const low = Math.floor(units / count) * of.divisor;
  const high = low + of.divisor;
  const highCount = units % count;
  const point = low * (count - highCount);
  return point + high * highCount === range ? success({ low, high, point }) : overflow(operation);
};

const maps = {
  units: affineMap('()[s0, s1] -> (s0 floordiv s1)'),
  roundedUp: affineMap('()[s0, s1] -> ((s0 + s1 - 1) floordiv s1)'),
  atLeastOne: affineMap('()[s0] -> (s0, 1)'),
  low: affineMap('()[s0, s1, s2] -> ((s0 floordiv s1) * s2)'),
  either: affineMap('()[s0, s1] -> (s0, s1)'),
  rest: affineMap('()[s0, s1] -> (s0 mod s1)'),
  difference: affineMap('()[s0, s1] -> (s0 - s1)'),
  sum: affineMap('()[s0, s1] -> (s0 + s1)'),
  product: affineMap('()[s0, s1] -> (s0 * s1)'),
  covered: affineMap('()[s0, s1, s2, s3] -> (s0 * s1 + s2 * s3)'),
};

/**
 * Creates ops before `operation` that compute the sizes, and assert that they cover the dimension.
 *
 * @deviation Fails for a static dimension smaller than the divisor, as upstream does only for parameters: the ops would
 * divide by 0. A dynamic one may be empty: there are then no tiles, of sizes above 0.
 */
export const multitileValues = (
  rewriter: Rewriter,
  operation: DraftOperation,
  of: MultitileTarget,
): Diagnosed<MultitileSizes<DraftOperation>> => {
  const tileable = tileableOf(rewriter.registry, operation);
  if (tileable?.isParallel[of.dimension] === undefined || !isPositive(of)) return overflow(operation);
  const known = structured(rewriter.registry, operation)?.loopRanges[of.dimension] ?? DYNAMIC;
  if (known !== DYNAMIC && known < of.divisor) return overflow(operation);
  rewriter.setInsertionPointBefore(operation);
  const target = createIndex(rewriter, of.target);
  const divisor = createIndex(rewriter, of.divisor);
  const range = indexValue(rewriter, tileable.domain(rewriter)[of.dimension]!);
  const applied = (map: AffineMap, ...operands: readonly Value[]): DraftOperation =>
    createApply(rewriter, map, operands);
  const value = (definition: DraftOperation): Value => definition.results[0]!;
  const units = value(applied(maps.units, range, divisor));
  const wanted = value(applied(maps.roundedUp, target, divisor));
  const count = value(applied(maps.roundedUp, units, wanted));
  const atLeast = (map: AffineMap, ...operands: readonly Value[]): DraftOperation =>
    rewriter.definingOperation(indexValue(rewriter, maxFolded(rewriter, map, operands)))!;
  const isEmptyPossible = known === DYNAMIC;
  const parts = isEmptyPossible ? value(atLeast(maps.atLeastOne, count)) : count;
  const size = applied(maps.low, units, parts, divisor);
  const low = isEmptyPossible ? atLeast(maps.either, value(size), divisor) : size;
  const highCount = value(applied(maps.rest, units, parts));
  const lowCount = value(applied(maps.difference, count, highCount));
  const high = applied(maps.sum, value(low), divisor);
  const covered = value(applied(maps.covered, value(low), lowCount, value(high), highCount));
  const arg = rewriter.createValue(
    cmpi.state({ operands: { lhs: covered, rhs: range }, attributes: { predicate: 'eq' } }),
  );
  rewriter.create(
    assert.state({
      operands: { arg },
      attributes: { msg: 'could not compute dynamic multi-size tile shapes' },
    }),
  );
  return success({ low, high, point: applied(maps.product, value(low), lowCount) });
};
