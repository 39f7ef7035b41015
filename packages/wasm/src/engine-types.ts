/**
 * The engine's own classes: the instances of `WebAssembly.Memory` and so on where the program's `lib` (`dom`,
 * `webworker`) or Node's types declare them, otherwise the part that the packages use. So a program without these
 * types compiles.
 */
import type { OwnArray } from '@sconv/backend';

type Engine<Name extends string, Part> = typeof globalThis extends {
  WebAssembly: Readonly<Record<Name, { readonly prototype: infer Instance }>>;
}
  ? Instance
  : Part;

/** A `WebAssembly.Memory`. */
export type EngineMemory = Engine<'Memory', { readonly buffer: ArrayBuffer; grow(pages: number): number }>;

/** A `WebAssembly.Module`. */
export type EngineModule = Engine<'Module', object>;

/** A `WebAssembly.Instance`. */
export type EngineInstance = Engine<'Instance', { readonly exports: Readonly<Record<string, unknown>> }>;

/** A module's code. */
export type WasmBytes = OwnArray<typeof Uint8Array>;
