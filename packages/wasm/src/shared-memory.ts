/** Modules on memories that threads share. */
import { unsigned } from './leb128.ts';

/** Whether this engine, and this page, let threads share memory: a page has to be cross-origin isolated. */
export const canShareMemory = (): boolean =>
  typeof SharedArrayBuffer === 'function' &&
  (globalThis as { readonly crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

/** Whether threads may share a memory. */
export const isShared = ({ buffer }: WebAssembly.Memory): boolean =>
  typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;

const importSection = 2;
/** All that an address reaches: every memory has at most as many. */
const maximumPages = 65_536;
/** Limits with a minimum and a maximum, of a memory that is shared. */
const sharedLimits = 0x03;

/**
 * An emitted module on a shared memory: engines tell the two kinds apart by the import. It is the first one that the
 * encoder writes, `env.memory` with limits that have a minimum only.
 */
export const withSharedMemory = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  // The magic number and the version are eight bytes; then each section is an id, a size and its content.
  let at = 8;
  while (bytes[at] !== importSection) {
    const size = readUnsigned(bytes, at + 1);
    at = size.next + size.value;
  }
  const size = readUnsigned(bytes, at + 1);
  const count = readUnsigned(bytes, size.next);
  const module = readUnsigned(bytes, count.next);
  const name = readUnsigned(bytes, module.next + module.value);
  // Behind the names: the kind, the limits' form, the minimum.
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

/** A number in LEB128, and where the next byte is. */
const readUnsigned = (bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } => {
  let value = 0;
  let next = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[next++]!;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next };
  }
};
