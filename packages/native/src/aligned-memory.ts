/** Memory of this process for vectors. */
import type { address, load } from 'koffi';

/** What is needed of koffi. */
export interface MemoryAccess {
  readonly address: typeof address;
  readonly load: typeof load;
}

/** Zeros, so many bytes. */
export type AlignedMemory = (bytes: number) => Uint8Array;

/** Bytes of the widest vector, and of a line of most caches. */
const lineBytes = 64;

/** Bytes of a large page of Linux on x86-64, and on arm64 with pages of 4 KiB. */
const largePageBytes = 2 ** 21;

/** Linux's `MADV_HUGEPAGE`. */
const useLargePages = 14;

/**
 * Memory that begins at a multiple of 64 bytes. On Linux, from half a large page on, it is in large pages where the
 * system has some: rows of different channels are pages apart, and the processor keeps the translations of a few
 * dozen pages at hand.
 */
export const alignedMemory = ({ address, load }: MemoryAccess): AlignedMemory => {
  const advise = process.platform === 'linux' ? adviceTo(load) : undefined;
  return (bytes) => {
    const isLarge = advise !== undefined && bytes >= largePageBytes / 2;
    const [alignment, length] = isLarge
      ? [largePageBytes, Math.ceil(bytes / largePageBytes) * largePageBytes]
      : [lineBytes, bytes];
    const memory = new ArrayBuffer(length + alignment - 1);
    const start = address(memory);
    const offset = -start & BigInt(alignment - 1);
    // If the system refuses, small pages do as well.
    if (isLarge) advise(start + offset, length, useLargePages);
    return new Uint8Array(memory, Number(offset), bytes);
  };
};

/** `madvise`; undefined if the system's library has none. */
const adviceTo = (
  loadLibrary: typeof load,
): ((start: bigint, bytes: number, advice: number) => unknown) | undefined => {
  try {
    return loadLibrary(null).func('madvise', 'int', ['uintptr_t', 'size_t', 'int']);
  } catch {
    return undefined;
  }
};
