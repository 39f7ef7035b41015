/** Memory for vectors. */

/** Bytes of the widest vector, and of a line of most caches. */
const alignment = 64;

/** Zeros that begin at a multiple of 64 bytes; `addressOf` is koffi's `address`. */
export const alignedMemory = (bytes: number, addressOf: (memory: ArrayBuffer) => bigint): Uint8Array => {
  const memory = new ArrayBuffer(bytes + alignment - 1);
  return new Uint8Array(memory, Number(-addressOf(memory) & BigInt(alignment - 1)), bytes);
};
