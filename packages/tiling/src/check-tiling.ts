/** What every way of tiling checks before it creates a loop. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import type { DraftOperation } from '@sconv/ir';

/** The failure at an op that cannot be tiled. */
export const notTileable = (operation: DraftOperation): Diagnosed<never> =>
  silenceableError(
    'tile/not-tileable',
    `only ops implementing TilingInterface are supported, got '${operation.name}'`,
    operation,
  );

/** Whether there are at most `rank` tile sizes, or numbers of tiles; known ones are integers of at least 0. */
const areTileNumbers = (numbers: readonly MixedIndex[], rank: number): boolean =>
  numbers.length <= rank &&
  numbers.every((each) => typeof each !== 'number' || (Number.isSafeInteger(each) && each >= 0));

const textOf = (numbers: readonly MixedIndex[]): string =>
  `[${numbers.map((each) => (typeof each === 'number' ? each : '?')).join(', ')}]`;

/** Fails with `tile/sizes` unless these may be the tile sizes of an op with `rank` loops; 0 for an untiled one. */
export const checkTileSizes = (
  operation: DraftOperation,
  sizes: readonly MixedIndex[],
  rank: number,
): Diagnosed<undefined> =>
  areTileNumbers(sizes, rank)
    ? success(undefined)
    : silenceableError(
        'tile/sizes',
        `expected up to ${rank} tile sizes of at least 0, got ${textOf(sizes)}`,
        operation,
      );

/**
 * Fails with `tile/sizes` unless these may be sizes or numbers of the tiles of one `scf.forall`, which some dimension
 * has.
 */
export const checkForallNumbers = (
  operation: DraftOperation,
  numbers: readonly MixedIndex[],
  isTiled: readonly boolean[],
): Diagnosed<undefined> => {
  const rank = isTiled.length;
  return areTileNumbers(numbers, rank) && isTiled.includes(true)
    ? success(undefined)
    : silenceableError(
        'tile/sizes',
        `expected up to ${rank} numbers of at least 0, not all of them 0, got ${textOf(numbers)}`,
        operation,
      );
};

/** Pads an interchange with the identity. */
export const padded = (interchange: readonly number[], rank: number): readonly number[] => [
  ...interchange,
  ...Array.from({ length: rank }, (_, position) => position).slice(interchange.length),
];

/** The order of `rank` loops, outermost first, as dimensions; fails with `tile/interchange` for no permutation. */
export const loopOrder = (
  operation: DraftOperation,
  interchange: readonly number[],
  rank: number,
): Diagnosed<readonly number[]> => {
  const order = padded(interchange, rank);
  const positions = new Set(order);
  return order.length === rank && order.every((_, position) => positions.has(position))
    ? success(order)
    : silenceableError(
        'tile/interchange',
        `[${interchange.join(', ')}] does not permute the ${rank} loops`,
        operation,
      );
};

/**
 * Fails where iterations of a dimension that run at the same time would write the same elements: with `tile/reduction`
 * for a reduced one, with `tile/race` if it is no dimension of some result.
 */
export const checkRace = (
  operation: DraftOperation,
  view: StructuredOp | undefined,
  dimension: number,
  isParallel: boolean,
): Diagnosed<undefined> => {
  if (!isParallel) {
    return silenceableError(
      'tile/reduction',
      `dimension ${dimension} is reduced: iterations at the same time cannot add to one result`,
      operation,
    );
  }
  const isShared = view?.indexingMaps
    .slice(view.inputs.length)
    .some(({ results }) => !results.some((expr) => expr.kind === 'dim' && expr.position === dimension));
  if (isShared !== true) return success(undefined);
  return silenceableError(
    'tile/race',
    `no dimension of a result is dimension ${dimension}: tiles would write the same elements`,
    operation,
  );
};
