/**
 * MLIR's `simplifyAffineExpr`: flattens an expression to a row of coefficients over dimensions, symbols and local
 * variables (one per distinct quotient, and per product or quotient by a symbol), and rebuilds it from that row. This
 * cancels terms, orders them, and removes common factors of dividend and divisor.
 */
import type { AffineBinaryExpr, AffineDimExpr, AffineExpr, AffineSymbolExpr } from './affine-expr.ts';
import { add, ceilDiv, constant, dim, floorDiv, mod, mul, sameExpr, symbol } from './affine-expr.ts';
import { isPureAffine, sizeOf } from './expr-properties.ts';
import { addExact, gcd, mulExact } from './integer.ts';
import { simplifySemiAffine } from './semi-affine.ts';

/** `Σ coefficients[i] * column i + constant`; missing coefficients are 0. */
interface Row {
  readonly coefficients: number[];
  readonly constant: number;
}

/**
 * The expression rebuilt from its flat form. Unchanged if it divides by a non-positive constant, which has no flat
 * form.
 */
export function flattenAndRebuild(expr: AffineExpr, numDims: number, numSymbols: number): AffineExpr {
  if (!isBinary(expr)) return expr;
  const again = (part: AffineExpr) => flattenAndRebuild(part, numDims, numSymbols);
  const prepared = simplifySemiAffine(expr, again);
  const flattener = new Flattener(numDims, numSymbols);
  const row = flattener.flatten(prepared);
  if (row === undefined) return prepared;
  const rebuilt = flattener.rebuild(row);
  if (isPureAffine(prepared) || sameExpr(rebuilt, prepared)) return rebuilt;
  // MLIR's term order may separate the two terms of a remainder; then the smallest result of several orders is taken.
  const orders = [
    flattener.rebuildSemiAffine(row),
    rebuilt,
    flattener.rebuildSemiAffine(row, { symbolsLast: true }),
  ];
  return orders.reduce((smallest, order) => (sizeOf(order) < sizeOf(smallest) ? order : smallest));
}

class Flattener {
  // The columns of a row: dimensions, then symbols, then locals in creation order.
  readonly #numDims: number;
  readonly #firstLocal: number;
  readonly #locals: AffineExpr[] = [];

  constructor(numDims: number, numSymbols: number) {
    this.#numDims = numDims;
    this.#firstLocal = numDims + numSymbols;
  }

  /** The row of an expression; undefined if it divides by a non-positive constant. */
  flatten(expr: AffineExpr): Row | undefined {
    switch (expr.kind) {
      case 'constant':
        return { coefficients: [], constant: expr.value };
      case 'dim':
        return this.#unit(expr.position);
      case 'symbol':
        return this.#unit(this.#numDims + expr.position);
      default: {
        const lhs = this.flatten(expr.lhs);
        const rhs = this.flatten(expr.rhs);
        if (lhs === undefined || rhs === undefined) return undefined;
        if (expr.kind === 'add') return addRows(lhs, rhs);
        if (expr.rhs.kind !== 'constant') return this.#semiAffine(expr.kind, lhs, rhs);
        if (expr.kind === 'mul') return scaleRow(lhs, rhs.constant);
        if (rhs.constant <= 0) return undefined;
        return expr.kind === 'mod'
          ? this.#mod(lhs, rhs.constant)
          : this.#quotient(expr.kind, lhs, rhs.constant);
      }
    }
  }

