/** Element types in memory. */
import type { ElementName } from '@sconv/backend';
import { elementNameOf } from '@sconv/backend';
import type { Type } from '@sconv/ir';
import { wasmElement } from './elements.ts';
import type { Code, Expr } from './instructions.ts';
import { f32, f64, i32, i64, typed } from './instructions.ts';
import type { HalfName } from './half-floats.ts';
import { narrow, widen } from './half-floats.ts';
import { held } from './integer-words.ts';

/** How an element type is stored in memory. */
export interface Storage {
  readonly name: ElementName;
  readonly bytes: number;
  load(address: Expr<'i32'>, offset?: number): Expr;
  store(address: Expr<'i32'>, value: Expr, offset?: number): Code;
}

type Access = Pick<Storage, 'load' | 'store'>;

const half = (name: HalfName): Access => ({
  load: (address, offset) => widen(name, i32.load16U(address, offset)),
  store: (address, value, offset) => i32.store16(address, narrow(name, typed(value, 'f32')), offset),
});

const word: Access = {
  load: i32.load,
  store: (address, value, offset) => i32.store(address, typed(value, 'i32'), offset),
};

const storeByte: Access['store'] = (address, value, offset) =>
  i32.store8(address, typed(value, 'i32'), offset);

const accesses: Readonly<Record<ElementName, Access>> = {
  f32: {
    load: f32.load,
    store: (address, value, offset) => f32.store(address, typed(value, 'f32'), offset),
  },
  f64: {
    load: f64.load,
    store: (address, value, offset) => f64.store(address, typed(value, 'f64'), offset),
  },
  f16: half('f16'),
  bf16: half('bf16'),
  i32: word,
  i64: {
    load: i64.load,
    store: (address, value, offset) => i64.store(address, typed(value, 'i64'), offset),
  },
  index: word,
  // Of a caller's value only the lowest bit counts.
  i1: { load: (address, offset) => held(i32.load8(address, offset), 1), store: storeByte },
  i8: { load: i32.load8, store: storeByte },
  i16: {
    load: i32.load16,
    store: (address, value, offset) => i32.store16(address, typed(value, 'i32'), offset),
  },
};

/** The storage of an element type; undefined if unsupported. */
export const storageOf = (type: Type): Storage | undefined => {
  const name = elementNameOf(type);
  return name && { name, bytes: wasmElement(name).elementBytes, ...accesses[name] };
};
