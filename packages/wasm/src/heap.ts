/** A heap within the memory, used while a module runs. */
import { alignedBytes as aligned } from '@sconv/backend/runtime';

interface Gap {
  readonly start: number;
  readonly end: number;
}

export interface Heap {
  /** Address of `bytes` bytes, a multiple of 64; undefined if no gap is large enough. */
  allocate(bytes: number): number | undefined;
  /** Frees the result of `allocate(bytes)`. */
  release(address: number, bytes: number): void;
  /** Size of the largest gap in bytes. */
  largest(): number;
}

/**
 * A first-fit heap from `start`, a multiple of 64, up to `end`. Allocations of zero bytes are at `start` and take no
 * room.
 */
export const createHeap = (start: number, end: number): Heap => {
  // Sorted; a used-up gap stays as an empty one until a neighbour is freed.
  let gaps: readonly Gap[] = [{ start, end }];
  return {
    allocate: (bytes) => {
      if (bytes === 0) return start;
      const size = aligned(bytes);
      const gap = gaps.find((each) => each.end - each.start >= size);
      if (gap === undefined) return undefined;
      gaps = gaps.map((each) => (each === gap ? { start: gap.start + size, end: gap.end } : each));
      return gap.start;
    },
    release: (address, bytes) => {
      if (bytes === 0) return;
      const given = { start: address, end: address + aligned(bytes) };
      gaps = merged([...gaps, given].sort((a, b) => a.start - b.start));
    },
    largest: () => Math.max(...gaps.map((gap) => gap.end - gap.start)),
  };
};

/** Sorted gaps with adjacent ones merged. */
const merged = (gaps: readonly Gap[]): readonly Gap[] => {
  const result: Gap[] = [];
  for (const gap of gaps) {
    const last = result.at(-1);
    if (last?.end === gap.start) result.splice(-1, 1, { start: last.start, end: gap.end });
    else result.push(gap);
  }
  return result;
};

/** `Heap.allocate`; throws a RangeError if there is no room or `bytes` is not a size. */
export const allocateIn = (heap: Heap, bytes: number): number => {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError(`${bytes} is no number of bytes`);
  const address = heap.allocate(bytes);
  if (address !== undefined) return address;
  throw new RangeError(
    `no room for ${bytes} bytes: ${heap.largest()} are left in one piece; 'heapBytes' of the load ` +
      'says how many there are',
  );
};
