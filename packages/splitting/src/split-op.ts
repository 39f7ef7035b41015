/** Upstream's split: any structured op of any sizes, at a point that may be dynamic. */
import { affineMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, silenceableError, success } from '@sconv/diagnostics';
import type { MixedBox, MixedIndex, Tile, Tileable } from '@sconv/dialects';
import {
  applyFolded,
  indexNumber,
  insertSliceState,
  minFolded,
  tileableOf,
  unitStrideSlice,
} from '@sconv/dialects';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { structuredWith } from './structured-with.ts';

/** The parts of a split: iterations below the point, and from it on, if any. */
export interface SplitResult {
  readonly first: DraftOperation;
  readonly second: DraftOperation | undefined;
}

const bounded = affineMap('(d0, d1, d2) -> (d0, d1 + d2)');
const rest = affineMap('(d0, d1, d2) -> (d0 + d1 - d2)');
const sum = affineMap('(d0, d1) -> (d0 + d1)');

/**
 * Splits the iteration domain of a structured op into `[0, at)` and `[at, extent)` of `dimension`, like
 * `linalg::splitOp`. A point beyond the end is clamped to it; if that is known statically, the op is left unchanged.
 *
 * @deviation Refused if slicing would change the meaning of a map, or if it reorders a reduction whose body does not
 * allow that: there upstream miscompiles. `splitExactlyOp` splits any map.
 */
export const splitOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  dimension: number,
  at: MixedIndex,
): Diagnosed<SplitResult> =>
  andThen(structuredWith(rewriter, operation, dimension), ({ loopRanges }) => {
    const tileable = tileableOf(rewriter.registry, operation)!;
    const point = indexNumber(rewriter, at);
    if (point !== undefined && !(Number.isSafeInteger(point) && point >= 1)) {
      return silenceableError(
        'split/point',
        `split point ${point} is no iteration after the start of dimension ${dimension}`,
        operation,
      );
    }
    const box = loopRanges.map((_, position) => (position === dimension ? at : undefined));
    return mapSuccess(tileable.check(box), () => createParts(rewriter, operation, tileable, dimension, at));
  });

const createParts = (
  rewriter: Rewriter,
  operation: DraftOperation,
  tileable: Tileable,
  dimension: number,
  at: MixedIndex,
): SplitResult => {
  rewriter.setInsertionPointBefore(operation);
  const sizes = tileable.domain(rewriter);
  const extent = sizes[dimension]!;
  const point = minFolded(rewriter, bounded, [at, 0, extent]);
  const remaining = applyFolded(rewriter, rest, [0, extent, point]);
  if (remaining === 0) return { first: operation, second: undefined };
  const part = (offset: MixedIndex, size: MixedIndex, destinations: readonly Value[]): Part => {
    const box = {
      offsets: sizes.map((_, position) => (position === dimension ? offset : 0)),
      sizes: sizes.with(dimension, size),
    };
    return createPart(rewriter, tileable, box, destinations);
  };
  const low = part(0, point, tileable.destinations(rewriter));
  const high = part(applyFolded(rewriter, sum, [0, point]), remaining, low.destinations);
  const parts = [low.tile.operation, high.tile.operation] as const;
  rewriter.replaceOperation(operation, high.destinations, parts);
  return { first: parts[0], second: parts[1] };
};

/** A part, and the destinations with its results inserted. */
interface Part {
  readonly tile: Tile;
  readonly destinations: readonly Value[];
}

const createPart = (
  rewriter: Rewriter,
  tileable: Tileable,
  box: MixedBox,
  destinations: readonly Value[],
): Part => {
  const tile = tileable.tile(rewriter, box, destinations);
  return {
    tile,
    destinations: tile.values.map((source, result) => {
      const slice = unitStrideSlice(tileable.resultBox(rewriter, result, box));
      return rewriter.createValue(insertSliceState(source, destinations[result]!, slice));
    }),
  };
};

/**
 * Splits an op at several points, each `sizes[i]` iterations after the previous one, as long as iterations remain.
 * Returns the parts in order.
 */
export const splitManyOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  dimension: number,
  sizes: readonly MixedIndex[],
): Diagnosed<readonly DraftOperation[]> => {
  const [size, ...others] = sizes;
  if (size === undefined) return success([operation]);
  return andThen(splitOp(rewriter, operation, dimension, size), ({ first, second }) =>
    second === undefined
      ? success([first])
      : mapSuccess(splitManyOp(rewriter, second, dimension, others), (parts) => [first, ...parts]),
  );
};
