/** arith.cmpi and arith.cmpf by predicate number. */
import type { Operation } from '@sconv/ir';
import type { Expr } from './instructions.ts';
import { f32, f64, i32, typed } from './instructions.ts';
import { floatPredicates } from './float-predicates.ts';
import { integerComparison } from './integer-ops.ts';
import { heldWidth } from './integer-words.ts';
import type { Lowering } from './lowering.ts';
import { bindScalar, operandOf, resultOf, scalarOf, unsupported } from './lowering.ts';

const predicateOf = (operation: Operation): number => {
  const { predicate } = operation.attributes;
  return predicate?.kind === 'integer' ? Number(predicate.value) : -1;
};

export const lowerIntegerComparison = (state: Lowering, operation: Operation): void => {
  const operand = operandOf(operation, 0);
  const a = scalarOf(state, operation, operand);
  const b = scalarOf(state, operation, operandOf(operation, 1));
  const width = heldWidth(operand.type);
  const compared = width === undefined ? undefined : integerComparison(predicateOf(operation), width, a, b);
  bindScalar(state, resultOf(operation), compared ?? unsupported(operation, 'this comparison'));
};

type FloatComparison = <T extends 'f32' | 'f64'>(type: T, a: Expr<T>, b: Expr<T>) => Expr<'i32'>;

const floatComparison =
  (name: 'eq' | 'ne' | 'lt' | 'gt' | 'le' | 'ge'): FloatComparison =>
  (type, a, b) =>
    type === 'f32'
      ? f32[name](typed(a, 'f32'), typed(b, 'f32'))
      : f64[name](typed(a, 'f64'), typed(b, 'f64'));

const [eq, ne, lt, gt, le, ge] = (['eq', 'ne', 'lt', 'gt', 'le', 'ge'] as const).map(floatComparison) as [
  FloatComparison,
  FloatComparison,
  FloatComparison,
  FloatComparison,
  FloatComparison,
  FloatComparison,
];

/** By predicate number: false, oeq … ord, ueq … uno, true. */
const comparisons: readonly FloatComparison[] = [
  () => i32.const(0),
  ...floatPredicates<FloatComparison>({
    ...{ eq, ne, lt, gt, le, ge },
    distinct: (type, a, b) => i32.or(lt(type, a, b), gt(type, a, b)),
    ordered: (type, a, b) => i32.and(eq(type, a, a), eq(type, b, b)),
    not: (comparison) => (type, a, b) => i32.eqz(comparison(type, a, b)),
  }),
  () => i32.const(1),
];

export const lowerFloatComparison = (state: Lowering, operation: Operation): void => {
  const compare = comparisons[predicateOf(operation)];
  const a = scalarOf(state, operation, operandOf(operation, 0));
  const b = scalarOf(state, operation, operandOf(operation, 1));
  const { type } = a;
  if (compare === undefined || (type !== 'f32' && type !== 'f64')) {
    return unsupported(operation, 'this comparison');
  }
  bindScalar(state, resultOf(operation), compare(type, typed(a, type), typed(b, type)));
};
