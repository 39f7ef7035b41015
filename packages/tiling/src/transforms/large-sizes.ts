/** Warns of tile sizes and numbers of threads beyond what there is to tile: upstream takes them without a word. */
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { ApplyContext } from '@sconv/transform';

/** The warning of `warnOfLargeSizes`. */
export const largeSizeWarnings = {
  'tile/beyond-extent':
    'a tile size is larger than the extent of its dimension: one tile covers it, in a loop that runs once',
} as const;

/** The warning of `warnOfManyThreads`. */
export const manyThreadsWarnings = {
  'tile/idle-threads':
    'a dimension has fewer iterations than threads: some threads have nothing to do, and each of the others has one',
} as const;

/** The most places that a warning lists. */
const mostListed = 8;

type Context = Pick<ApplyContext, 'rewriter' | 'warn'>;

/** A number in the text, and the dimension of the targets that it is for. */
type OfDimension = readonly [dimension: number, number: number];

/**
 * Warns where a size in the text, by dimension of the targets, is larger than its extent. `DYNAMIC` is not: what
 * computes a size, as `multitile_sizes` does, may mean that there is one tile.
 */
export const warnOfLargeSizes = (
  context: Context,
  targets: readonly DraftOperation[],
  sizes: readonly number[],
): void => {
  warnOfLargeSize(context, targets, [...sizes.entries()]);
};

/** Warns where a size in the text is larger than the extent of its dimension. */
export const warnOfLargeSize = (
  context: Context,
  targets: readonly DraftOperation[],
  sizes: readonly OfDimension[],
): void => {
  const notes = beyondExtents(context, targets, sizes, 'tile size');
  if (notes.length > 0)
    context.warn(
      'tile/beyond-extent',
      'a tile size is larger than what there is to tile: one tile covers the dimension',
      notes,
    );
};

/** Warns where a number of threads in the text, by dimension of the targets, is larger than its extent. */
export const warnOfManyThreads = (
  context: Context,
  targets: readonly DraftOperation[],
  threads: readonly number[],
): void => {
  const notes = beyondExtents(context, targets, [...threads.entries()], 'number of threads');
  if (notes.length > 0)
    context.warn(
      'tile/idle-threads',
      'there are more threads than iterations: some have nothing to do',
      notes,
    );
};

/** Notes at the targets of which a number is larger than the extent of its dimension, if that is known. */
const beyondExtents = (
  { rewriter }: Context,
  targets: readonly DraftOperation[],
  numbers: readonly OfDimension[],
  what: string,
) =>
  targets
    .flatMap((operation) => {
      const extents = structured(rewriter.registry, operation)?.loopRanges ?? [];
      return numbers.flatMap(([dimension, number]) => {
        const extent = extents[dimension];
        if (number === DYNAMIC || extent === undefined || extent < 1 || number <= extent) return [];
        const message = `${what} ${number} of dimension ${dimension}, whose extent is ${extent}`;
        return [{ message, location: operation.location }];
      });
    })
    .slice(0, mostListed);
