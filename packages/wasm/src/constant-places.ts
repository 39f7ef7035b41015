/** Scratch memory that outlives a call: constants, their packed forms, and the records of packings. */
import type { Id, Module, Registry, Value } from '@sconv/ir';
import { children, i32, isPrivate, symbolNameOf } from '@sconv/ir';
import type { Keeping, KeptPackings, Source } from '@sconv/kernels';
import { keptPackings } from '@sconv/kernels';
import { aligned } from './arena.ts';
import { inCallOrder } from './call-op.ts';
import type { GlobalPlaces } from './globals.ts';
import { placeGlobals } from './globals.ts';
import type { PackingPlaces, PassedPlace, SourcePlaces } from './packing-keeper.ts';
import { recordBytes } from './packing-keeper.ts';
import { storageOf } from './storage.ts';

/** A function's packings that can be kept. */
export interface FunctionPackings extends PackingPlaces, KeptPackings {
  /** The places that its callers pass, after the arguments: none for a public function. */
  readonly passed: readonly (PassedPlace & { readonly parameter: number })[];
}

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
  const functions = children(module.root).filter(
    ({ name, regions }) => name === 'func.func' && regions[0]?.blocks.length === 1,
  );
  const callees = new Map<string, Pick<KeptPackings, 'bytes' | 'read' | 'packed'>>();
  const found = inCallOrder(functions).map((operation) => {
    const kept = keptPackings(operation, registry, { ...keeping, callees });
    const isPassed = isPrivate(operation);
    callees.set(symbolNameOf(operation)!, isPassed ? kept : { ...kept, bytes: new Map(), packed: new Set() });
    return { operation, kept, isPassed };
  });
  // Records are initialised together with the constants, so they are adjacent.
  let record = aligned(globals.bytes);
  const isRecorded = (source: Source, isPassed: boolean): boolean => !isPassed || source === 'constants';
  const records = found.flatMap(({ kept, isPassed }) =>
    [...kept.bytes.keys()].filter((source) => isRecorded(source, isPassed)),
  ).length;
  const initialised = record + records * recordBytes;
  let bytes = aligned(initialised);
  const packings = new Map<Id, FunctionPackings>();
  let id = -1;
  /** A value of no operation. */
  const value = (): Value => ({ id: id--, type: i32 });
  for (const { operation, kept, isPassed } of found) {
    const places = new Map<Source, SourcePlaces>();
    const passed: FunctionPackings['passed'][number][] = [];
    for (const [source, size] of kept.bytes) {
      if (typeof source === 'number' && !isRecorded(source, isPassed)) {
        const place = { area: value(), isPacked: value() };
        places.set(source, place);
        passed.push({ parameter: source, ...place });
        continue;
      }
      places.set(source, source === 'constants' ? { record, kept: bytes } : { record });
      record += recordBytes;
      if (source === 'constants') bytes += aligned(size);
    }
    packings.set(operation.id, { ...kept, places, passed });
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
