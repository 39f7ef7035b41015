/** Element types in memory. */
import type { ElementName } from '@sconv/backend';
import type { Type } from '@sconv/ir';
import type { Code, Expr } from './instructions.ts';
import { f32, f64, i32, i64, typed } from './instructions.ts';
import type { HalfName } from './half-floats.ts';
import { isHalf, narrow, widen } from './half-floats.ts';
import { held } from './integer-words.ts';

/** How an element type is stored in memory. */
export interface Storage {
  readonly name: ElementName;
  readonly bytes: number;
  load(address: Expr<'i32'>, offset?: number): Expr;
  store(address: Expr<'i32'>, value: Expr, offset?: number): Code;
}

const half = (name: HalfName): Storage => ({
  name,
  bytes: 2,
  load: (address, offset) => widen(name, i32.load16U(address, offset)),
  store: (address, value, offset) => i32.store16(address, narrow(name, typed(value, 'f32')), offset),
});

const storages: Readonly<Record<ElementName, Storage>> = {
  f32: {
    name: 'f32',
    bytes: 4,
    load: f32.load,
    store: (address, value, offset) => f32.store(address, typed(value, 'f32'), offset),
  },
  f64: {
    name: 'f64',
    bytes: 8,
    load: f64.load,
    store: (address, value, offset) => f64.store(address, typed(value, 'f64'), offset),
  },
  f16: half('f16'),
  bf16: half('bf16'),
  i32: {
    name: 'i32',
    bytes: 4,
    load: i32.load,
    store: (address, value, offset) => i32.store(address, typed(value, 'i32'), offset),
  },
  i64: {
    name: 'i64',
    bytes: 8,
    load: i64.load,
    store: (address, value, offset) => i64.store(address, typed(value, 'i64'), offset),
  },
  index: {
    name: 'index',
    bytes: 4,
    load: i32.load,
    store: (address, value, offset) => i32.store(address, typed(value, 'i32'), offset),
  },
  i1: {
    name: 'i1',
    bytes: 1,
    // Of a caller's value only the lowest bit counts.
    load: (address, offset) => held(i32.load8(address, offset), 1),
    store: (address, value, offset) => i32.store8(address, typed(value, 'i32'), offset),
  },
  i8: {
    name: 'i8',
    bytes: 1,
    load: i32.load8,
    store: (address, value, offset) => i32.store8(address, typed(value, 'i32'), offset),
  },
  i16: {
    name: 'i16',
    bytes: 2,
    load: i32.load16,
    store: (address, value, offset) => i32.store16(address, typed(value, 'i32'), offset),
  },
};

/** Bytes per element. */
export const elementBytes = (element: ElementName): number => storages[element].bytes;

/** By width. */
const integerStorages: Readonly<Record<number, Storage>> = {
  1: storages.i1,
  8: storages.i8,
  16: storages.i16,
  32: storages.i32,
  64: storages.i64,
};

/** The storage of an element type; undefined if unsupported. */
export const storageOf = (type: Type): Storage | undefined => {
  switch (type.kind) {
    case 'index':
      return storages.index;
    case 'float':
      return type.name === 'f32' || type.name === 'f64' || isHalf(type.name)
        ? storages[type.name]
        : undefined;
    case 'integer':
      return integerStorages[type.width];
    default:
      return undefined;
  }
};
