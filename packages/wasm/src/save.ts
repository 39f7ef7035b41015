/** A module as files. Its constants are packed once, here, by a call; what only packings read is then left out. */
import type { Elements, ElementsConstructor, RunValue, SavedCode } from '@sconv/backend';
import { alignedBytes as aligned, copyElements, ownConstants, uniformValues } from '@sconv/backend/runtime';
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { EngineMemory } from './engine-types.ts';
import { bytesFor, instantiateAsync, ownedBytes } from './instantiate.ts';
import { createMemory, engineProblem, locationOf, notCompiled, packingOf } from './load.ts';
import { writeRecords } from './load-saved.ts';
import type { SavedConstant, SavedModule, WasmModule } from './wasm-module.ts';

/** `Backend.save`; the code is the same for any number of threads. */
export const saveModule = async (emitted: WasmModule): Promise<Diagnosed<SavedCode>> => {
  const lacking = engineProblem(emitted);
  if (lacking !== undefined) return lacking;

  // 1. A memory with the block behind what the module owns, and constants that only this call reads behind that.
  const { constants, weightBytes } = placesInBlock(emitted);
  const block = ownedBytes(emitted);
  const own = ownConstants(emitted.functions, emitted.constants);
  const elements = emitted.constants.map((each) => own.get(each.function)![each.parameter]!());
  let end = block + weightBytes;
  const places = constants.map(({ at, packed }, i) => {
    const { bytes } = emitted.constants[i]!;
    const isRead = at !== packed && elements[i]!.byteLength === bytes.length;
    if (isRead) return block + at;
    const place = end;
    end += aligned(elements[i]!.byteLength);
    return place;
  });
  const created = createMemory(end, { isShared: false }, locationOf(emitted));
  if (created.status !== 'success') return created;
  const { memory } = created.value;
  const values = elements.map((each, i) => placed(memory, each, places[i]!));
  for (const [i, { at, packed }] of constants.entries())
    if (at !== packed) new Uint8Array(memory.buffer, block + at).set(emitted.constants[i]!.bytes);

  // 2. A call of each function packs its constants into the block.
  const { bytes, constants: _, panels: __, ...rest } = emitted;
  const description: SavedModule = { ...rest, constants, weightBytes };
  let instance;
  try {
    const compiled = await WebAssembly.compile(bytesFor(emitted, memory));
    instance = await instantiateAsync(emitted, { memory, compiled });
  } catch (problem) {
    return notCompiled(emitted, problem);
  }
  writeRecords(memory, description, block, false);
  for (const signature of emitted.functions.filter(({ name }) => own.has(name))) {
    const valuesWith = (number: 0 | 1): readonly RunValue[] =>
      uniformValues(signature.parameters, number).map((value, position) => {
        const constant = constants.findIndex(
          (each) => each.function === signature.name && each.parameter === position,
        );
        return values[constant] ?? value;
      });
    const withZeros = instance.call(signature.name, ...valuesWith(0));
    // It may divide by them.
    const called =
      withZeros.status === 'success' ? withZeros : instance.call(signature.name, ...valuesWith(1));
    if (called.status !== 'success') return called;
  }
  return success({
    backend: emitted.backend,
    code: bytes,
    extension: '.wasm',
    weights: new Uint8Array(memory.buffer, block, weightBytes),
    description,
  });
};

/** Where the constants and their packed forms are in the block, and how long it is. */
const placesInBlock = (emitted: WasmModule): Pick<SavedModule, 'constants' | 'weightBytes'> => {
  let weightBytes = 0;
  const place = (bytes: number): number => {
    const at = weightBytes;
    weightBytes += aligned(bytes);
    return at;
  };
  const constants = emitted.constants.map((constant): SavedConstant => {
    const { function: name, parameter } = constant;
    const bytes = constant.bytes.length;
    const packing = packingOf(emitted, constant);
    if (packing === undefined) return { function: name, parameter, bytes, at: place(bytes) };
    const packed = place(packing.bytes);
    const at = packing.isOnlyPacked && bytes <= packing.bytes ? packed : place(bytes);
    return { function: name, parameter, bytes, at, packed };
  });
  return { constants, weightBytes };
};

/** A copy of an array at an address. */
const placed = (memory: EngineMemory, elements: Elements, address: number): Elements => {
  const copy = new (elements.constructor as ElementsConstructor)(memory.buffer, address, elements.length);
  copyElements(copy, elements);
  return copy;
};
