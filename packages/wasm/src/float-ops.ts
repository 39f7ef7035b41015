/** What ops on floats are in WebAssembly, by the instruction that they declare: on numbers, and on vectors of them. */
import type { FloatInstruction } from '@sconv/dialects';
import type { Expr, ValueType } from './instructions.ts';
import { f32, f32x4, f64, f64x2, select, v128 } from './instructions.ts';

/** Of an op with one operand, `b` is not used. */
type Apply<T extends ValueType> = (a: Expr<T>, b: Expr<T>) => Expr<T>;

/** Instructions with these names; `max` and `min` take any NaN. */
type Instructions<T extends ValueType, M extends ValueType> = Readonly<
  Record<Exclude<FloatInstruction, 'maxNumber' | 'minNumber'>, Apply<T>>
> & { readonly ne: (a: Expr<T>, b: Expr<T>) => Expr<M> };

const operationsOf = <T extends ValueType, M extends ValueType>(
  { abs, add, ceil, div, floor, max, min, mul, ne, nearest, neg, sqrt, sub, trunc }: Instructions<T, M>,
  choose: (a: Expr<T>, b: Expr<T>, isFirst: Expr<M>) => Expr<T>,
): Readonly<Record<FloatInstruction, Apply<T>>> => {
  const ofNumbers =
    (extremum: Apply<T>): Apply<T> =>
    (a, b) =>
      choose(b, choose(a, extremum(a, b), ne(b, b)), ne(a, a));
  return {
    ...{ abs, add, ceil, div, floor, max, min, mul, nearest, neg, sqrt, sub, trunc },
    maxNumber: ofNumbers(max),
    minNumber: ofNumbers(min),
  };
};

/** The operations on each type, by the instruction that an op declares. */
export const floatOps = {
  f32: operationsOf<'f32', 'i32'>(f32, select),
  f64: operationsOf<'f64', 'i32'>(f64, select),
  f32x4: operationsOf(f32x4, v128.bitselect),
  f64x2: operationsOf(f64x2, v128.bitselect),
};

const inexact: ReadonlySet<FloatInstruction> = new Set(['add', 'sub', 'mul', 'div', 'sqrt'] as const);

/** Whether the result, computed with more bits, may need rounding to the format of the operands. */
export const mayRound = (instruction: FloatInstruction): boolean => inexact.has(instruction);
