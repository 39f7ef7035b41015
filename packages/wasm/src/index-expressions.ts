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

const natural: IndexRange = { lo: 0, hi: Infinity };

const contains = (limits: IndexRange, { lo, hi }: IndexRange): boolean => lo >= limits.lo && hi <= limits.hi;

/** An expression that may overflow 64 bits. */
export class IndexRangeError extends Error {}

/** The expression as a constant and terms with integer factors, equal terms combined; outer variables first. */
export const termsOf = (
  expr: AffineExpr,
): { readonly constant: number; readonly terms: readonly IndexTerm[] } => {
  const sum: GatheredSum = { constant: 0, terms: [] };
  collect(sum, expr, 1);
  // Rows without gaps are contiguous: c * (x floordiv c) + x mod c is x.
  for (const { expr: rest, factor } of [...sum.terms]) {
    if (rest.kind !== 'mod' || rest.rhs.kind !== 'constant') continue;
    const quotient = floorDiv(rest.lhs, rest.rhs);
    const whole = rest.rhs.value * factor;
    if (!sum.terms.some((term) => term.factor === whole && equals(term.expr, quotient))) continue;
    collect(sum, quotient, -whole);
    collect(sum, rest, -factor);
    collect(sum, rest.lhs, factor);
  }
  const terms = sum.terms.filter(({ factor }) => factor !== 0);
  if (terms.length > 1) terms.sort(byDepth);
  return { constant: sum.constant, terms };
};

/** A sum while its terms are gathered. */
interface GatheredSum {
  constant: number;
  readonly terms: { readonly expr: AffineExpr; readonly depth: number; factor: number }[];
}

const byDepth = (a: { readonly depth: number }, b: { readonly depth: number }): number => a.depth - b.depth;

/** Adds `factor * part` to a sum. */
const collect = (sum: GatheredSum, part: AffineExpr, factor: number): void => {
  if (part.kind === 'constant') sum.constant += part.value * factor;
  else if (part.kind === 'add') {
    collect(sum, part.lhs, factor);
    collect(sum, part.rhs, factor);
  } else if (part.kind === 'mul' && part.rhs.kind === 'constant')
    collect(sum, part.lhs, factor * part.rhs.value);
  else {
    for (const term of sum.terms) {
      if (!equals(term.expr, part)) continue;
      term.factor += factor;
      return;
    }
    sum.terms.push({ expr: part, factor, depth: Math.max(-1, ...positionsOf(part)) });
  }
};

/** The sum of `constant` and terms. */
export const sumOfTerms = (terms: readonly IndexTerm[], offset = 0): AffineExpr =>
  terms.reduce((sum, { expr, factor }) => add(sum, mul(expr, factor)), constant(offset));

/** The positions of an expression's variables, with repetitions. */
export const positionsOf = (expr: AffineExprData): readonly number[] => {
  const positions: number[] = [];
  addPositions(positions, expr);
  return positions;
};

const addPositions = (positions: number[], part: AffineExprData): void => {
  if (part.kind === 'symbol') positions.push(part.position);
  else if ('lhs' in part) {
    addPositions(positions, part.lhs);
    addPositions(positions, part.rhs);
  }
};

export const createIndexVariables = (f: FunctionBuilder): IndexVariables => new Variables(f);

/** A class for the reason that the writer of a function's body is one. */
class Variables implements IndexVariables {
  private readonly f: FunctionBuilder;
  private readonly locals: Local<'i32'>[] = [];
  private readonly bounds: [number, number][] = [];
  /** Bounds of variables do not change, and expressions are queried repeatedly. */
  private readonly ranges = new Map<AffineExpr, IndexRange>();
  private readonly boundsOf = ({ position }: { readonly position: number }) => this.bounds[position];

  constructor(f: FunctionBuilder) {
    this.f = f;
  }

  rangeOf(expr: AffineExpr): IndexRange {
    const known = this.ranges.get(expr);
    if (known !== undefined) return known;
    const found = range(expr, this.boundsOf);
    this.ranges.set(expr, found);
    return found;
  }

  /** Whether all values are in range; interval arithmetic proves nearly all expressions that are. */
  private isWithin(expr: AffineExpr, limits: IndexRange): boolean {
    return contains(limits, enclosure(expr, this.boundsOf)) || contains(limits, this.rangeOf(expr));
  }

  private isNonNegative(expr: AffineExpr): boolean {
    return this.isWithin(expr, natural);
  }

  fits(expr: AffineExpr): boolean {
    return this.isWithin(expr, unboundedIndex);
  }

  /** Upper bound on the magnitude of an expression; infinite if a subexpression may overflow 64 bits. */
  private magnitudeOf(expr: AffineExpr): number {
    if (expr.kind === 'constant') return Math.abs(expr.value);
    const { lo, hi } = this.rangeOf(expr);
    const ofRange = Math.max(Math.abs(lo), Math.abs(hi - 1));
    if (expr.kind === 'symbol' || expr.kind === 'dim') return ofRange;
    const [a, b] = [this.magnitudeOf(expr.lhs), this.magnitudeOf(expr.rhs)];
    if (Math.max(a, b) >= 2 ** 63) return Infinity;
    return Math.min(ofRange, expr.kind === 'mul' ? a * b : a + b);
  }

  emitWide(expr: AffineExpr): Expr<'i64'> {
    if (this.magnitudeOf(expr) >= 2 ** 63) throw new IndexRangeError(`64 bits may not hold ${String(expr)}`);
    return this.wide(expr);
  }

