/** A compiled module as data: its bytes, and what a caller has to know to run it. */
import type { Emitted, FunctionSignature } from '@sconv/backend';
import type { Diagnostic } from '@sconv/diagnostics';

/** The name of the backend. */
export const backendName = 'wasm';

/** What a 32-bit address reaches. */
export const maximumMemory = 2 ** 32;

/**
 * A compiled module. Its exported functions take and return buffers as byte addresses (i32) in `env.memory`; buffers that
 * are passed must not overlap, unless none of them is written.
 */
export interface WasmModule extends Emitted {
  readonly backend: typeof backendName;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly functions: readonly FunctionSignature[];
  /** Whether it takes an engine with relaxed SIMD. */
  readonly relaxed: boolean;
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
  /**
   * The exports that are bodies of parallel loops: functions of the address of a frame and an iteration. Where there are
   * any, the code calls the import `env.fork` with the position of one in this list, how many iterations there are, and
   * the frame; it returns when all iterations have been run, by whatever thread. The initial values of its constants are
   * written to the address in the import `env.data`: that of the scratch memory, or, for an instance that is not the
   * first on its memory, a place where nobody reads them.
   */
  readonly parallel: readonly string[];
  /** The arguments that are packed in each call, unless it is said where what is packed of them stays. */
  readonly packings: readonly KeptOperand[];
}

/**
 * An argument that is packed. Two words of the scratch memory at the offset `record`, 0 and 0 from the start, say where it is
 * kept and whether it is: while the first is the address of `bytes` bytes, a multiple of 64, a call packs the argument
 * into these, and does not if the second word is 1.
 */
export interface KeptOperand {
  readonly function: string;
  readonly parameter: number;
  readonly bytes: number;
  readonly record: number;
  /** Whether nothing but its packing reads the argument, so that it is not read once it is packed. */
  readonly isOnlyPacked: boolean;
}

/** The name of the global that says which of `WasmModule.traps` has ended an execution. */
export const trapGlobal = 'trap';

/** The import `env.fork` of a module with parallel loops: body, count and frame of `ParallelBodies.fork`. */
export const forkImport = 'fork';
