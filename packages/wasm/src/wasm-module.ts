/** A compiled module as data: its bytes, and what a caller has to know to run it. */
import type { Diagnostic, Location } from '@sconv/diagnostics';
import type { ElementName } from './storage.ts';

/** A buffer that a function takes or returns: row-major unless its type says another static layout. */
export interface BufferDescription {
  readonly kind: 'buffer';
  readonly element: ElementName;
  readonly shape: readonly number[];
  /** Elements from the first byte to behind the last element, gaps of the layout included. */
  readonly length: number;
  readonly bytes: number;
}

export interface ScalarDescription {
  readonly kind: 'scalar';
  readonly type: 'i32' | 'i64' | 'f32' | 'f64';
}

/** A buffer parameter, and whether the function stores to it. */
export type ParameterDescription = (BufferDescription & { readonly written: boolean }) | ScalarDescription;

/**
 * An exported function. Buffers are passed and returned as byte addresses (i32) in `env.memory`; buffers that are
 * passed must not overlap, unless none of them is written.
 */
export interface FunctionDescription {
  readonly name: string;
  /** Of the `func.func`. */
  readonly location: Location;
  readonly parameters: readonly ParameterDescription[];
  readonly results: readonly (BufferDescription | ScalarDescription)[];
}

export interface WasmModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly functions: readonly FunctionDescription[];
  /**
   * Memory for allocations and constants, from the address in the import `env.scratch` (a multiple of 16). A buffer
   * that a function allocates and returns stands there until its next call.
   */
  readonly scratchBytes: number;
  /**
   * Why the code may end an execution by itself, apart from what the engine checks: the exported global `trap`, if there
   * are any, is the number of the last one from 1, or 0.
   */
  readonly traps: readonly Diagnostic[];
}

/** The name of the global that says which of `WasmModule.traps` has ended an execution. */
export const trapGlobal = 'trap';
