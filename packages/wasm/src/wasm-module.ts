/** A compiled module as data: its bytes, and what callers need to run it. */
import type { ConstantArgument, Emitted, FunctionSignature } from '@sconv/backend';
import type { Diagnostic } from '@sconv/diagnostics';
import type { WasmBytes } from './engine-types.ts';
import type { GatheredRows } from './staged-panel.ts';

/** The name of the backend. */
export const backendName = 'wasm';

/** The 32-bit address space. */
export const maximumMemory = 2 ** 32;

/** Bytes of constants that a module may bring along: V8 accepts modules of up to 1 GiB. */
export const maximumConstants = 2 ** 30 - 2 ** 20;

/**
 * A compiled module. Its exported functions take and return buffers as byte addresses (i32) in `env.memory`; buffer
 * arguments must not overlap unless none of them is written.
 */
export interface WasmModule extends Emitted {
  readonly backend: typeof backendName;
  readonly bytes: WasmBytes;
  readonly functions: readonly FunctionSignature[];
  /** The arguments that have no place of their own: who calls the code puts them into its memory, once. */
  readonly constants: readonly ConstantArgument[];
  /** Whether it requires relaxed SIMD. */
  readonly relaxed: boolean;
  /**
   * Memory for allocations and constants, starting at the address imported as `env.scratch` (a multiple of 16). A
   * buffer that a function allocates and returns is valid until its next call.
   */
  readonly scratchBytes: number;
  /**
   * What a further instance on the same memory needs for itself: so many bytes, in place of those from offset `at` of
   * the scratch memory on. Its `env.scratch` is `at` bytes before them, and they may be its `env.data`.
   */
  readonly threadScratch: { readonly at: number; readonly bytes: number };
  /**
   * Diagnostics for the checks in the code, which the engine does not do: the exported global `trap`, present if there
   * are any, holds the number of the last one from 1, or 0.
   */
  readonly traps: readonly Diagnostic[];
  /**
   * The exports that are parallel loop bodies: functions of a frame's address and an iteration. If there are any, the
   * code calls the import `env.fork` with a position in this list, the number of iterations, and the frame; `fork`
   * returns when all iterations are done, on whichever threads. The initial values of the module's constants are
   * written to the address imported as `env.data`: that of the scratch memory, or, for further instances on the same
   * memory, a place that nobody reads.
   */
  readonly parallel: readonly string[];
  /** Arguments that every call packs, unless it is told where their packed form is kept. */
  readonly packings: readonly KeptOperand[];
  /** The panels of the import `env.panel`, if packings of constants can read them elsewhere than in the memory. */
  readonly panels?: StreamedPanels;
}

/**
 * The code has the rows of a panel whose source is at an address from 2^31 on gathered by the import `env.panel`: a
 * function of the position in `gathered` and the address, which returns where it has put them.
 */
export interface StreamedPanels {
  readonly gathered: readonly GatheredRows[];
  /** An offset in the scratch memory with room for each of them, a multiple of 64. */
  readonly place: number;
}

/**
 * An argument that is packed. Two words of the scratch memory at offset `record`, initially 0 and 0, tell where it is
 * kept and whether it is packed: if the first is the address of `bytes` bytes, a multiple of 64, a call packs the
 * argument there, unless the second word is 1.
 */
export interface KeptOperand {
  readonly function: string;
  readonly parameter: number;
  readonly bytes: number;
  readonly record: number;
  /** Whether only its packing reads the argument, so that it is dead once packed. */
  readonly isOnlyPacked: boolean;
}

/** A module without its code, and with the constants that are in its block. */
export interface SavedModule extends Omit<WasmModule, 'bytes' | 'constants' | 'panels'> {
  readonly constants: readonly SavedConstant[];
  /** Bytes of the block, which is in the memory behind what the module owns. */
  readonly weightBytes: number;
}

/** An argument that the block has: offsets in it, multiples of 64. */
export interface SavedConstant extends Pick<ConstantArgument, 'function' | 'parameter'> {
  /** Of `ConstantArgument.bytes`; where nobody reads these any more, of the packed form, which is at least as long. */
  readonly at: number;
  readonly bytes: number;
  /** Of the packed form, if calls read that. */
  readonly packed?: number;
}

/** The parts of a module that its memory follows from. */
export type OwnedParts = Pick<WasmModule, 'functions' | 'scratchBytes'> & {
  readonly constants: readonly Pick<ConstantArgument, 'function' | 'parameter'>[];
};

/** The global that tells which of `WasmModule.traps` ended an execution. */
export const trapGlobal = 'trap';

/** The import that gathers the rows of a panel of a constant. */
export const panelImport = 'panel';

/** The import `env.fork` of a module with parallel loops: body, count and frame of `ParallelBodies.fork`. */
export const forkImport = 'fork';
