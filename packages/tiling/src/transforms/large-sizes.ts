/** Warns of tile sizes beyond what there is to tile: upstream takes them without a word. */
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { ApplyContext } from '@sconv/transform';

/** The warning of `warnOfLargeSizes`. */
export const largeSizeWarnings = {
  'tile/beyond-extent':
    'a tile size is larger than the extent of its dimension: one tile covers it, in a loop that runs once',
} as const;

/** The most places that a warning lists. */
const mostListed = 8;

/**
 * Warns where a size in the text, by dimension of the targets, is larger than its extent. `DYNAMIC` is not: what
 * computes a size, as `multitile_sizes` does, may mean that there is one tile.
 */
export const warnOfLargeSizes = (
  { rewriter, warn }: Pick<ApplyContext, 'rewriter' | 'warn'>,
  targets: readonly DraftOperation[],
  sizes: readonly number[],
): void => {
  const notes = targets.flatMap((operation) => {
    const extents = structured(rewriter.registry, operation)?.loopRanges ?? [];
    return sizes.flatMap((size, dimension) => {
      const extent = extents[dimension];
      if (size === DYNAMIC || extent === undefined || extent < 1 || size <= extent) return [];
      return [
        {
          message: `tile size ${size} of dimension ${dimension}, whose extent is ${extent}`,
          location: operation.location,
        },
      ];
    });
  });
  if (notes.length === 0) return;
  warn(
    'tile/beyond-extent',
    'a tile size is larger than what there is to tile: one tile covers the dimension',
    notes.slice(0, mostListed),
  );
};
