/** The element types of buffers: the types of the IR that they are, and the typed arrays that hold them. */
import type { Type } from '@sconv/ir';

/** The typed array for each element type; an `index` has the backend's 32 or 64 bits. */
export interface ElementArrays {
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  /** The bits of each. */
  readonly f16: Uint16Array;
  readonly bf16: Uint16Array;
  readonly i1: Int8Array;
  readonly i8: Int8Array;
  readonly i16: Int16Array;
  readonly i32: Int32Array;
  readonly i64: BigInt64Array;
  readonly index: Int32Array | BigInt64Array;
}

/** Element types of buffers; a boolean takes one byte. */
export type ElementName = keyof ElementArrays;

/** Elements of a buffer. */
export type Elements = ElementArrays[ElementName];

/**
 * The arrays that a typed array class makes, whose memory is not shared: `OwnArray<typeof Float32Array>` is
 * `Float32Array<ArrayBuffer>`, or `Float32Array` before TypeScript 5.7, where that has no parameter.
 */
export type OwnArray<C extends { of(...items: never[]): unknown }> = ReturnType<C['of']>;

/** `ElementArrays` whose memory is not shared. */
export type OwnElementArrays = {
  readonly [E in keyof typeof elementArrays]: OwnArray<(typeof elementArrays)[E]>;
};

/** A buffer's element type, and its size in bytes. */
export interface ElementSize {
  readonly element: ElementName;
  readonly elementBytes: number;
}

/** Constructs a view of a buffer. */
export type ElementsConstructor = new (
  buffer: ArrayBufferLike,
  byteOffset?: number,
  length?: number,
) => Elements;

/** The typed array class for each element type whose size does not depend on the backend. */
export const elementArrays = {
  f32: Float32Array,
  f64: Float64Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  i1: Int8Array,
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  i64: BigInt64Array,
} as const;

/** All element types. */
export const elementNames: readonly ElementName[] = [
  ...(Object.keys(elementArrays) as (keyof typeof elementArrays)[]),
  'index',
];

/** The typed array class for these elements. */
export const arrayTypeOf = ({ element, elementBytes }: ElementSize): ElementsConstructor => {
  if (element === 'index') return elementBytes === 8 ? BigInt64Array : Int32Array;
  return elementArrays[element];
};

/** The element type that a type of the IR is; undefined for one that buffers of no backend have. */
export const elementNameOf = (type: Type): ElementName | undefined => {
  const name = type.kind === 'integer' ? `i${type.width}` : type.kind === 'float' ? type.name : type.kind;
  return elementNames.find((each) => each === name);
};

/** An element type with its size, where an index has so many bytes. */
export const elementSize = (element: ElementName, indexBytes: 4 | 8): ElementSize => ({
  element,
  elementBytes: element === 'index' ? indexBytes : elementArrays[element].BYTES_PER_ELEMENT,
});

/** Whether a value is an array of this class, be it of another realm: an iframe, or a context of Node's `vm`. */
export const isArrayOf = (value: unknown, wanted: { readonly name: string }): value is Elements =>
  ArrayBuffer.isView(value) &&
  (value.constructor === wanted ||
    (value as unknown as Readonly<Record<symbol, unknown>>)[Symbol.toStringTag] === wanted.name);

/** Whether two arrays overlap. */
export const shareMemory = (a: Elements, b: Elements): boolean =>
  a.buffer === b.buffer &&
  a.length > 0 &&
  b.length > 0 &&
  a.byteOffset < b.byteOffset + b.byteLength &&
  b.byteOffset < a.byteOffset + a.byteLength;

/** Copies the bytes of an array into another of the same length. */
export const copyElements = (to: Elements, from: Elements): void => {
  bytesOf(to).set(bytesOf(from));
};

const bytesOf = ({ buffer, byteOffset, byteLength }: Elements): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
