/** Element types as WebAssembly has them, and typed-array views of the memory. */
import type { ElementName, Elements, ElementSize } from '@sconv/backend';
import { arrayTypeOf, elementSize } from '@sconv/backend/runtime';
import type { EngineMemory } from './engine-types.ts';

/** An element type with its size in WebAssembly. */
export const wasmElement = (element: ElementName): ElementSize => elementSize(element, 4);

/** `length` elements at an address. */
export const viewOf = (memory: EngineMemory, size: ElementSize, address: number, length: number): Elements =>
  new (arrayTypeOf(size))(memory.buffer, address, length);
