/**
 * Index arithmetic as affine expressions over variables of the emitted function, so that addresses are simplified,
 * split by loop and bounded before any code is emitted.
 */
import type { AffineExpr, AffineExprData, ValueRange } from '@sconv/affine';
import { add, constant, enclosure, equals, floorDiv, mul, range, sizeOf, symbol } from '@sconv/affine';
import type { FunctionBuilder, Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32, i64, select } from './instructions.ts';

/**
 * An i32 local in index expressions: a symbol, since affine expressions may multiply and divide by symbols but not by
 * dimensions.
 */
export interface IndexVariable {
  readonly expr: AffineExpr;
  readonly position: number;
  readonly local: Local<'i32'>;
}

/** `factor * expr`, where `expr` is neither a sum nor a multiple. */
export interface IndexTerm {
  readonly expr: AffineExpr;
  readonly factor: number;
}

/** Values from `lo` up to, not including, `hi`. */
export type IndexRange = Pick<ValueRange, 'lo' | 'hi'>;

export interface IndexVariables {
  /** A variable for an existing local with values in `[lo, hi)`. */
  of(local: Local<'i32'>, lo: number, hi: number): IndexVariable;
  /** The possible values of an expression. */
  rangeOf(expr: AffineExpr): IndexRange;
  /** Whether to compute an expression into a local before using it further. */
  isLarge(expr: AffineExpr): boolean;
  /** Whether every value of the expression fits 32 bits. */
  fits(expr: AffineExpr): boolean;
  /** The low 32 bits of the expression as code. */
  emit(expr: AffineExpr): Expr<'i32'>;
  /** The expression in 64 bits. Throws an `IndexRangeError` if it may overflow those. */
  emitWide(expr: AffineExpr): Expr<'i64'>;
  /** Computes the expression into a new local, as a variable. */
  materialize(expr: AffineExpr): IndexVariable;
}

/** Larger expressions are computed into a local, which keeps chains of index arithmetic linear in size. */
const largestExpression = 64;

/** Range of an index that the IR does not bound: that of an i32. */
export const unboundedIndex: IndexRange = { lo: -(2 ** 31), hi: 2 ** 31 };

/** An expression that may overflow 64 bits. */
export class IndexRangeError extends Error {}

/** The expression as a constant and terms with integer factors, equal terms combined; outer variables first. */
export const termsOf = (
  expr: AffineExpr,
): { readonly constant: number; readonly terms: readonly IndexTerm[] } => {
  const gathered: { readonly expr: AffineExpr; readonly depth: number; factor: number }[] = [];
  let offset = 0;
  const collect = (part: AffineExpr, factor: number): void => {
    if (part.kind === 'constant') offset += part.value * factor;
    else if (part.kind === 'add') {
      collect(part.lhs, factor);
      collect(part.rhs, factor);
    } else if (part.kind === 'mul' && part.rhs.kind === 'constant')
      collect(part.lhs, factor * part.rhs.value);
    else {
      const known = gathered.find((term) => equals(term.expr, part));
      if (known === undefined)
        gathered.push({ expr: part, factor, depth: Math.max(-1, ...positionsOf(part)) });
      else known.factor += factor;
    }
  };
  collect(expr, 1);
  // Rows without gaps are contiguous: c * (x floordiv c) + x mod c is x.
  for (const { expr: rest, factor } of [...gathered]) {
    if (rest.kind !== 'mod' || rest.rhs.kind !== 'constant') continue;
    const quotient = floorDiv(rest.lhs, rest.rhs);
    const whole = rest.rhs.value * factor;
    if (!gathered.some((term) => term.factor === whole && equals(term.expr, quotient))) continue;
    collect(quotient, -whole);
    collect(rest, -factor);
    collect(rest.lhs, factor);
  }
  const terms = gathered.filter(({ factor }) => factor !== 0);
  if (terms.length > 1) terms.sort((a, b) => a.depth - b.depth);
  return { constant: offset, terms };
};

