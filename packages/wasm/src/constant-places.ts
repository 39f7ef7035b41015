/** Scratch memory that outlives a call: constants, their packed forms, and the records of packings. */
import type { Id, Module, Registry } from '@sconv/ir';
import { children } from '@sconv/ir';
import type { Keeping, KeptPackings, Source } from '@sconv/kernels';
import { keptPackings } from '@sconv/kernels';
import { aligned } from './arena.ts';
import type { GlobalPlaces } from './globals.ts';
import { placeGlobals } from './globals.ts';
import type { PackingPlaces, SourcePlaces } from './packing-keeper.ts';
import { recordBytes } from './packing-keeper.ts';
import { storageOf } from './storage.ts';

/** A function's packings that can be kept. */
export interface FunctionPackings extends PackingPlaces, KeptPackings {}

export interface ConstantPlaces {
  readonly globals: GlobalPlaces;
  /** By function. */
  readonly packings: ReadonlyMap<Id, FunctionPackings>;
  /** Initial contents of the memory; absent if empty. */
  readonly data?: Uint8Array;
  /** End of all places. */
  readonly bytes: number;
}

/** Packings of an argument that are larger, by this factor, than the argument itself are not kept. */
const largestShare = 2;

/** Assigns every constant of the module its place. */
export const placeConstants = (module: Module, registry: Registry): ConstantPlaces => {
  const globals = placeGlobals(module);
  const keeping: Keeping = {
    elementBytes: (type) => storageOf(type)?.bytes,
    constants: constantNames(module),
    largestShare,
  };
  const found = children(module.root)
    .filter(({ name, regions }) => name === 'func.func' && regions[0]?.blocks.length === 1)
    .map((operation) => ({ operation, kept: keptPackings(operation, registry, keeping) }));
  // Records are initialised together with the constants, so they are adjacent.
  let record = aligned(globals.bytes);
  const records = found.reduce((sum, { kept }) => sum + kept.bytes.size, 0);
  const initialised = record + records * recordBytes;
  let bytes = aligned(initialised);
  const packings = new Map<Id, FunctionPackings>();
  for (const { operation, kept } of found) {
    const places = new Map<Source, SourcePlaces>();
    for (const [source, size] of kept.bytes) {
      places.set(source, source === 'constants' ? { record, kept: bytes } : { record });
      record += recordBytes;
      if (source === 'constants') bytes += aligned(size);
    }
    packings.set(operation.id, { ...kept, places });
  }
  if (initialised === 0) return { globals, packings, bytes };
  const data = new Uint8Array(initialised);
  data.set(globals.data ?? []);
  return { globals, packings, data, bytes };
};

/** The globals that never change. */
const constantNames = (module: Module): ReadonlySet<string> =>
  new Set(
    children(module.root).flatMap(({ name, attributes }) => {
      const { sym_name: symbol, constant } = attributes;
      return name === 'memref.global' && symbol?.kind === 'string' && constant !== undefined
        ? [symbol.value]
        : [];
    }),
  );
