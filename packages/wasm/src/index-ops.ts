/** Index arithmetic as expressions: affine.apply, affine.min, affine.max, and the affine part of arith. */
import type { AffineExpr } from '@sconv/affine';
import { add, ceilDiv, constant, floorDiv, ifAffine, mod, mul, sub, substitute } from '@sconv/affine';
import type { Operation } from '@sconv/ir';
import { i32, select } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import { bindIndex, boundedIndex, indexCode, indexOf, resultOf, unsupported } from './lowering.ts';

/** The index expression of an operation, if it is affine arithmetic on indices with exact numbers; emits no code. */
export const symbolicIndex = (state: Lowering, operation: Operation): AffineExpr | undefined => {
  if (operation.results.length !== 1 || operation.results[0]?.type.kind !== 'index') return undefined;
  if (operation.name === 'arith.constant') {
    const { value } = operation.attributes;
    return value?.kind === 'integer' ? constant(Number(value.value)) : undefined;
  }
  const known = operation.operands.map((operand) => {
    const lowered = state.values.get(operand.id);
    return lowered?.kind === 'index' ? lowered.expr : undefined;
  });
  const operands = known.filter((expr) => expr !== undefined);
  if (operands.length !== known.length) return undefined;
  if (operation.name === 'affine.apply') return appliedMap(operation, operands);
  const [a, b] = operands;
  if (a === undefined || b === undefined) return undefined;
  // Where factors are too large to be exact, the operation's code wraps, as it should.
  return ifAffine(() => affineArithmetic(state, operation.name, a, b));
};

/** arith operations on two indices; rounding is known only for a positive constant divisor. */
const affineArithmetic = (
  state: Lowering,
  name: string,
  a: AffineExpr,
  b: AffineExpr,
): AffineExpr | undefined => {
  const positive = b.kind === 'constant' && b.value > 0;
  const truncatesDown = (): boolean => positive && state.indices.rangeOf(a).lo >= 0;
  switch (name) {
    case 'arith.addi':
      return add(a, b);
    case 'arith.subi':
      return sub(a, b);
    case 'arith.muli':
      return mul(a, b);
    case 'arith.floordivsi':
      return positive ? floorDiv(a, b) : undefined;
    case 'arith.ceildivsi':
      return positive ? ceilDiv(a, b) : undefined;
    case 'arith.divsi':
    case 'arith.divui':
      return truncatesDown() ? floorDiv(a, b) : undefined;
    case 'arith.remsi':
    case 'arith.remui':
      return truncatesDown() ? mod(a, b) : undefined;
    default:
      return undefined;
  }
};

const mapOf = (operation: Operation) => {
  const attribute = operation.attributes['map'];
  return attribute?.kind === 'affine-map'
    ? attribute.map
    : unsupported(operation, 'an operation without map');
};

const appliedMap = (operation: Operation, operands: readonly AffineExpr[]): AffineExpr => {
  const map = mapOf(operation);
  const [result] = map.results;
  if (result === undefined) return unsupported(operation, 'a map without result');
  return substitute(result, { dims: operands.slice(0, map.numDims), symbols: operands.slice(map.numDims) });
};

/** `affine.min` and `affine.max`. */
export const lowerExtremum = (state: Lowering, operation: Operation, comparison: 'ltS' | 'gtS'): void => {
  const map = mapOf(operation);
  const operands = operation.operands.map((operand) => indexOf(state, operation, operand));
  const replacements = { dims: operands.slice(0, map.numDims), symbols: operands.slice(map.numDims) };
  const results = map.results.map((result) =>
    boundedIndex(state, operation, substitute(result, replacements)),
  );
  const [first, ...rest] = results;
  if (first === undefined) return unsupported(operation, 'a map without result');
  const extremum = state.f.let(indexCode(state, operation, first));
  for (const result of rest) {
    const candidate = state.f.get(state.f.let(indexCode(state, operation, result)));
    const current = state.f.get(extremum);
    state.f.set(extremum, select(candidate, current, i32[comparison](candidate, current)));
  }
  const ranges = results.map((result) => state.indices.rangeOf(result));
  const ends = comparison === 'ltS' ? Math.min : Math.max;
  const lo = Math.max(ends(...ranges.map((r) => r.lo)), -(2 ** 31));
  const hi = Math.min(ends(...ranges.map((r) => r.hi)), 2 ** 31);
  bindIndex(state, operation, resultOf(operation), state.indices.of(extremum, lo, hi).expr);
};
