/**
 * Integers of any width in locals of 32 or 64 bits. A narrow integer is held sign-extended, `i1` as 0 or 1; operations
 * convert to signed or unsigned before reading and wrap after computing.
 */
import type { Type } from '@sconv/ir';
import type { Expr } from './instructions.ts';
import { i32, i64 } from './instructions.ts';

/** The types of the locals. */
export type WordType = 'i32' | 'i64';

/** The instructions common to both words. */
export interface Word<T extends WordType> extends Record<
  'add' | 'sub' | 'mul' | 'divS' | 'divU' | 'remS' | 'remU' | 'and' | 'or' | 'xor' | 'shl' | 'shrS' | 'shrU',
  (a: Expr<T>, b: Expr<T>) => Expr<T>
> {
  readonly type: T;
  readonly bits: number;
  readonly of: (value: number) => Expr<T>;
  readonly compare: Readonly<Record<Comparison, (a: Expr<T>, b: Expr<T>) => Expr<'i32'>>>;
}

/** Comparisons of words. */
export type Comparison = 'eq' | 'ne' | 'ltS' | 'leS' | 'gtS' | 'geS' | 'ltU' | 'leU' | 'gtU' | 'geU';

const words: { readonly [T in WordType]: Word<T> } = {
  i32: { ...i32, type: 'i32', bits: 32, of: (value) => i32.const(value), compare: i32 },
  i64: { ...i64, type: 'i64', bits: 64, of: (value) => i64.const(BigInt(value)), compare: i64 },
};

/** The instructions of a word. */
export const wordNamed = <T extends WordType>(type: T): Word<T> => words[type];

/** The word for integers of a width; undefined for unsupported widths. */
export const wordOf = (width: number): WordType | undefined => {
  switch (width) {
    case 1:
    case 8:
    case 16:
    case 32:
      return 'i32';
    case 64:
      return 'i64';
    default:
      return undefined;
  }
};

/** Wraps a word to the held form of `width` bits. */
export const held = <T extends WordType>(value: Expr<T>, width: number): Expr<T> => {
  const { bits, of, ...word } = wordNamed(value.type);
  if (width === bits) return value;
  if (width === 1) return word.and(value, of(1));
  return word.shrS(word.shl(value, of(bits - width)), of(bits - width));
};

/** The signed value of an integer of `width` bits: -1 for a true `i1`. */
export const signedValue = <T extends WordType>(value: Expr<T>, width: number): Expr<T> => {
  const word = wordNamed(value.type);
  return width === 1 ? word.sub(word.of(0), value) : value;
};

/** The unsigned value of an integer of `width` bits. */
export const unsignedValue = <T extends WordType>(value: Expr<T>, width: number): Expr<T> => {
  const word = wordNamed(value.type);
  return width === 1 || width === word.bits ? value : word.and(value, word.of(2 ** width - 1));
};

/** Bits of an integer type's held form; 32 for an index. Undefined for other types. */
export const heldWidth = (type: Type): number | undefined => {
  if (type.kind === 'index') return 32;
  return type.kind === 'integer' && wordOf(type.width) !== undefined ? type.width : undefined;
};