/** The sum of `constant` and terms. */
export const sumOfTerms = (terms: readonly IndexTerm[], offset = 0): AffineExpr =>
  terms.reduce((sum, { expr, factor }) => add(sum, mul(expr, factor)), constant(offset));

/** The positions of an expression's variables, with repetitions. */
export const positionsOf = (expr: AffineExprData): readonly number[] => {
  const positions: number[] = [];
  const visit = (part: AffineExprData): void => {
    if (part.kind === 'symbol') positions.push(part.position);
    else if ('lhs' in part) {
      visit(part.lhs);
      visit(part.rhs);
    }
  };
  visit(expr);
  return positions;
};

export const createIndexVariables = (f: FunctionBuilder): IndexVariables => {
  const locals: Local<'i32'>[] = [];
  const bounds: [number, number][] = [];

  // Bounds of variables do not change, and expressions are queried repeatedly.
  const ranges = new WeakMap<AffineExpr, IndexRange>();
  const rangeOf = (expr: AffineExpr): IndexRange => {
    const known = ranges.get(expr) ?? range(expr, boundsOf);
    ranges.set(expr, known);
    return known;
  };

  const boundsOf = ({ position }: { readonly position: number }) => bounds[position];

  /** Whether all values are in range; interval arithmetic proves nearly all expressions that are. */
  const isWithin = (expr: AffineExpr, { lo, hi }: IndexRange): boolean => {
    const contains = (values: IndexRange): boolean => values.lo >= lo && values.hi <= hi;
    return contains(enclosure(expr, boundsOf)) || contains(rangeOf(expr));
  };

  const isNonNegative = (expr: AffineExpr): boolean => isWithin(expr, { lo: 0, hi: Infinity });

  const fits = (expr: AffineExpr): boolean => isWithin(expr, unboundedIndex);

  /** Upper bound on the magnitude of an expression; infinite if a subexpression may overflow 64 bits. */
  const magnitudeOf = (expr: AffineExpr): number => {
    if (expr.kind === 'constant') return Math.abs(expr.value);
    const { lo, hi } = rangeOf(expr);
    const ofRange = Math.max(Math.abs(lo), Math.abs(hi - 1));
    if (expr.kind === 'symbol' || expr.kind === 'dim') return ofRange;
    const [a, b] = [magnitudeOf(expr.lhs), magnitudeOf(expr.rhs)];
    if (Math.max(a, b) >= 2 ** 63) return Infinity;
    return Math.min(ofRange, expr.kind === 'mul' ? a * b : a + b);
  };

  const emitWide = (expr: AffineExpr): Expr<'i64'> => {
    if (magnitudeOf(expr) >= 2 ** 63) throw new IndexRangeError(`64 bits may not hold ${String(expr)}`);
    return wide(expr);
  };

  const wide = (expr: AffineExpr): Expr<'i64'> => {
    switch (expr.kind) {
      case 'symbol':
        return i64.extendI32S(emitNode(expr));
      case 'dim':
        throw new Error('variables of index expressions are symbols');
      case 'constant':
        return i64.const(BigInt(expr.value));
      case 'add':
        return i64.add(wide(expr.lhs), wide(expr.rhs));
      case 'mul':
        return i64.mul(wide(expr.lhs), wide(expr.rhs));
      case 'floordiv':
        return wideQuotient(wide(expr.lhs), wide(expr.rhs));
      case 'ceildiv':
        return wideQuotient(wide(add(expr.lhs, add(expr.rhs, -1))), wide(expr.rhs));
      case 'mod': {
        const divisor = f.get(f.let(wide(expr.rhs)));
        const remainder = f.get(f.let(i64.remS(wide(expr.lhs), divisor)));
        return select(i64.add(remainder, divisor), remainder, i64.ltS(remainder, i64.const(0n)));
      }
    }
  };

  /** Floor division by a positive divisor. */
  const wideQuotient = (lhs: Expr<'i64'>, rhs: Expr<'i64'>): Expr<'i64'> => {
    const [dividend, divisor] = [f.get(f.let(lhs)), f.get(f.let(rhs))];
    const quotient = f.get(f.let(i64.divS(dividend, divisor)));
    const rest = i64.sub(dividend, i64.mul(quotient, divisor));
    return i64.sub(quotient, i64.extendI32U(i64.ltS(rest, i64.const(0n))));
  };

  /** `expr` modulo a positive divisor, in `[0, divisor)`. */
  const modulo = (lhs: AffineExpr, rhs: AffineExpr): Expr<'i32'> => {
    const divisor = emit(rhs);
    if (isNonNegative(lhs)) return i32.remU(emit(lhs), divisor);
    const remainder = f.get(f.let(i32.remS(emit(lhs), divisor)));
    return select(i32.add(remainder, divisor), remainder, i32.ltS(remainder, i32.const(0)));
  };

  const floored = (lhs: AffineExpr, rhs: AffineExpr): Expr<'i32'> => {
    const divisor = emit(rhs);
    if (isNonNegative(lhs)) return i32.divU(emit(lhs), divisor);
    const dividend = f.get(f.let(emit(lhs)));
    const quotient = f.get(f.let(i32.divS(dividend, divisor)));
    const rest = i32.sub(dividend, i32.mul(quotient, divisor));
    return i32.sub(quotient, i32.ltS(rest, i32.const(0)));
  };

  const emitTerm = ({ expr, factor }: IndexTerm): Expr<'i32'> => {
    const value = emitNode(expr);
    return factor === 1 ? value : i32.mul(value, i32.const(factor));
  };

  /** Whether an expression divides, or takes the remainder of, a value that may overflow 32 bits. */
  const dividesWide = (expr: AffineExpr): boolean => {
    switch (expr.kind) {
      case 'floordiv':
      case 'mod':
        return !fits(expr.lhs) || !fits(expr.rhs);
      case 'ceildiv':
        return !fits(add(expr.lhs, add(expr.rhs, -1))) || !fits(expr.rhs);
      default:
        return false;
    }
  };

  const emitNode = (expr: AffineExpr): Expr<'i32'> => {
    // Low bits suffice for sums and products, but not for quotients.
    if (dividesWide(expr)) return i32.wrapI64(emitWide(expr));
    switch (expr.kind) {
      case 'symbol': {
        const local = locals[expr.position];
        if (local === undefined) throw new Error(`there is no index variable ${expr.position}`);
        return f.get(local);
      }
      case 'dim':
        throw new Error('variables of index expressions are symbols');
      case 'mul':
        return i32.mul(emit(expr.lhs), emit(expr.rhs));
      case 'floordiv':
        return floored(expr.lhs, expr.rhs);
      case 'ceildiv':
        return floored(add(expr.lhs, add(expr.rhs, -1)), expr.rhs);
      case 'mod':
        return modulo(expr.lhs, expr.rhs);
      case 'constant':
      case 'add':
        return emit(expr);
    }
  };

  // Outer terms are added first: their loop-invariant sum is one value, which V8 hoists.
  const emit = (expr: AffineExpr): Expr<'i32'> => {
    const { constant: offset, terms } = termsOf(expr);
    let sum: Expr<'i32'> | undefined;
    for (const term of terms) sum = sum === undefined ? emitTerm(term) : i32.add(sum, emitTerm(term));
    if (sum === undefined) return i32.const(offset);
    return offset === 0 ? sum : i32.add(sum, i32.const(offset));
  };

  const variables: IndexVariables = {
    rangeOf,
    of: (local, lo, hi) => {
      const position = locals.push(local) - 1;
      // `range` accepts no empty interval; the variable of a loop that never runs may have any value.
      bounds.push([lo, Math.max(hi, lo + 1)]);
      return { expr: symbol(position), position, local };
    },
    isLarge: (expr) => sizeOf(expr) > largestExpression,
    fits,
    emit,
    emitWide,
    materialize: (expr) => {
      const { lo, hi } = rangeOf(expr);
      const known = Number.isFinite(lo) && Number.isFinite(hi) ? { lo, hi } : unboundedIndex;
      return variables.of(f.let(emit(expr)), known.lo, known.hi);
    },
  };
  return variables;
};
