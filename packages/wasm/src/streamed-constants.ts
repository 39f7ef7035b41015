/**
 * Constants that are packed from where the caller has them: they take no room in the memory, which never shrinks. Each
 * has an address beyond the memory; the code has the panels whose source is there gathered by an import.
 */
import type { Elements } from '@sconv/backend';
import { alignedBytes as aligned } from '@sconv/backend/runtime';
import type { EngineMemory } from './engine-types.ts';
import { gatherRows, wordsOf } from './staged-panel.ts';
import type { WasmModule } from './wasm-module.ts';
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
  /** The import: gathers a panel, by number, from an address on; returns where it is. */
  readonly gather: (panel: number, source: number) => number;
}

/** For an instance of a module at an address of a memory. */
export const streamedConstantsOf = (
  { panels: { gathered, place } = { gathered: [], place: 0 } }: Pick<WasmModule, 'panels'>,
  memory: EngineMemory,
  at = 0,
): StreamedConstants => {
  /** By array: its address, its words, and how many use it. */
  const places = new Map<Elements, Place>();
  let next = firstStreamed;
  let last: Place | undefined;
  let target = new Int32Array(0);
  const holds = ({ start, words }: Place, address: number): boolean =>
    address >= start && address < start + words.byteLength;
  return {
    add: (elements) => {
      const known = places.get(elements);
      if (known !== undefined) {
        known.users += 1;
        return true;
      }
      const end = next + aligned(elements.byteLength);
      if (end > maximumMemory) return false;
      places.set(elements, { start: next, words: wordsOf(elements), users: 1 });
      next = end;
      return true;
    },
    addressOf: (elements) => places.get(elements)?.start,
    remove: (elements) => {
      const known = places.get(elements);
      if (known !== undefined && --known.users === 0) {
        places.delete(elements);
        if (known === last) last = undefined;
      }
      if (places.size === 0) next = firstStreamed;
    },
    gather: (panel, source) => {
      const address = source >>> 0;
      // Growing a memory detaches the old views.
      if (target.buffer !== memory.buffer) target = new Int32Array(memory.buffer);
      if (last === undefined || !holds(last, address))
        last = [...places.values()].find((each) => holds(each, address));
      // A memory may be that large.
      const { words, start } = last ?? { words: target, start: 0 };
      gatherRows(gathered[panel]!, words, (address - start) / 4, target, (at + place) / 4);
      return (at + place) | 0;
    },
  };
};

interface Place {
  readonly start: number;
  readonly words: Int32Array;
  users: number;
}
