/** Patterns of comparisons and of selects by them. */
import { elementTypeOf } from '@sconv/dialects';
import { cmpf, cmpi, extsi, extui, select, sitofp, uitofp, xori } from '@sconv/dialects/arith';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { constantOf, definedBy, isSame, onOp } from '../match.ts';
import { constantLike, integerOf, widthOf } from './integer-constants.ts';

/** The predicate of the negated comparison. */
export const opposite = {
  eq: 'ne',
  ne: 'eq',
  slt: 'sge',
  sge: 'slt',
  sle: 'sgt',
  sgt: 'sle',
  ult: 'uge',
  uge: 'ult',
  ule: 'ugt',
  ugt: 'ule',
} as const;

/** A negated comparison becomes the inverse comparison. */
export const negatedComparison = onOp(xori, 'negated-comparison', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands;
  const comparison = definedBy(rewriter, lhs, cmpi);
  if (comparison === undefined || integerOf(rewriter, rhs) !== -1n) return;
  const [a, b] = comparison.operands as [Value, Value];
  const { predicate } = cmpi.attributes(comparison);
  rewriter.replaceWith(
    operation,
    cmpi.state({
      operands: { lhs: a, rhs: b },
      attributes: { predicate: opposite[predicate] },
      resultTypes: [operation.results[0]!.type],
    }),
  );
});

/** Comparisons of an extended value with an extended one or with zero. */
export const comparisonOfExtended = onOp(cmpi, 'comparison-of-extended', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands;
  const { predicate } = cmpi.attributes(operation);
  for (const extension of [extsi, extui]) {
    const [a] = definedBy(rewriter, lhs, extension)?.operands ?? [];
    if (a === undefined) continue;
    const isBit = widthOf(a.type) === 1;
    if (predicate === 'ne' && isBit && integerOf(rewriter, rhs) === 0n) {
      if (typeEquals(a.type, operation.results[0]!.type)) rewriter.replaceOperation(operation, [a]);
      return;
    }
    const [b] = definedBy(rewriter, rhs, extension)?.operands ?? [];
    if (b === undefined || !typeEquals(a.type, b.type)) continue;
    if (predicate !== 'eq' && predicate !== 'ne') continue;
    rewriter.setOperands(operation, [a, b]);
    return;
  }
});

/** Simplifies selects. */
export const simpleSelect = onOp(select, 'simple-select', (rewriter, operation) => {
  const [condition, whenTrue, whenFalse] = operation.operands as [Value, Value, Value];
  const { type } = operation.results[0]!;
  const [a, b] = [integerOf(rewriter, whenTrue), integerOf(rewriter, whenFalse)];
  const isBit = elementTypeOf(type).kind === 'integer' && widthOf(type) === 1;
  const fits =
    typeEquals(elementTypeOf(condition.type), condition.type) === typeEquals(elementTypeOf(type), type);
  // 1. Select of true and false, or of 1 and 0.
  if (isBit && fits && a !== undefined && b !== undefined && a !== b) {
    if (a !== 0n) rewriter.replaceOperation(operation, [condition]);
    else {
      const not = negation(rewriter, operation, condition);
      if (not !== undefined) rewriter.replaceOperation(operation, [not]);
    }
    return;
  }
  if (
    !isBit &&
    fits &&
    elementTypeOf(type).kind === 'integer' &&
    ((a === 1n && b === 0n) || (a === 0n && b === 1n))
  ) {
    const bit = a === 1n ? condition : negation(rewriter, operation, condition);
    if (bit !== undefined)
      rewriter.replaceWith(operation, extui.state({ operands: { in: bit }, resultTypes: [type] }));
    return;
  }
  // 2. A negated condition.
  const not = definedBy(rewriter, condition, xori)?.operands;
  if (not !== undefined && integerOf(rewriter, not[1]) === -1n) {
    rewriter.setOperands(operation, [not[0]!, whenFalse, whenTrue]);
    return;
  }
  // 3. Nested selects on the same condition.
  const [first, second] = [definedBy(rewriter, whenTrue, select), definedBy(rewriter, whenFalse, select)];
  if (first !== undefined && isSame(first.operands[0], condition)) {
    rewriter.setOperand(operation, 1, first.operands[1]!);
    return;
  }
  if (second !== undefined && isSame(second.operands[0], condition)) {
    rewriter.setOperand(operation, 2, second.operands[2]!);
    return;
  }
  // 4. A select of two values by comparing them with each other.
  const comparison = definedBy(rewriter, condition, cmpi);
  if (comparison === undefined || !typeEquals(elementTypeOf(condition.type), condition.type)) return;
  const { predicate } = cmpi.attributes(comparison);
  const [x, y] = comparison.operands;
  const isPair =
    (isSame(x, whenTrue) && isSame(y, whenFalse)) || (isSame(x, whenFalse) && isSame(y, whenTrue));
  if (!isPair) return;
  if (predicate === 'eq') rewriter.replaceOperation(operation, [whenFalse]);
  else if (predicate === 'ne') rewriter.replaceOperation(operation, [whenTrue]);
});

