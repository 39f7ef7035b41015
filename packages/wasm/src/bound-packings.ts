/** Bound arguments are packed once: by the first call, into heap memory. */
import type { ElementsConstructor, KeptWork, RunValue } from '@sconv/backend';
import { alignedBytes as aligned } from '@sconv/backend/runtime';
import type { Heap } from './heap.ts';
import type { MemoryPart } from './small-memories.ts';
import type { StreamedConstants } from './streamed-constants.ts';
import type { KeptOperand, WasmModule } from './wasm-module.ts';

/** An operand, and where its packed form is kept. */
interface KeptPlace {
  readonly operand: KeptOperand;
  readonly address: number;
}

/**
 * `ArtifactCore.keep` for an instance at an address of its memory. A constant that only its packing reads is freed
 * after the first call; its packed form takes its place.
 */
export const keepPacked = (
  module: WasmModule,
  { memory, at, streamed }: MemoryPart & { readonly streamed: Pick<StreamedConstants, 'remove'> },
  heap: Heap,
  name: string,
  constants: Map<number, RunValue>,
): KeptWork | undefined => {
  const operands = module.packings.filter(
    ({ function: of, parameter }) => of === name && constants.has(parameter),
  );
  if (operands.length === 0) return undefined;
  const places = allocatePlaces(heap, operands);
  if (places === undefined) return undefined;
  const owned = new Set(places);
  /** What places have beyond the constants that they took the place of. */
  const rest: { readonly address: number; readonly bytes: number }[] = [];
  let isPacked = false;
  let words = new Int32Array(0);
  const write = (packed: boolean, isKept: boolean): void => {
    // Growing a memory detaches the old views.
    if (words.length === 0) words = new Int32Array(memory.buffer, at, module.scratchBytes / 4);
    for (const { operand, address } of places) {
      words[operand.record / 4] = isKept ? address : 0;
      words[operand.record / 4 + 1] = packed ? 1 : 0;
    }
  };
  return {
    enter: () => {
      write(isPacked, true);
    },
    leave: (succeeded) => {
      write(false, false);
      if (isPacked || !succeeded) return;
      isPacked = true;
      for (const place of places) {
        const { parameter, bytes, isOnlyPacked } = place.operand;
        const constant = constants.get(parameter);
        if (!isOnlyPacked || typeof constant !== 'object' || constant.byteLength > bytes) continue;
        const type = constant.constructor as ElementsConstructor;
        constants.set(parameter, new type(memory.buffer, place.address, constant.length));
        if (constant.buffer === memory.buffer) heap.release(constant.byteOffset, constant.byteLength);
        else streamed.remove(constant);
        owned.delete(place);
        // The constant is released as an array of its own size.
        const begin = aligned(constant.byteLength);
        if (begin < bytes) rest.push({ address: place.address + begin, bytes: bytes - begin });
      }
    },
    release: () => {
      for (const { operand, address } of owned) heap.release(address, operand.bytes);
      for (const { address, bytes } of rest) heap.release(address, bytes);
    },
  };
};

/** Space for all operands, or for none if it does not suffice: then every call packs. */
const allocatePlaces = (heap: Heap, operands: readonly KeptOperand[]): readonly KeptPlace[] | undefined => {
  const places: KeptPlace[] = [];
  for (const operand of operands) {
    const address = heap.allocate(operand.bytes);
    if (address === undefined) {
      for (const place of places) heap.release(place.address, place.operand.bytes);
      return undefined;
    }
    places.push({ operand, address });
  }
  return places;
};
