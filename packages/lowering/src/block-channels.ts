/**
 * The loops of a packing of several tiles, in blocks of channels: all tiles of a few channels, then of the next ones.
 *
 *     for tile … {                 for block of channels … {
 *       for channel … { copy }  →    for tile … {
 *     }                                for channel of block … { copy }
 *                                  } }
 *
 * Rows of different channels are pages apart, and neighbouring tiles share the pages of a row, and the lines at their
 * ends: tile by tile, every page of every channel is translated again for each tile.
 */
import type { Builder } from '@sconv/ir';
import type { LoopSize } from './loop-nest.ts';
import { createBlocks } from './loop-nest.ts';
import type { Packing } from './packing.ts';

/**
 * Rows that are read in turns, one a page: few enough for the translation buffer next to the core (64 entries and
 * more), as many as fill whole lines of each panel. 4, 8 and 16 are equally fast.
 */
const channelsOfBlock = 8;

/**
 * Calls `build` with the sizes of a packing's loops, within a loop over the blocks if the packing has several tiles.
 */
export const inBlocks = (
  b: Builder,
  { extents }: Packing,
  build: (b: Builder, sizes: readonly LoopSize[]) => void,
): void => {
  const sizes = extents.slice(0, -1);
  const channels = sizes.findIndex((size, position) => position > 0 && size > channelsOfBlock);
  if (channels < 0 || sizes[0] === 1) {
    build(b, sizes);
    return;
  }
  createBlocks(b, sizes[channels]!, channelsOfBlock, (body, block) => {
    build(body, (sizes as readonly LoopSize[]).with(channels, block));
  });
};
