/** The tiles of kernels that read blocked convolutions in place. */
import { registerSizes } from '@sconv/kernels';

/** The most windows of a kernel: each is code of its own. */
const mostWindows = 14;

const divisors = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => i + 1).filter((each) => count % each === 0);

/** The sizes of a kernel's tile. */
export interface BlockedTile {
  readonly rows: number;
  readonly columns: number;
  /** Vectors of filters. */
  readonly vectors: number;
  /** For all windows and filters, of a channel and a tap: multiply-adds, and loads of which two are one. */
  readonly cost: number;
}

/** How many windows and blocks of filters an image has. */
export interface TiledExtents {
  readonly rows: number;
  readonly columns: number;
  /** Vectors of filters. */
  readonly blocks: number;
}

/**
 * The tile with the least cost for all windows and filters of an image, and that cost of a channel and a tap, for a
 * kernel with so many registers.
 */
export const blockedTile = ({ rows, columns, blocks }: TiledExtents, registers: number): BlockedTile => {
  const costOf = (others: number, vectors: number): number =>
    registerSizes({ vectors, others }, registers).cost;
  let best: BlockedTile | undefined;
  for (const vectors of divisors(blocks).filter((each) => each <= 4))
    for (let width = 1; width <= Math.min(columns, mostWindows); width += 1)
      for (const height of divisors(rows)) {
        if (height * width > mostWindows || (height > 1 && width < columns)) continue;
        const rest = columns % width;
        const ofRow = Math.floor(columns / width) * costOf(height * width, vectors);
        const ofRest = rest === 0 ? 0 : costOf(height * rest, vectors);
        const cost = ((ofRow + ofRest) * (rows / height) * blocks) / vectors;
        if (best === undefined || cost < best.cost) best = { rows: height, columns: width, vectors, cost };
      }
  return best ?? { rows: 1, columns: 1, vectors: 1, cost: 0 };
};
