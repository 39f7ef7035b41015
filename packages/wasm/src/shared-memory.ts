/** Modules on memory shared between threads. */
import type { EngineMemory, WasmBytes } from './engine-types.ts';
import { unsigned } from './leb128.ts';

/** Whether threads can share memory here: a page has to be cross-origin isolated. */
export const canShareMemory = (): boolean =>
  typeof SharedArrayBuffer === 'function' &&
  (globalThis as { readonly crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

export const isShared = ({ buffer }: EngineMemory): boolean =>
  typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;

const importSection = 2;
/** The 32-bit address space: every memory is limited to it. */
const maximumPages = 65_536;
/** Flags of a shared memory's limits, with minimum and maximum. */
const sharedLimits = 0x03;

/**
 * The module for a shared memory: the import's limits differ between the two kinds. The import is the first one that
 * the encoder writes, `env.memory` with a minimum only.
 */
export const withSharedMemory = (bytes: Uint8Array): WasmBytes => {
  // The magic number and version take eight bytes; each section is id, size and contents.
  let at = 8;
  while (bytes[at] !== importSection) {
    const size = readUnsigned(bytes, at + 1);
    at = size.next + size.value;
  }
  const size = readUnsigned(bytes, at + 1);
  const count = readUnsigned(bytes, size.next);
  const module = readUnsigned(bytes, count.next);
  const name = readUnsigned(bytes, module.next + module.value);
  // After the names: the import kind, the limits' flags, the minimum.
  const limits = name.next + name.value + 1;
  const minimum = readUnsigned(bytes, limits + 1);
  const end = size.next + size.value;
  const content = [
    ...bytes.subarray(size.next, limits),
    sharedLimits,
    ...unsigned(minimum.value),
    ...unsigned(maximumPages),
    ...bytes.subarray(minimum.next, end),
  ];
  const section = [importSection, ...unsigned(content.length), ...content];
  const result = new Uint8Array(at + section.length + bytes.length - end);
  result.set(bytes.subarray(0, at));
  result.set(section, at);
  result.set(bytes.subarray(end), at + section.length);
  return result;
};

/** A LEB128 number, and the position after it. */
const readUnsigned = (bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } => {
  let value = 0;
  let next = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[next++]!;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next };
  }
};
