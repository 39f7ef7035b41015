/**
 * Constants that are packed from where the caller has them: they take no room in the memory, which never shrinks. Each
 * has an address beyond the memory; the code leaves panels whose source is there to an import.
 */
import type { Elements } from '@sconv/backend';
import { alignedBytes as aligned } from '@sconv/backend/runtime';
import type { EngineMemory } from './engine-types.ts';
import type { StreamedPanel } from './wasm-module.ts';
import { maximumMemory } from './wasm-module.ts';

/** The addresses that are negative as signed numbers: a memory that ends below has none of them. */
export const firstStreamed = 2 ** 31;

/** Constants of one instance. */
export interface StreamedConstants {
  /** Gives an array an address, the same each time; false if there is none left. */
  add(elements: Elements): boolean;
  /** The address of an array that was added. */
  addressOf(elements: Elements): number | undefined;
  /** Forgets an array, once as often as it was added. */
  remove(elements: Elements): void;
  /** The import: copies a panel, by number, from one address to another. */
  readonly copyPanel: (panel: number, source: number, destination: number) => void;
}

/** For an instance on this memory, of code with these panels. */
export const createStreamedConstants = (
  memory: EngineMemory,
  panels: readonly StreamedPanel[],
): StreamedConstants => {
  /** By array: its address, and how many use it. */
  const places = new Map<Elements, { readonly start: number; users: number }>();
  let next = firstStreamed;
  /** The words that an address is among, and its position in them. */
  const find = (address: number): readonly [Int32Array, number] => {
    for (const [{ buffer, byteOffset, byteLength }, { start }] of places)
      if (address >= start && address < start + byteLength)
        return [new Int32Array(buffer, byteOffset, byteLength / 4), (address - start) / 4];
    // A memory may be that large.
    return [new Int32Array(memory.buffer), address / 4];
  };
  return {
    add: (elements) => {
      const known = places.get(elements);
      if (known !== undefined) {
        known.users += 1;
        return true;
      }
      const end = next + aligned(elements.byteLength);
      if (end > maximumMemory) return false;
      places.set(elements, { start: next, users: 1 });
      next = end;
      return true;
    },
    addressOf: (elements) => places.get(elements)?.start,
    remove: (elements) => {
      const known = places.get(elements);
      if (known !== undefined && --known.users === 0) places.delete(elements);
      if (places.size === 0) next = firstStreamed;
    },
    copyPanel: (panel, source, destination) => {
      const [from, first] = find(source >>> 0);
      copyDimension(panels[panel]!, 0, from, first, new Int32Array(memory.buffer), (destination >>> 0) / 4);
    },
  };
};

/**
 * Copies what a dimension of a panel and those behind it hold, from a word on; returns the end of the copy. By itself,
 * as an engine loses the optimized code of functions that each call creates anew.
 */
const copyDimension = (
  panel: StreamedPanel,
  depth: number,
  from: Int32Array,
  origin: number,
  to: Int32Array,
  start: number,
): number => {
  const { lanes, laneStride, dimensions } = panel;
  const dimension = dimensions[depth];
  const extent = dimension?.extent ?? 1;
  const step = (dimension?.stride ?? 0) / 4;
  const stride = laneStride / 4;
  let target = start;
  for (let k = 0, row = origin; k < extent; k += 1, row += step) {
    if (depth < dimensions.length - 1) target = copyDimension(panel, depth + 1, from, row, to, target);
    else for (let lane = 0, at = row; lane < lanes; lane += 1, at += stride) to[target++] = from[at]!;
  }
  return target;
};
