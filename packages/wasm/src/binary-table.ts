/** An operation of two operands that several types have. */
import type { Expr, ValueType } from './instructions.ts';
import { typed } from './instructions.ts';

type Binary<T extends ValueType> = (a: Expr<T>, b: Expr<T>) => Expr;

/** The instruction for each type that has it. */
export interface BinaryTable {
  readonly i32?: Binary<'i32'>;
  readonly i64?: Binary<'i64'>;
  readonly f32?: Binary<'f32'>;
  readonly f64?: Binary<'f64'>;
}

/** Applies the instruction for the operands' type; undefined if there is none or the types differ. */
export const applyBinary = (table: BinaryTable, a: Expr, b: Expr): Expr | undefined => {
  if (a.type !== b.type) return undefined;
  const apply = <T extends ValueType>(instruction: Binary<T> | undefined, type: T): Expr | undefined =>
    instruction?.(typed(a, type), typed(b, type));
  switch (a.type) {
    case 'i32':
      return apply(table.i32, 'i32');
    case 'i64':
      return apply(table.i64, 'i64');
    case 'f32':
      return apply(table.f32, 'f32');
    case 'f64':
      return apply(table.f64, 'f64');
    case 'v128':
      return undefined;
  }
};
