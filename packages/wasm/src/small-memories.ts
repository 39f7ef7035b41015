/** Memory of small artifacts, which share larger memories: an engine reserves gigabytes of address space for each. */
import type { EngineMemory } from './engine-types.ts';

/** Bytes of a page of WebAssembly memory. */
export const pageBytes = 65_536;

/** Pages of a memory that is shared: 16 MiB. What nobody touches takes address space only. */
const sharedPages = 256;

/** Pages of the largest artifact that shares a memory. */
const mostPages = 4;

/** Some pages of a memory. */
export interface MemoryPart {
  readonly memory: EngineMemory;
  /** Address of the first byte, a multiple of 64. */
  readonly at: number;
}

/** The memory that the next artifact shares, unless all that do are gone, and its first free page. */
let last: { readonly memory: WeakRef<EngineMemory>; readonly next: number } | undefined;

/**
 * Pages of zeros in a memory with others; undefined for many, which are a memory of their own. None is used again, so
 * that arrays in it stay what they are: a memory is freed as a whole, when all its artifacts and their arrays are gone.
 * Throws as `new WebAssembly.Memory`.
 */
export const sharedPart = (pages: number): MemoryPart | undefined => {
  if (pages > mostPages) return undefined;
  const known = last?.memory.deref();
  const { memory, next } =
    known === undefined || last!.next + pages > sharedPages
      ? { memory: new WebAssembly.Memory({ initial: sharedPages }), next: 0 }
      : { memory: known, next: last!.next };
  last = { memory: new WeakRef(memory), next: next + pages };
  return { memory, at: pageBytes * next };
};
