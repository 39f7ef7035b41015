/** Tiling interface: upstream's `TilingInterface`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { isStructured, structured } from './linalg.ts';
import type { MixedIndex } from './mixed-indices.ts';
import type { DraftOperation, Operation, Registry, Rewriter, Value } from '@sconv/ir';
import { packTileable } from './pack-tileable.ts';
import { padTileable } from './pad-tileable.ts';
import { softmaxTileable } from './softmax-tileable.ts';
import { structuredTileable } from './structured-tileable.ts';
import { unpackTileable } from './unpack-tileable.ts';

/** A box of iterations or elements: offset and size in each dimension. */
export interface MixedBox {
  readonly offsets: readonly MixedIndex[];
  readonly sizes: readonly MixedIndex[];
}

/** The op restricted to a box of its iterations. */
export interface Tile {
  readonly operation: DraftOperation;
  /** The part of each result that it computes. */
  readonly values: readonly Value[];
}

/** An op that can be tiled. Ops are created at the insertion point. */
export interface Tileable {
  /** By dimension: whether its iterations may run in parallel. */
  readonly isParallel: readonly boolean[];
  /** The number of iterations of each dimension; they start at 0. */
  readonly domain: (rewriter: Rewriter) => readonly MixedIndex[];
  /** The destination of each result, which loops carry: tensors that the tiles are inserted into. */
  readonly destinations: (rewriter: Rewriter) => readonly Value[];
  /** Whether the dimensions may be tiled; `box` has the tile size of each, undefined for an untiled one. */
  readonly check: (box: readonly (MixedIndex | undefined)[]) => Diagnosed<undefined>;
  /** The op restricted to a box, with `destinations` in place of its own. */
  readonly tile: (rewriter: Rewriter, box: MixedBox, destinations: readonly Value[]) => Tile;
  /** The box of a result that the op computes over an iteration box. */
  readonly resultBox: (rewriter: Rewriter, result: number, box: MixedBox) => MixedBox;
  /**
   * The iteration box that computes a box of a result; undefined if there is none. Without this function the op is
   * not fused into the loops of its consumers, as upstream.
   */
  readonly boxOfResult?: (rewriter: Rewriter, result: number, box: MixedBox) => MixedBox | undefined;
}

type Model = (registry: Registry, operation: DraftOperation) => Tileable;

/** By op name: the tiling interface of ops that are not structured. */
const unstructured: Readonly<Record<string, Model | undefined>> = {
  'linalg.softmax': (_, operation) => softmaxTileable(operation),
  'tensor.pack': (_, operation) => packTileable(operation),
  'tensor.pad': padTileable,
  'tensor.unpack': (_, operation) => unpackTileable(operation),
};

/** Whether an op has the tiling interface. */
export const isTileable = (registry: Registry, operation: Operation): boolean =>
  isStructured(registry, operation) || unstructured[operation.name] !== undefined;

/** The tiling interface of an op; undefined if it has none. */
export const tileableOf = (registry: Registry, operation: DraftOperation): Tileable | undefined => {
  const view = structured(registry, operation);
  return view === undefined
    ? unstructured[operation.name]?.(registry, operation)
    : structuredTileable(registry, operation, view);
};