  private wide(expr: AffineExpr): Expr<'i64'> {
    switch (expr.kind) {
      case 'symbol':
        return i64.extendI32S(this.emitNode(expr));
      case 'dim':
        throw new Error('variables of index expressions are symbols');
      case 'constant':
        return i64.const(BigInt(expr.value));
      case 'add':
        return i64.add(this.wide(expr.lhs), this.wide(expr.rhs));
      case 'mul':
        return i64.mul(this.wide(expr.lhs), this.wide(expr.rhs));
      case 'floordiv':
        return this.wideQuotient(this.wide(expr.lhs), this.wide(expr.rhs));
      case 'ceildiv':
        return this.wideQuotient(this.wide(add(expr.lhs, add(expr.rhs, -1))), this.wide(expr.rhs));
      case 'mod': {
        const divisor = this.f.get(this.f.let(this.wide(expr.rhs)));
        const remainder = this.f.get(this.f.let(i64.remS(this.wide(expr.lhs), divisor)));
        return select(i64.add(remainder, divisor), remainder, i64.ltS(remainder, i64.const(0n)));
      }
    }
  }

  /** Floor division by a positive divisor. */
  private wideQuotient(lhs: Expr<'i64'>, rhs: Expr<'i64'>): Expr<'i64'> {
    const [dividend, divisor] = [this.f.get(this.f.let(lhs)), this.f.get(this.f.let(rhs))];
    const quotient = this.f.get(this.f.let(i64.divS(dividend, divisor)));
    const rest = i64.sub(dividend, i64.mul(quotient, divisor));
    return i64.sub(quotient, i64.extendI32U(i64.ltS(rest, i64.const(0n))));
  }

  /** `expr` modulo a positive divisor, in `[0, divisor)`. */
  private modulo(lhs: AffineExpr, rhs: AffineExpr): Expr<'i32'> {
    const divisor = this.emit(rhs);
    if (this.isNonNegative(lhs)) return i32.remU(this.emit(lhs), divisor);
    const remainder = this.f.get(this.f.let(i32.remS(this.emit(lhs), divisor)));
    return select(i32.add(remainder, divisor), remainder, i32.ltS(remainder, i32.const(0)));
  }

  private floored(lhs: AffineExpr, rhs: AffineExpr): Expr<'i32'> {
    const divisor = this.emit(rhs);
    if (this.isNonNegative(lhs)) return i32.divU(this.emit(lhs), divisor);
    const dividend = this.f.get(this.f.let(this.emit(lhs)));
    const quotient = this.f.get(this.f.let(i32.divS(dividend, divisor)));
    const rest = i32.sub(dividend, i32.mul(quotient, divisor));
    return i32.sub(quotient, i32.ltS(rest, i32.const(0)));
  }

  private emitTerm({ expr, factor }: IndexTerm): Expr<'i32'> {
    const value = this.emitNode(expr);
    return factor === 1 ? value : i32.mul(value, i32.const(factor));
  }

  /** Whether an expression divides, or takes the remainder of, a value that may overflow 32 bits. */
  private dividesWide(expr: AffineExpr): boolean {
    switch (expr.kind) {
      case 'floordiv':
      case 'mod':
        return !this.fits(expr.lhs) || !this.fits(expr.rhs);
      case 'ceildiv':
        return !this.fits(add(expr.lhs, add(expr.rhs, -1))) || !this.fits(expr.rhs);
      default:
        return false;
    }
  }

  private emitNode(expr: AffineExpr): Expr<'i32'> {
    // Low bits suffice for sums and products, but not for quotients.
    if (this.dividesWide(expr)) return i32.wrapI64(this.emitWide(expr));
    switch (expr.kind) {
      case 'symbol': {
        const local = this.locals[expr.position];
        if (local === undefined) throw new Error(`there is no index variable ${expr.position}`);
        return this.f.get(local);
      }
      case 'dim':
        throw new Error('variables of index expressions are symbols');
      case 'mul':
        return i32.mul(this.emit(expr.lhs), this.emit(expr.rhs));
      case 'floordiv':
        return this.floored(expr.lhs, expr.rhs);
      case 'ceildiv':
        return this.floored(add(expr.lhs, add(expr.rhs, -1)), expr.rhs);
      case 'mod':
        return this.modulo(expr.lhs, expr.rhs);
      case 'constant':
      case 'add':
        return this.emit(expr);
    }
  }

  // Outer terms are added first: their loop-invariant sum is one value, which V8 hoists.
  emit(expr: AffineExpr): Expr<'i32'> {
    const { constant: offset, terms } = termsOf(expr);
    let sum: Expr<'i32'> | undefined;
    for (const term of terms)
      sum = sum === undefined ? this.emitTerm(term) : i32.add(sum, this.emitTerm(term));
    if (sum === undefined) return i32.const(offset);
    return offset === 0 ? sum : i32.add(sum, i32.const(offset));
  }

  of(local: Local<'i32'>, lo: number, hi: number): IndexVariable {
    const position = this.locals.push(local) - 1;
    // `range` accepts no empty interval; the variable of a loop that never runs may have any value.
    this.bounds.push([lo, Math.max(hi, lo + 1)]);
    return { expr: symbol(position), position, local };
  }

  isLarge(expr: AffineExpr): boolean {
    return sizeOf(expr) > largestExpression;
  }

  materialize(expr: AffineExpr): IndexVariable {
    const { lo, hi } = this.rangeOf(expr);
    const known = Number.isFinite(lo) && Number.isFinite(hi) ? { lo, hi } : unboundedIndex;
    return this.of(this.f.let(this.emit(expr)), known.lo, known.hi);
  }
}
