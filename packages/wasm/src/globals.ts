/** memref.global: constants at the start of the scratch memory. */
import type { ElementName } from '@sconv/backend';
import { halfBits } from '@sconv/backend';
import type { DenseElementsAttribute, Module, Operation } from '@sconv/ir';
import { children, elementCount } from '@sconv/ir';
import { aligned } from './arena.ts';
import { fail, unsupported } from './lowering.ts';
import { storableType } from './memref-ops.ts';
import { maximumConstants } from './wasm-module.ts';

export interface GlobalPlaces {
  /** Offset in the scratch memory by symbol name. */
  readonly offsets: ReadonlyMap<string, number>;
  /** Those that may be written. */
  readonly variables: ReadonlySet<string>;
  readonly bytes: number;
  /** The initial values; absent without globals. */
  readonly data?: Uint8Array;
}

/** Assigns each global of the module a place. */
export const placeGlobals = (module: Module): GlobalPlaces => {
  const offsets = new Map<string, number>();
  const variables = new Set<string>();
  const writes: ((view: DataView) => void)[] = [];
  let bytes = 0;
  for (const operation of children(module.root)) {
    if (operation.name !== 'memref.global') continue;
    const { sym_name: name, type, initial_value: value, constant } = operation.attributes;
    if (name?.kind !== 'string' || type?.kind !== 'type')
      return unsupported(operation, 'a global without name');
    const { type: memref, storage } = storableType(operation, type.type);
    const at = bytes;
    const count = elementCount(memref.shape);
    offsets.set(name.value, at);
    if (constant === undefined) variables.add(name.value);
    bytes = aligned(at + count * storage.bytes);
    if (bytes > maximumConstants) {
      const message = `needs ${bytes} bytes of constants; an engine takes modules of up to 1 GiB`;
      return fail(operation, 'wasm/memory-limit', message);
    }
    if (value?.kind !== 'dense-elements') continue;
    writes.push((view) => {
      writeElements(operation, view, at, value, count, storage.name, storage.bytes);
    });
  }
  if (bytes === 0) return { offsets, variables, bytes };
  const data = new Uint8Array(bytes);
  const view = new DataView(data.buffer);
  for (const write of writes) write(view);
  return { offsets, variables, bytes, data };
};

const writeElements = (
  operation: Operation,
  view: DataView,
  start: number,
  { values, text }: DenseElementsAttribute,
  count: number,
  element: ElementName,
  size: number,
): void => {
  if (text !== undefined) return unsupported(operation, 'a constant in this form');
  for (let i = 0; i < count; i += 1) {
    const value = values[values.length === 1 ? 0 : i] ?? 0;
    const at = start + i * size;
    switch (element) {
      case 'f32':
        view.setFloat32(at, Number(value), true);
        break;
      case 'f64':
        view.setFloat64(at, Number(value), true);
        break;
      case 'f16':
      case 'bf16':
        view.setUint16(at, halfBits(element, [Number(value)])[0]!, true);
        break;
      case 'i64':
        view.setBigInt64(at, BigInt(value), true);
        break;
      case 'i1':
        view.setInt8(at, Number(value) & 1);
        break;
      case 'i8':
        view.setInt8(at, Number(value));
        break;
      case 'i16':
        view.setInt16(at, Number(value), true);
        break;
      case 'i32':
      case 'index':
        view.setInt32(at, Number(value), true);
        break;
    }
  }
};
