/** Places in the scratch memory that outlive a call: constants, what is packed of them, and records of packings. */
import type { Id, Module, Registry } from '@sconv/ir';
import { children } from '@sconv/ir';
import { aligned } from './arena.ts';
import type { GlobalPlaces } from './globals.ts';
import { placeGlobals } from './globals.ts';
import type { PackingPlaces, SourcePlaces } from './packing-keeper.ts';
import { recordBytes } from './packing-keeper.ts';
import type { KeptPackings } from './kept-packings.ts';
import { findKeptPackings } from './kept-packings.ts';
import type { Source } from './packed-source.ts';

/** The packings of a function that may be kept. */
export interface FunctionPackings extends PackingPlaces, KeptPackings {}

export interface ConstantPlaces {
  readonly globals: GlobalPlaces;
  /** By function. */
  readonly packings: ReadonlyMap<Id, FunctionPackings>;
  /** What has to stand at the start of the memory; absent where that is nothing. */
  readonly data?: Uint8Array;
  /** The end of all places. */
  readonly bytes: number;
}

/** Gives every constant of the module its place. */
export const placeConstants = (module: Module, registry: Registry): ConstantPlaces => {
  const globals = placeGlobals(module);
  const names = constantNames(module);
  const found = children(module.root)
    .filter(({ name, regions }) => name === 'func.func' && regions[0]?.blocks.length === 1)
    .map((operation) => ({ operation, kept: findKeptPackings(operation, names, registry) }));
  // Records are initialised with the constants, so they stand next to them.
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
    packings.set(operation.id, { ...kept, places, lowered: new Set() });
  }
  if (initialised === 0) return { globals, packings, bytes };
  const data = new Uint8Array(initialised);
  data.set(globals.data ?? []);
  return { globals, packings, data, bytes };
};

/** The globals whose values stay. */
const constantNames = (module: Module): ReadonlySet<string> =>
  new Set(
    children(module.root).flatMap(({ name, attributes }) => {
      const { sym_name: symbol, constant } = attributes;
      return name === 'memref.global' && symbol?.kind === 'string' && constant !== undefined
        ? [symbol.value]
        : [];
    }),
  );
