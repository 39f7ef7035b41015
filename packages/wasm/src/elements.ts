/** Buffers as typed arrays. */
import type { ElementName } from './storage.ts';

/** Elements of a buffer: f32, f64, i1 or i8, i16, i32 or index, i64. */
export type Elements = Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | BigInt64Array;

const arrays = {
  f32: Float32Array,
  f64: Float64Array,
  i1: Int8Array,
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  index: Int32Array,
  i64: BigInt64Array,
} as const satisfies Readonly<Record<ElementName, unknown>>;

/** The typed array that holds such elements. */
export const arrayOf = (element: ElementName): (typeof arrays)[ElementName] => arrays[element];

/** `length` elements at an address of the memory. */
export const viewOf = (
  memory: WebAssembly.Memory,
  element: ElementName,
  address: number,
  length: number,
): Elements => new (arrayOf(element))(memory.buffer, address, length);

/** Copies the bytes of an array into another of the same length. */
export const copyElements = (to: Elements, from: Elements): void => {
  bytesOf(to).set(bytesOf(from));
};

const bytesOf = ({ buffer, byteOffset, byteLength }: Elements): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
