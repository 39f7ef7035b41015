/** What callers need to know of compiled functions. */
import type { Location } from '@sconv/diagnostics';
import type { Elements, ElementSize } from './elements.ts';
import type { MemoryUse } from './place-buffers.ts';

/** A buffer that a function takes or returns: row-major unless its type has another static layout. */
export interface BufferSignature extends ElementSize {
  readonly kind: 'buffer';
  readonly shape: readonly number[];
  /** Elements from the first byte to the end of the last element, including gaps in the layout. */
  readonly length: number;
}

/**
 * A number. An integer of at most 32 bits is passed as `i32`, a boolean as 0 or 1, and an index as what the target's
 * addresses are. As an argument an integer is a number or a bigint; as a result `i64` is a bigint, `i32` a number.
 */
export interface ScalarSignature {
  readonly kind: 'scalar';
  readonly type: 'i32' | 'i64' | 'f32' | 'f64';
}

/** A buffer parameter with whether the function may store to it; or a number. */
export type ParameterSignature = (BufferSignature & { readonly written: boolean }) | ScalarSignature;

/** A compiled function: name, location and type of its `func.func`. */
export interface FunctionSignature {
  readonly name: string;
  readonly location: Location;
  readonly parameters: readonly ParameterSignature[];
  readonly results: readonly (BufferSignature | ScalarSignature)[];
  /** What a call takes for the buffers that it and its callees allocate; absent if the backend does not say. */
  readonly memory?: MemoryUse;
}

/** An argument or result: the elements of a buffer, or a number. */
export type RunValue = Elements | number | bigint;

/** Bytes of a buffer; 0 for a number. */
export const byteLengthOf = (signature: BufferSignature | ScalarSignature): number =>
  signature.kind === 'buffer' ? signature.length * signature.elementBytes : 0;