  /** The sum of a row: dimensions, symbols, locals, constant. */
  rebuild(row: Row): AffineExpr {
    let expr: AffineExpr | undefined;
    for (let column = 0; column < row.coefficients.length; column++) {
      const coefficient = row.coefficients[column] ?? 0;
      if (coefficient === 0) continue;
      const term = mul(this.#column(column), coefficient);
      expr = expr === undefined ? term : add(expr, term);
    }
    return expr === undefined ? constant(row.constant) : add(expr, row.constant);
  }

  /**
   * The sum of a row in MLIR's order for semi-affine expressions: by position of the dimension or symbol; at the same
   * position dimensions first, then their products and quotients, then symbols; compound locals and the constant last.
   * `symbolsLast`: terms that begin with a symbol come after all dimensions.
   */
  rebuildSemiAffine(row: Row, { symbolsLast = false } = {}): AffineExpr {
    const ordered: { major: number; minor: number; term: AffineExpr }[] = [];
    const compound: AffineExpr[] = [];
    let dims = 0;
    const place = (coefficient: number, column: number): void => {
      if (coefficient === 0) return;
      const expr = this.#column(column);
      const term = mul(expr, coefficient);
      const leading = leadingVariable(expr);
      if (leading === undefined) {
        compound.push(term);
      } else if (leading.kind === 'symbol') {
        const major = leading.position + (symbolsLast ? this.#numDims : 0);
        // In creation order, after products, whose minor is a position.
        ordered.push({ major, minor: Number.MAX_SAFE_INTEGER, term });
      } else if (isBinary(expr) && expr.rhs.kind === 'symbol') {
        ordered.push({ major: leading.position, minor: expr.rhs.position, term });
      } else {
        ordered.push({ major: leading.position, minor: -1 - dims++, term });
      }
    };
    row.coefficients.forEach((coefficient, column) => {
      if (column >= this.#numDims) place(coefficient, column);
    });
    row.coefficients.slice(0, this.#numDims).forEach(place);
    ordered.sort((a, b) => a.major - b.major || a.minor - b.minor);
    const terms = [...ordered.map(({ term }) => term), ...compound];
    return add(terms.reduce(add, constant(0)), row.constant);
  }

  #column(index: number): AffineExpr {
    if (index < this.#numDims) return dim(index);
    if (index < this.#firstLocal) return symbol(index - this.#numDims);
    const local = this.#locals[index - this.#firstLocal];
    if (local === undefined) throw new Error(`no column ${index}`);
    return local;
  }

  #unit(column: number): Row {
    const coefficients = new Array<number>(column + 1).fill(0);
    coefficients[column] = 1;
    return { coefficients, constant: 0 };
  }

  /** The row of the local for `expr`, created if necessary. */
  #local(expr: AffineExpr): Row {
    let index = this.#locals.findIndex((local) => sameExpr(local, expr));
    if (index < 0) index = this.#locals.push(expr) - 1;
    return this.#unit(this.#firstLocal + index);
  }

  /** A product with, or division by, a non-constant: becomes a local. */
  #semiAffine(kind: 'mul' | 'mod' | 'floordiv' | 'ceildiv', lhs: Row, rhs: Row): Row {
    const [a, b] = [this.rebuild(lhs), this.rebuild(rhs)];
    switch (kind) {
      case 'mul':
        return this.#local(mul(a, b));
      case 'mod':
        return this.#local(mod(a, b));
      case 'floordiv':
        return this.#local(floorDiv(a, b));
      case 'ceildiv':
        return this.#local(ceilDiv(a, b));
    }
  }

  /** `x mod c` is `x - c * q`, with `q` the local for `x floordiv c`, common factors cancelled. */
  #mod(row: Row, modulus: number): Row {
    const common = commonDivisor(row, modulus);
    if (common === modulus) return { coefficients: [], constant: 0 };
    const dividend = this.rebuild(divideRow(row, common));
    const quotient = this.#local(floorDiv(dividend, modulus / common));
    return addRows(row, scaleRow(quotient, -modulus));
  }

  /** `x floordiv c` or `x ceildiv c`: its local, common factors cancelled. */
  #quotient(kind: 'floordiv' | 'ceildiv', row: Row, divisor: number): Row {
    const common = commonDivisor(row, divisor);
    const reduced = divideRow(row, common);
    if (common === divisor) return reduced;
    const dividend = this.rebuild(reduced);
    return this.#local((kind === 'floordiv' ? floorDiv : ceilDiv)(dividend, divisor / common));
  }
}

function addRows(a: Row, b: Row): Row {
  const length = Math.max(a.coefficients.length, b.coefficients.length);
  const coefficients = new Array<number>(length);
  for (let i = 0; i < length; i++) coefficients[i] = addExact(a.coefficients[i] ?? 0, b.coefficients[i] ?? 0);
  return { coefficients, constant: addExact(a.constant, b.constant) };
}

function scaleRow(row: Row, factor: number): Row {
  const coefficients = row.coefficients.map((coefficient) => mulExact(coefficient, factor));
  return { coefficients, constant: mulExact(row.constant, factor) };
}

/** `divisor` divides every entry. */
function divideRow(row: Row, divisor: number): Row {
  if (divisor === 1) return row;
  const coefficients = row.coefficients.map((coefficient) => coefficient / divisor);
  return { coefficients, constant: row.constant / divisor };
}

function commonDivisor(row: Row, divisor: number): number {
  return row.coefficients.reduce(gcd, gcd(row.constant, divisor));
}

function isBinary(expr: AffineExpr): expr is AffineBinaryExpr {
  return expr.kind !== 'dim' && expr.kind !== 'symbol' && expr.kind !== 'constant';
}

/** The expression if it is a dimension or symbol, or its left operand if both operands are leaves. */
function leadingVariable(expr: AffineExpr): AffineDimExpr | AffineSymbolExpr | undefined {
  if (expr.kind === 'dim' || expr.kind === 'symbol') return expr;
  if (expr.kind === 'constant' || isBinary(expr.rhs)) return undefined;
  return expr.lhs.kind === 'dim' || expr.lhs.kind === 'symbol' ? expr.lhs : undefined;
}
