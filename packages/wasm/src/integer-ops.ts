/** Integer arithmetic of arith: signed and unsigned reads, and wrapping. */
import type { IntegerInstruction } from '@sconv/dialects';
import type { Operation } from '@sconv/ir';
import type { Expr } from './instructions.ts';
import { i32, select, typed } from './instructions.ts';
import type { Comparison, Word, WordType } from './integer-words.ts';
import { held, signedValue, unsignedValue, wordNamed } from './integer-words.ts';
import type { Lowering } from './lowering.ts';
import { trapIf } from './lowering.ts';

/** Integers of one width, and the operation that computes on them. */
interface Arithmetic<T extends WordType> {
  readonly word: Word<T>;
  readonly width: number;
  readonly hold: (value: Expr<T>) => Expr<T>;
  readonly signed: (value: Expr<T>) => Expr<T>;
  readonly unsigned: (value: Expr<T>) => Expr<T>;
  /** Puts the value into a local, for multiple uses. */
  readonly keep: (value: Expr<T>) => Expr<T>;
  /** The signed quotient, rounded towards zero; traps if the width cannot hold it. */
  readonly quotient: (a: Expr<T>, b: Expr<T>) => Expr<T>;
}

type BinaryOperation = <T extends WordType>(on: Arithmetic<T>, a: Expr<T>, b: Expr<T>) => Expr<T>;

/** The same for signed and unsigned. */
const wrapping =
  (name: 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor'): BinaryOperation =>
  ({ word, hold }, a, b) =>
    hold(word[name](a, b));

/** The operand for which the comparison holds. */
const pick =
  (comparison: Comparison, view: 'signed' | 'unsigned'): BinaryOperation =>
  ({ word, [view]: viewed }, a, b) =>
    select(a, b, word.compare[comparison](viewed(a), viewed(b)));

/** A shift by the width or more is poison; like the interpreter, this gives 0. */
const shift =
  (name: 'shl' | 'shrS' | 'shrU', view: 'signed' | 'unsigned'): BinaryOperation =>
  ({ word, width, hold, unsigned, keep, [view]: viewed }, a, b) => {
    const amount = keep(unsigned(b));
    const shifted = word[name](viewed(a), amount);
    return hold(select(shifted, word.of(0), word.compare.ltU(amount, word.of(width))));
  };

/** The truncated quotient, adjusted by 1 for a nonzero remainder whose sign is the divisor's (or is not). */
const rounded =
  (step: 'add' | 'sub', restHasSignOfDivisor: boolean): BinaryOperation =>
  ({ word, hold, signed, keep, quotient }, a, b) => {
    const [dividend, divisor] = [keep(signed(a)), keep(signed(b))];
    const towardsZero = quotient(dividend, divisor);
    const rest = keep(word.remS(dividend, divisor));
    const signs = word.compare[restHasSignOfDivisor ? 'geS' : 'ltS'](word.xor(rest, divisor), word.of(0));
    const isInexact = i32.and(word.compare.ne(rest, word.of(0)), signs);
    return hold(select(word[step](towardsZero, word.of(1)), towardsZero, isInexact));
  };

/** By the instruction that an op declares. */
const binaryOperations: Readonly<Record<IntegerInstruction, BinaryOperation>> = {
  add: wrapping('add'),
  sub: wrapping('sub'),
  mul: wrapping('mul'),
  and: wrapping('and'),
  or: wrapping('or'),
  xor: wrapping('xor'),
  divS: ({ hold, signed, quotient }, a, b) => hold(quotient(signed(a), signed(b))),
  divU: ({ word, hold, unsigned }, a, b) => hold(word.divU(unsigned(a), unsigned(b))),
  remS: ({ word, hold, signed }, a, b) => hold(word.remS(signed(a), signed(b))),
  remU: ({ word, hold, unsigned }, a, b) => hold(word.remU(unsigned(a), unsigned(b))),
  floorDivS: rounded('sub', false),
  ceilDivS: rounded('add', true),
  ceilDivU: ({ word, hold, unsigned, keep }, a, b) => {
    const [dividend, divisor] = [keep(unsigned(a)), keep(unsigned(b))];
    const towardsZero = keep(word.divU(dividend, divisor));
    const isInexact = word.compare.ne(word.remU(dividend, divisor), word.of(0));
    return hold(select(word.add(towardsZero, word.of(1)), towardsZero, isInexact));
  },
  shl: shift('shl', 'unsigned'),
  shrS: shift('shrS', 'signed'),
  shrU: shift('shrU', 'unsigned'),
  minS: pick('ltS', 'signed'),
  maxS: pick('gtS', 'signed'),
  minU: pick('ltU', 'unsigned'),
  maxU: pick('gtU', 'unsigned'),
};

const arithmeticOf = <T extends WordType>(
  state: Lowering,
  operation: Operation,
  type: T,
  width: number,
): Arithmetic<T> => {
  const word = wordNamed(type);
  const hold = (value: Expr<T>): Expr<T> => held(value, width);
  const signed = (value: Expr<T>): Expr<T> => signedValue(value, width);
  const keep = (value: Expr<T>): Expr<T> => state.f.get(state.f.let(value));
  return {
    word,
    width,
    hold,
    signed,
    unsigned: (value) => unsignedValue(value, width),
    keep,
    quotient: (a, b) => {
      const value = keep(word.divS(a, b));
      // At the word's own width the engine traps.
      if (width !== word.bits) {
        const wraps = word.compare.ne(signed(hold(value)), value);
        trapIf(
          state,
          operation,
          wraps,
          'wasm/overflow',
          `divides by -1 what i${width} does not hold the negative of`,
        );
      }
      return value;
    },
  };
};

/** A binary operation on integers of `width` bits in held form; undefined for operands that are not integers. */
export const integerOperation = (
  state: Lowering,
  operation: Operation,
  instruction: IntegerInstruction,
  width: number,
  a: Expr,
  b: Expr,
): Expr | undefined => {
  const apply = binaryOperations[instruction];
  if (a.type !== b.type) return undefined;
  const on = <T extends WordType>(type: T): Expr<T> =>
    apply(arithmeticOf(state, operation, type, width), typed(a, type), typed(b, type));
  return a.type === 'i32' || a.type === 'i64' ? on(a.type) : undefined;
};

/** The comparisons of `arith.cmpi`, in the order of the attribute's values. */
export const integerPredicates: readonly Comparison[] = [
  'eq',
  'ne',
  'ltS',
  'leS',
  'gtS',
  'geS',
  'ltU',
  'leU',
  'gtU',
  'geU',
];

/** `arith.cmpi` on integers of `width` bits; undefined for an unknown predicate or operands that are not integers. */
export const integerComparison = (
  predicate: number,
  width: number,
  a: Expr,
  b: Expr,
): Expr<'i32'> | undefined => {
  const name = integerPredicates[predicate];
  if (name === undefined || a.type !== b.type) return undefined;
  const viewed = name.endsWith('U') ? unsignedValue : signedValue;
  const on = <T extends WordType>(type: T, x: Expr<T>, y: Expr<T>): Expr<'i32'> =>
    wordNamed(type).compare[name](viewed(x, width), viewed(y, width));
  if (a.type === 'i32') return on(a.type, typed(a, 'i32'), typed(b, 'i32'));
  return a.type === 'i64' ? on(a.type, typed(a, 'i64'), typed(b, 'i64')) : undefined;
};
