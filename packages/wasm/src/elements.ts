/** Typed-array views of the memory. */
import type { Elements, ElementSize } from '@sconv/backend';
import { arrayTypeOf } from '@sconv/backend';
import type { EngineMemory } from './engine-types.ts';

/** `length` elements at an address. */
export const viewOf = (memory: EngineMemory, size: ElementSize, address: number, length: number): Elements =>
  new (arrayTypeOf(size))(memory.buffer, address, length);
