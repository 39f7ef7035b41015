/** Linear expressions: coefficients, strides and offsets. */
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { add, adopt, constant, mul } from './affine-expr.ts';
import { arityOf, isSymbolicOrConstant } from './expr-properties.ts';
import type { AffineMapData } from './affine-map.ts';
import { adoptMap, checkCounts } from './affine-map.ts';
import { expectKind } from './expect-kind.ts';
import { simplify } from './simplify.ts';
import { sumOf } from './terms.ts';

/** `Σ dims[i] * di + Σ symbols[i] * si + constant`. */
export interface LinearForm {
  readonly dims: readonly number[];
  readonly symbols: readonly number[];
  readonly constant: number;
}

/** The coefficients of an expression after `simplify`; undefined if it is not linear in its variables. */
export function linearForm(expr: AffineExprData): LinearForm | undefined {
  const adopted = adopt(expr);
  const { numDims, numSymbols } = arityOf(adopted);
  return coefficientsOf(simplify(adopted), numDims, numSymbols);
}

/** The coefficients of an expression as written; undefined unless it is a sum of multiples of variables. */
export function writtenLinearForm(expr: AffineExprData): LinearForm | undefined {
  const adopted = adopt(expr);
  const { numDims, numSymbols } = arityOf(adopted);
  return coefficientsOf(adopted, numDims, numSymbols);
}

function coefficientsOf(expr: AffineExpr, numDims: number, numSymbols: number): LinearForm | undefined {
  const coefficients = {
    dim: new Array<number>(numDims).fill(0),
    symbol: new Array<number>(numSymbols).fill(0),
  };
  const sum = sumOf(expr);
  for (const { expr: term, factor } of sum.terms) {
    if (term.kind !== 'dim' && term.kind !== 'symbol') return undefined;
    coefficients[term.kind][term.position] = factor;
  }
  return { dims: coefficients.dim, symbols: coefficients.symbol, constant: sum.constant };
}

/** Memory strides of each dimension and the offset of the first element, in elements. */
export interface StridesAndOffset {
  readonly strides: readonly AffineExpr[];
  readonly offset: AffineExpr;
}

/**
 * The strides and offset of a layout, constants or symbolic expressions: of an expression over `numDims` dimensions, or
 * of a map with one result. Undefined if the layout is not strided. (MLIR: `getStridesAndOffset`.)
 */
export function stridesAndOffset(layout: AffineMapData): StridesAndOffset | undefined;
export function stridesAndOffset(layout: AffineExprData, numDims: number): StridesAndOffset | undefined;
export function stridesAndOffset(
  layout: AffineExprData | AffineMapData,
  numDims = 0,
): StridesAndOffset | undefined {
  expectKind(layout, 'expression', 'map');
  checkCounts(numDims, 0);
  if (layout.kind === 'map') {
    const { results, numDims: count } = adoptMap(layout);
    const [only] = results;
    return only === undefined || results.length > 1 ? undefined : stridesAndOffset(only, count);
  }
  const strides = new Array<AffineExpr>(Math.max(numDims, arityOf(layout).numDims)).fill(constant(0));
  const sum = sumOf(simplify(adopt(layout)));
  let offset = constant(sum.constant);
  for (const { expr, factor } of sum.terms) {
    const strided = dimTimesStride(expr);
    if (strided !== undefined) {
      const { position, stride } = strided;
      strides[position] = add(strides[position] ?? 0, mul(stride, factor));
    } else if (isSymbolicOrConstant(expr)) {
      offset = add(offset, mul(expr, factor));
    } else {
      return undefined;
    }
  }
  return { strides, offset };
}

/** `d`, or `d * stride` with a symbolic stride. */
function dimTimesStride(expr: AffineExpr): { position: number; stride: AffineExpr } | undefined {
  if (expr.kind === 'dim') return { position: expr.position, stride: constant(1) };
  if (expr.kind !== 'mul' || isSymbolicOrConstant(expr)) return undefined;
  const inner = dimTimesStride(expr.lhs);
  return inner && { position: inner.position, stride: mul(inner.stride, expr.rhs) };
}