const negation = (rewriter: Rewriter, operation: DraftOperation, value: Value): Value | undefined => {
  const ones = constantLike(rewriter, operation, -1n, value.type);
  return ones && rewriter.createValue(xori.state({ operands: { lhs: value, rhs: ones } }));
};

/** Whether a float predicate is ordered: false for NaN operands. */
const comparesNumbersOnly = (predicate: string): boolean =>
  predicate === 'false' || predicate === 'ord' || (predicate.startsWith('o') && predicate !== 'ord');

/** A comparison with NaN. */
export const comparisonWithNan = onOp(cmpf, 'comparison-with-nan', (rewriter, operation) => {
  const isNan = operation.operands.some((operand) => {
    const constant = constantOf(rewriter, operand);
    return constant?.kind === 'float' && Number.isNaN(constant.value);
  });
  if (!isNan) return;
  const { predicate } = cmpf.attributes(operation);
  const constant = constantLike(
    rewriter,
    operation,
    comparesNumbersOnly(predicate) ? 0n : -1n,
    operation.results[0]!.type,
  );
  if (constant !== undefined) rewriter.replaceOperation(operation, [constant]);
});

const integerPredicates: Readonly<Record<string, readonly [signed: string, unsigned: string]>> = {
  eq: ['eq', 'eq'],
  ne: ['ne', 'ne'],
  lt: ['slt', 'ult'],
  le: ['sle', 'ule'],
  gt: ['sgt', 'ugt'],
  ge: ['sge', 'uge'],
};

/** The number of integer bits that a float type represents exactly. */
const mantissaBits: Readonly<Record<string, number>> = { f64: 53, f32: 24, f16: 11, bf16: 8 };

/** A converted integer compared with a float constant: compare the integer with the neighbouring integers instead. */
export const comparisonOfConverted = onOp(cmpf, 'comparison-of-converted', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
  const constant = constantOf(rewriter, rhs);
  const source = rewriter.definingOperation(lhs);
  if (constant?.kind !== 'float' || source === undefined || lhs.type.kind !== 'float') return;
  if (!sitofp.is(source) && !uitofp.is(source)) return;
  const [integer] = source.operands as [Value];
  if (integer.type.kind !== 'integer') return;
  const isSigned = sitofp.is(source);
  const { width } = integer.type;
  const precision = mantissaBits[lhs.type.name];
  if (precision === undefined) return;
  // A conversion that rounds does not reach constants this near to zero.
  const mayRound = width - (isSigned ? 1 : 0) > precision;
  if (mayRound && !(Math.abs(constant.value) < 2 ** (precision - 1))) return;
  const predicate = cmpf.attributes(operation).predicate.replace(/^[ou]/, '');
  const words = integerPredicates[predicate];
  if (words === undefined || Number.isNaN(constant.value)) return;
  const { value } = constant;
  const low = isSigned ? -(2 ** (width - 1)) : 0;
  const high = isSigned ? 2 ** (width - 1) - 1 : 2 ** width - 1;
  const known = (holds: boolean): void => {
    const made = constantLike(rewriter, operation, holds ? -1n : 0n, operation.results[0]!.type);
    if (made !== undefined) rewriter.replaceOperation(operation, [made]);
  };
  if (value > high) {
    known(predicate === 'lt' || predicate === 'le' || predicate === 'ne');
    return;
  }
  if (value < low) {
    known(predicate === 'gt' || predicate === 'ge' || predicate === 'ne');
    return;
  }
  let asked = predicate;
  let bound = value;
  if (!Number.isInteger(value)) {
    if (predicate === 'eq' || predicate === 'ne') {
      known(predicate === 'ne');
      return;
    }
    // Between two integers: the lower one decides.
    bound = Math.floor(value);
    asked = predicate === 'lt' || predicate === 'le' ? 'le' : 'gt';
  }
  const made = constantLike(rewriter, operation, BigInt(bound), integer.type);
  if (made === undefined) return;
  rewriter.replaceWith(
    operation,
    cmpi.state({
      operands: { lhs: integer, rhs: made },
      attributes: { predicate: integerPredicates[asked]![isSigned ? 0 : 1] as keyof typeof opposite },
      resultTypes: [operation.results[0]!.type],
    }),
  );
});
