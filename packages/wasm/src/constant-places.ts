/** Places in the scratch memory that outlive a call: constants, then packed constants. */
import type { Id, Module, Registry } from '@sconv/ir';
import { aligned } from './arena.ts';
import type { GlobalVariable, ModuleBuilder } from './encoder.ts';
import type { GlobalPlaces } from './globals.ts';
import { placeGlobals } from './globals.ts';
import { bytesOf, storableType } from './memref-ops.ts';
import { findPackedConstants } from './packed-constants.ts';

export interface ConstantPlaces {
  readonly globals: GlobalPlaces;
  /** Offsets by the operation that allocates. */
  readonly packed: ReadonlyMap<Id, number>;
  /** Whether it is packed already, by the operation that packs. */
  readonly done: ReadonlyMap<Id, GlobalVariable>;
  /** The end of all places. */
  readonly bytes: number;
}

/** Gives every constant of the module its place. */
export const placeConstants = (
  builder: ModuleBuilder,
  module: Module,
  registry: Registry,
): ConstantPlaces => {
  const globals = placeGlobals(module);
  const packed = new Map<Id, number>();
  const done = new Map<Id, GlobalVariable>();
  let bytes = aligned(globals.bytes);
  for (const { allocation, packing } of findPackedConstants(module, registry)) {
    const { type, storage } = storableType(allocation, allocation.results[0]?.type ?? { kind: 'none' });
    packed.set(allocation.id, bytes);
    done.set(packing.id, builder.global());
    bytes += aligned(bytesOf(allocation, type, storage));
  }
  return { globals, packed, done, bytes };
};
