/** What an op has to say to be cut in tiles: upstream's `TilingInterface`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { structured } from './linalg.ts';
import type { MixedIndex } from './mixed-indices.ts';
import type { DraftOperation, Registry, Rewriter, Value } from '@sconv/ir';
import { structuredTileable } from './structured-tileable.ts';

/** A box of iterations, or of elements: where it begins in each dimension, and how far it goes. */
export interface MixedBox {
  readonly offsets: readonly MixedIndex[];
  readonly sizes: readonly MixedIndex[];
}

/** The op over a box of its iterations. */
export interface Tile {
  readonly operation: DraftOperation;
  /** What it computes of each result. */
  readonly values: readonly Value[];
}

/** An op that can be cut in tiles. What is made stands at the insertion point. */
export interface Tileable {
  /** Whether the iterations of each dimension may run at the same time. */
  readonly isParallel: readonly boolean[];
  /** How many iterations each dimension has; they begin at 0. */
  readonly domain: (rewriter: Rewriter) => readonly MixedIndex[];
  /** What loops carry for each result: tensors that the tiles are put into. */
  readonly destinations: (rewriter: Rewriter) => readonly Value[];
  /** Whether the dimensions may be cut; `box` is what each tile takes of them, undefined where that is the whole. */
  readonly check: (box: readonly (MixedIndex | undefined)[]) => Diagnosed<undefined>;
  /** The op over a box, on `destinations` in place of those that it has. */
  readonly tile: (rewriter: Rewriter, box: MixedBox, destinations: readonly Value[]) => Tile;
  /** Where a result of the op over a box belongs in the whole result. */
  readonly resultBox: (rewriter: Rewriter, result: number, box: MixedBox) => MixedBox;
  /** The box that computes a box of a result; undefined where the result is not indexed so that it is one. */
  readonly boxOfResult: (rewriter: Rewriter, result: number, box: MixedBox) => MixedBox | undefined;
}

/** An op as it can be cut; undefined for one that cannot. */
export const tileableOf = (registry: Registry, operation: DraftOperation): Tileable | undefined => {
  const view = structured(registry, operation);
  return view === undefined ? undefined : structuredTileable(registry, operation, view);
};
