/** Values of expressions, maps and sets at a point, on numbers and on bigints. */
import { AffineError } from './affine-error.ts';
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt } from './affine-expr.ts';
import type { AffineMapData, IntegerSetData } from './affine-map.ts';
import { adoptMap, adoptSet } from './affine-map.ts';
import { describe, expectKind, expectList } from './expect-kind.ts';
import { addExact, ceilDivInteger, floorDivInteger, modInteger, mulExact } from './integer.ts';

/**
 * The value of an expression, or the values of a map's results, at a point. Errors: a point of the wrong arity, a
 * non-integer value, a zero divisor, an intermediate value beyond 2^53 (see `evaluateBigInt`).
 */
export function evaluate(expr: AffineExprData, dims: readonly number[], symbols?: readonly number[]): number;
export function evaluate(map: AffineMapData, dims: readonly number[], symbols?: readonly number[]): number[];
export function evaluate(
  subject: AffineExprData | AffineMapData,
  dims: readonly number[],
  symbols: readonly number[] = [],
): number | number[] {
  checkIntegers(dims, 'the dimensions');
  checkIntegers(symbols, 'the symbols');
  expectKind(subject, 'expression', 'map');
  if (subject.kind !== 'map') return valueOf(adopt(subject), dims, symbols);
  const map = adoptMap(subject);
  checkArity(map, dims, symbols);
  return map.results.map((result) => valueOf(result, dims, symbols));
}

/** `evaluate` for values of any size. */
export function evaluateBigInt(
  expr: AffineExprData,
  dims: readonly bigint[],
  symbols?: readonly bigint[],
): bigint;
export function evaluateBigInt(
  map: AffineMapData,
  dims: readonly bigint[],
  symbols?: readonly bigint[],
): bigint[];
export function evaluateBigInt(
  subject: AffineExprData | AffineMapData,
  dims: readonly bigint[],
  symbols: readonly bigint[] = [],
): bigint | bigint[] {
  checkBigints(dims, 'the dimensions');
  checkBigints(symbols, 'the symbols');
  expectKind(subject, 'expression', 'map');
  if (subject.kind !== 'map') return bigValueOf(adopt(subject), dims, symbols);
  const map = adoptMap(subject);
  checkArity(map, dims, symbols);
  return map.results.map((result) => bigValueOf(result, dims, symbols));
}

/** Whether a point satisfies all constraints of a set. */
export function contains(
  set: IntegerSetData,
  dims: readonly number[],
  symbols: readonly number[] = [],
): boolean {
  checkIntegers(dims, 'the dimensions');
  checkIntegers(symbols, 'the symbols');
  const adopted = adoptSet(set);
  checkArity(adopted, dims, symbols);
  return adopted.constraints.every(({ expr, kind }) => {
    const value = valueOf(expr, dims, symbols);
    return kind === 'eq' ? value === 0 : value >= 0;
  });
}

/** Refuses a point whose arity differs from that of the map or set. */
function checkArity(
  subject: { readonly kind: 'map' | 'set'; readonly numDims: number; readonly numSymbols: number },
  dims: readonly unknown[],
  symbols: readonly unknown[],
): void {
  const check = (expected: number, actual: number, noun: string) => {
    if (expected === actual) return;
    const message = `the ${subject.kind} has ${expected} ${noun}, the point has ${actual}`;
    throw new AffineError('affine/arity-mismatch', message);
  };
  check(subject.numDims, dims.length, 'dimensions');
  check(subject.numSymbols, symbols.length, 'symbols');
}

function checkBigints(values: readonly bigint[], what: string): void {
  expectList(values, what);
  for (const value of values) {
    if (typeof value === 'bigint') continue;
    throw new AffineError('affine/not-an-integer', `expected bigints as ${what}, not ${describe(value)}`);
  }
}

function checkIntegers(values: readonly number[], what: string): void {
  expectList(values, what);
  for (const value of values) {
    if (!Number.isSafeInteger(value)) {
      const code = Number.isInteger(value) ? 'affine/overflow' : 'affine/not-an-integer';
      throw new AffineError(code, `${describe(value)} is not an integer of magnitude below 2^53`);
    }
  }
}

function valueOf(expr: AffineExpr, dims: readonly number[], symbols: readonly number[]): number {
  switch (expr.kind) {
    case 'dim':
      return operandAt(dims, expr.position, 'd');
    case 'symbol':
      return operandAt(symbols, expr.position, 's');
    case 'constant':
      return expr.value;
    case 'add':
      return addExact(valueOf(expr.lhs, dims, symbols), valueOf(expr.rhs, dims, symbols));
    case 'mul':
      return mulExact(valueOf(expr.lhs, dims, symbols), valueOf(expr.rhs, dims, symbols));
    case 'mod':
      return modInteger(valueOf(expr.lhs, dims, symbols), valueOf(expr.rhs, dims, symbols));
    case 'floordiv':
      return floorDivInteger(valueOf(expr.lhs, dims, symbols), valueOf(expr.rhs, dims, symbols));
    case 'ceildiv':
      return ceilDivInteger(valueOf(expr.lhs, dims, symbols), valueOf(expr.rhs, dims, symbols));
  }
}

function bigValueOf(expr: AffineExpr, dims: readonly bigint[], symbols: readonly bigint[]): bigint {
  switch (expr.kind) {
    case 'dim':
      return operandAt(dims, expr.position, 'd');
    case 'symbol':
      return operandAt(symbols, expr.position, 's');
    case 'constant':
      return BigInt(expr.value);
    default: {
      const lhs = bigValueOf(expr.lhs, dims, symbols);
      const rhs = bigValueOf(expr.rhs, dims, symbols);
      switch (expr.kind) {
        case 'add':
          return lhs + rhs;
        case 'mul':
          return lhs * rhs;
        case 'mod':
          return lhs - rhs * bigFloorDiv(lhs, rhs, expr.kind);
        case 'floordiv':
          return bigFloorDiv(lhs, rhs, expr.kind);
        case 'ceildiv':
          return -bigFloorDiv(-lhs, rhs, expr.kind);
      }
    }
  }
}

function bigFloorDiv(a: bigint, b: bigint, operator: string): bigint {
  if (b === 0n) throw new AffineError('affine/zero-divisor', `${operator} by zero`);
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function operandAt<T>(values: readonly T[], position: number, letter: string): T {
  const value = values[position];
  if (value !== undefined) return value;
  const message = `${letter}${position} is used, but the point has only ${values.length} such values`;
  throw new AffineError('affine/arity-mismatch', message);
}
