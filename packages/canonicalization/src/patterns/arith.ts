/** Arithmetic: combines constants, cancels casts, and simplifies conditions by their definitions. */
import { elementOf, elementTypeOf, uniformConstant, withElementType } from '@sconv/dialects';
import {
  addi,
  adduiExtended,
  andi,
  bitcast,
  cmpf,
  cmpi,
  divf,
  extf,
  extsi,
  extui,
  indexCast,
  indexCastui,
  mulf,
  muli,
  mulsiExtended,
  muluiExtended,
  negf,
  ori,
  select,
  shrsi,
  shrui,
  sitofp,
  subi,
  truncf,
  trunci,
  uitofp,
  xori,
} from '@sconv/dialects/arith';
import type { DraftOperation, OperationState, RewritePattern, Rewriter, Type, Value } from '@sconv/ir';
import { i1, typeEquals } from '@sconv/ir';
import { constantOf, createConstant, definedBy, isSame, onOp, onOps, stateOf } from '../match.ts';

/** The common integer of a constant's elements, sign-extended from its width. */
const integerOf = (rewriter: Rewriter, value: Value | undefined): bigint | undefined => {
  const element = elementOf(constantOf(rewriter, value));
  return typeof element === 'bigint' && value !== undefined
    ? BigInt.asIntN(widthOf(value.type), element)
    : undefined;
};

const widthOf = (type: Type): number => {
  const element = elementTypeOf(type);
  return element.kind === 'integer' ? element.width : 64;
};

/** The constant of a type with all elements `value`. */
const constantLike = (
  rewriter: Rewriter,
  operation: DraftOperation,
  value: bigint,
  type: Type,
): Value | undefined => {
  const constant = uniformConstant(BigInt.asIntN(widthOf(type), value), type);
  return constant && createConstant(rewriter, operation, constant, type);
};

type Binary = typeof addi;

/** A sum, difference or product. */
const binaryState = (
  definition: Binary,
  lhs: Value,
  rhs: Value,
  overflowFlags: readonly string[] = [],
): OperationState<Rewriter> =>
  definition.state<Rewriter>({
    operands: { lhs, rhs },
    attributes: { overflowFlags },
    resultTypes: [lhs.type],
  });

/** Replaces `operation` by `lhs op constant` or, reversed, `constant op rhs`. */
const withConstant = (
  rewriter: Rewriter,
  operation: DraftOperation,
  definition: Binary,
  value: Value,
  constant: bigint,
  { isLeft = false, flags = [] }: { readonly isLeft?: boolean; readonly flags?: readonly string[] } = {},
): void => {
  const made = constantLike(rewriter, operation, constant, value.type);
  if (made === undefined) return;
  const [lhs, rhs] = isLeft ? [made, value] : [value, made];
  rewriter.replaceWith(operation, binaryState(definition, lhs, rhs, flags));
};

/** The overflow flags that two operations share. */
const sharedFlags = (a: DraftOperation, b: DraftOperation): readonly string[] => {
  const flags = addi.attributes(b).overflowFlags;
  return addi.attributes(a).overflowFlags.filter((flag) => flags.includes(flag));
};

/** A sum or difference with a constant, as `sign * value + constant`. */
interface Linear {
  readonly value: Value;
  readonly sign: 1n | -1n;
  readonly constant: bigint;
  readonly source: DraftOperation;
}

/**
 * The flags of `value + constant`, `value - constant` or `constant - value` in place of two operations with `flags`. The
 * exact result is the same, so there is no overflow where there was none, if the combined constant has no overflow as
 * a signed or as an unsigned integer.
 *
 * @deviation Upstream keeps the flags always: `(x + 1) - 2` without unsigned overflow becomes `x + -1` with one.
 */
const keptFlags = (
  flags: readonly string[],
  width: number,
  combine: (read: (constant: bigint) => bigint) => bigint,
  isLeft: boolean,
): readonly string[] =>
  flags.filter((flag) => {
    const read = (constant: bigint): bigint =>
      flag === 'nsw' ? BigInt.asIntN(width, constant) : BigInt.asUintN(width, constant);
    const constant = combine(read);
    // No unsigned difference from a negative constant is without overflow, before or after.
    return read(constant) === constant || (isLeft && flag === 'nuw' && constant < 0n);
  });

const linearOf = (rewriter: Rewriter, value: Value | undefined): Linear | undefined => {
  const source = value === undefined ? undefined : rewriter.definingOperation(value);
  if (source === undefined || !(addi.is(source) || subi.is(source))) return undefined;
  const [lhs, rhs] = source.operands as [Value, Value];
  const [left, right] = [integerOf(rewriter, lhs), integerOf(rewriter, rhs)];
  if (right !== undefined && left === undefined)
    return { value: lhs, sign: 1n, constant: addi.is(source) ? right : -right, source };
  return left !== undefined && right === undefined && subi.is(source)
    ? { value: rhs, sign: -1n, constant: left, source }
    : undefined;
};

/** Combines the constants of nested sums and differences. */
const gatheredConstants = onOps([addi, subi], 'gathered-constants', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
  const [left, right] = [integerOf(rewriter, lhs), integerOf(rewriter, rhs)];
  const isSum = addi.is(operation);
  const outer = right ?? left;
  const inner = linearOf(rewriter, right === undefined ? rhs : lhs);
  if (outer === undefined || inner === undefined || (right === undefined && isSum)) return;
  const { value, source } = inner;
  const takesAway = isDifference(rewriter, source.results[0]!) && inner.sign > 0n;
  const added = takesAway ? -inner.constant : inner.constant;
  // 1. The sum `±value + constant`, with the constants read as signed or unsigned.
  const combine = (read: (constant: bigint) => bigint): bigint => {
    const first = takesAway ? -read(added) : read(added);
    if (right === undefined) return read(outer) - first;
    return isSum ? first + read(outer) : first - read(outer);
  };
  const constant = combine((each) => BigInt.asIntN(widthOf(value.type), each));
  const sign = right === undefined ? -inner.sign : inner.sign;
  const staysDifference = sign > 0n && right !== undefined && !isSum && takesAway;
  const flags = keptFlags(
    sharedFlags(operation, source),
    widthOf(value.type),
    (read) => (staysDifference ? -combine(read) : combine(read)),
    sign < 0n,
  );
  // 2. As upstream: a difference stays a difference.
  if (sign < 0n) withConstant(rewriter, operation, subi, value, constant, { isLeft: true, flags });
  else if (staysDifference) withConstant(rewriter, operation, subi, value, -constant, { flags });
  else withConstant(rewriter, operation, addi, value, constant, { flags });
});

const isDifference = (rewriter: Rewriter, value: Value): boolean =>
  definedBy(rewriter, value, subi) !== undefined;

const gatheredFactors = onOp(muli, 'gathered-factors', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
  const outer = integerOf(rewriter, rhs);
  const inner = definedBy(rewriter, lhs, muli);
  const factor = integerOf(rewriter, inner?.operands[1]);
  if (outer === undefined || factor === undefined || inner === undefined) return;
  // A product that is too large is one without overflow of 0 only, as before.
  const flags = sharedFlags(operation, inner);
  withConstant(rewriter, operation, muli, inner.operands[0]!, outer * factor, { flags });
});

/** Cancels an addition against a subtraction. */
const cancelledSum = onOps([addi, subi], 'cancelled-sum', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
  if (addi.is(operation)) {
    for (const [difference, other] of [
      [lhs, rhs],
      [rhs, lhs],
    ] as const) {
      const parts = definedBy(rewriter, difference, subi)?.operands;
      if (parts !== undefined && isSame(parts[1], other)) {
        rewriter.replaceOperation(operation, [parts[0]!]);
        return;
      }
    }
    // 1. `x + y * -1` is `x - y`.
    for (const [product, other] of [
      [rhs, lhs],
      [lhs, rhs],
    ] as const) {
      const parts = definedBy(rewriter, product, muli)?.operands;
      if (parts === undefined || integerOf(rewriter, parts[1]) !== -1n || widthOf(other.type) === 1) continue;
      rewriter.replaceWith(operation, binaryState(subi, other, parts[0]!));
      return;
    }
    return;
  }
  const sum = definedBy(rewriter, lhs, addi)?.operands;
  if (sum !== undefined && isSame(sum[1], rhs)) rewriter.replaceOperation(operation, [sum[0]!]);
  else if (sum !== undefined && isSame(sum[0], rhs)) rewriter.replaceOperation(operation, [sum[1]!]);
  else {
    // 2. `(a - b) - a` is `-b`.
    const difference = definedBy(rewriter, lhs, subi);
    if (difference !== undefined && isSame(difference.operands[0], rhs))
      withConstant(rewriter, operation, subi, difference.operands[1]!, 0n, {
        isLeft: true,
        flags: sharedFlags(operation, difference),
      });
  }
});

/** Bitwise ops with an operand that is already combined with the same bits. */
const repeatedBits = onOps([andi, ori, xori], 'repeated-bits', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
  for (const [one, other] of [
    [lhs, rhs],
    [rhs, lhs],
  ] as const) {
    const source = rewriter.definingOperation(other);
    if (source === undefined) continue;
    if (source.name === operation.name) {
      const [a, b] = source.operands as [Value, Value];
      if (!isSame(a, one) && !isSame(b, one)) continue;
      // xor is an involution; and, or are idempotent.
      const value = xori.is(operation) ? (isSame(a, one) ? b : a) : other;
      rewriter.replaceOperation(operation, [value]);
      return;
    }
    if (!xori.is(source) || xori.is(operation) || !isSame(source.operands[0], one)) continue;
    if (integerOf(rewriter, source.operands[1]) !== -1n) continue;
    const constant = constantLike(rewriter, operation, andi.is(operation) ? 0n : -1n, one.type);
    if (constant !== undefined) rewriter.replaceOperation(operation, [constant]);
    return;
  }
});

const opposite = {
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
const negatedComparison = onOp(xori, 'negated-comparison', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
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

/** `and`, `or` and `xor` of equally extended operands: extend the result instead. */
const bitsOfExtended = onOps([andi, ori, xori], 'bits-of-extended', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
  for (const extension of [extsi, extui]) {
    const [a, b] = [definedBy(rewriter, lhs, extension), definedBy(rewriter, rhs, extension)];
    const [x, y] = [a?.operands[0], b?.operands[0]];
    if (x === undefined || y === undefined || !typeEquals(x.type, y.type)) continue;
    const narrow = rewriter.createValue(stateOf(operation, { operands: [x, y], resultTypes: [x.type] }));
    rewriter.replaceWith(
      operation,
      extension.state({ operands: { in: narrow }, resultTypes: [operation.results[0]!.type] }),
    );
    return;
  }
});

/** Comparisons of an extended value with an extended one or with zero. */
const comparisonOfExtended = onOp(cmpi, 'comparison-of-extended', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
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

/** An extended product or sum of which only the low half is used. */
const lowerHalf = (
  [
    [adduiExtended, addi],
    [mulsiExtended, muli],
    [muluiExtended, muli],
  ] as const
).map(([definition, plain]) =>
  onOp(definition, 'lower-half', (rewriter, operation) => {
    const [lhs, rhs] = operation.operands as [Value, Value];
    const [low, high] = operation.results as [Value, Value];
    if (rewriter.users(high).length > 0) return;
    const value = rewriter.createValue(binaryState(plain, lhs, rhs));
    rewriter.replaceAllUsesWith(low, value);
    rewriter.eraseOperation(operation);
  }),
);

/** The high half of a signed product with one: the sign in each bit. */
const signedTimesOne = onOp(mulsiExtended, 'signed-times-one', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands as [Value, Value];
  if (integerOf(rewriter, rhs) !== 1n) return;
  const zero = constantLike(rewriter, operation, 0n, lhs.type);
  if (zero === undefined) return;
  const isNegative = rewriter.createValue(
    cmpi.state<Rewriter>({
      operands: { lhs, rhs: zero },
      attributes: { predicate: 'slt' },
      resultTypes: [withElementType(lhs.type, i1)],
    }),
  );
  const high = rewriter.createValue(
    extsi.state<Rewriter>({ operands: { in: isNegative }, resultTypes: [lhs.type] }),
  );
  rewriter.replaceOperation(operation, [lhs, high]);
});

/** Integers extended twice, or extended and truncated. */
const castsOfIntegers = onOps([extsi, extui, trunci], 'casts-of-integers', (rewriter, operation) => {
  const [value] = operation.operands as [Value];
  const { type } = operation.results[0]!;
  const source = rewriter.definingOperation(value);
  const [inner] = source?.operands ?? [];
  if (source === undefined || inner === undefined) return;
  if (extui.is(source) && !trunci.is(operation)) {
    rewriter.replaceWith(operation, extui.state({ operands: { in: inner }, resultTypes: [type] }));
  } else if (extsi.is(source) && extsi.is(operation)) {
    rewriter.setOperand(operation, 0, inner);
  } else if (trunci.is(source) && trunci.is(operation)) {
    rewriter.setOperand(operation, 0, inner);
  } else if (trunci.is(operation) && (extsi.is(source) || extui.is(source))) {
    const [from, to] = [widthOf(inner.type), widthOf(type)];
    if (from === to) rewriter.replaceOperation(operation, [inner]);
    else if (from > to) rewriter.setOperand(operation, 0, inner);
    else {
      const extension = extsi.is(source) ? extsi : extui;
      rewriter.replaceWith(operation, extension.state({ operands: { in: inner }, resultTypes: [type] }));
    }
  }
});

/** The upper half of a product of twice the width becomes that of an extended product. */
const upperHalf = onOp(trunci, 'upper-half', (rewriter, operation) => {
  const [value] = operation.operands as [Value];
  const { type } = operation.results[0]!;
  const [wide, narrow] = [widthOf(value.type), widthOf(type)];
  const source = rewriter.definingOperation(value);
  if (source === undefined || !(shrui.is(source) || shrsi.is(source))) return;
  const [shifted, amount] = source.operands as [Value, Value];
  if (integerOf(rewriter, amount) !== BigInt(wide - narrow)) return;
  // 1. The bits that are shifted in are dropped.
  if (shrsi.is(source)) {
    const logical = rewriter.createValue(
      shrui.state<Rewriter>({ operands: { lhs: shifted, rhs: amount }, resultTypes: [value.type] }),
    );
    rewriter.setOperand(operation, 0, logical);
    return;
  }
  const product = definedBy(rewriter, shifted, muli);
  if (product === undefined || wide !== 2 * narrow) return;
  for (const [extension, extended] of [
    [extsi, mulsiExtended],
    [extui, muluiExtended],
  ] as const) {
    const [a, b] = product.operands.map((each) => definedBy(rewriter, each, extension)?.operands[0]);
    if (a === undefined || b === undefined || !typeEquals(a.type, type) || !typeEquals(b.type, type))
      continue;
    const made = rewriter.create(
      extended.state<Rewriter>({ operands: { lhs: a, rhs: b }, resultTypes: [type, type] }),
    );
    rewriter.replaceOperation(operation, [made.results[1]!]);
    return;
  }
});

/** Bitcasts of bitcasts. */
const castsOfBits = onOp(bitcast, 'casts-of-bits', (rewriter, operation) => {
  const [value] = operation.operands as [Value];
  const { type } = operation.results[0]!;
  const [inner] = definedBy(rewriter, value, bitcast)?.operands ?? [];
  if (typeEquals(value.type, type)) rewriter.replaceOperation(operation, [value]);
  else if (inner !== undefined) rewriter.setOperand(operation, 0, inner);
});

/**
 * Casts to `index` and back, and of extended values.
 *
 * @deviation Upstream also drops `index -> i32 -> index`, which loses the high bits.
 */
const castsOfIndices = [
  [indexCast, extsi],
  [indexCastui, extui],
].map(([definition, extension]) =>
  onOp(definition!, 'casts-of-indices', (rewriter, operation) => {
    const [value] = operation.operands as [Value];
    const { type } = operation.results[0]!;
    const [inner] = definedBy(rewriter, value, definition!)?.operands ?? [];
    if (inner !== undefined && typeEquals(inner.type, type)) {
      // An index has 64 bits.
      const holdsAll =
        elementTypeOf(value.type).kind === 'index' ? widthOf(type) <= 64 : widthOf(value.type) >= 64;
      if (holdsAll) rewriter.replaceOperation(operation, [inner]);
      return;
    }
    const [narrow] = definedBy(rewriter, value, extension!)?.operands ?? [];
    if (narrow !== undefined && elementTypeOf(type).kind === 'index')
      rewriter.setOperand(operation, 0, narrow);
  }),
);

/** A narrowed and widened value, where the flags of both allow to skip the rounding. */
const skippedRounding = onOp(extf, 'skipped-rounding', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], truncf);
  const [inner] = source?.operands ?? [];
  if (source === undefined || inner === undefined || !typeEquals(inner.type, operation.results[0]!.type))
    return;
  const mayContract = (flags: readonly string[] | undefined): boolean => flags?.includes('contract') === true;
  if (mayContract(extf.attributes(operation).fastmath) && mayContract(truncf.attributes(source).fastmath))
    rewriter.replaceOperation(operation, [inner]);
});

/** Cancels signs. */
const cancelledSigns = [
  onOp(negf, 'negated-twice', (rewriter, operation) => {
    const [inner] = definedBy(rewriter, operation.operands[0], negf)?.operands ?? [];
    if (inner !== undefined) rewriter.replaceOperation(operation, [inner]);
  }),
  ...onOps([mulf, divf], 'product-of-negated', (rewriter, operation) => {
    const [a, b] = operation.operands.map((operand) => definedBy(rewriter, operand, negf)?.operands[0]);
    if (a !== undefined && b !== undefined) rewriter.setOperands(operation, [a, b]);
  }),
];

/** Simplifies selects. */
const simpleSelect = onOp(select, 'simple-select', (rewriter, operation) => {
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
  const [x, y] = comparison.operands as [Value, Value];
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
const comparisonWithNan = onOp(cmpf, 'comparison-with-nan', (rewriter, operation) => {
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
const comparisonOfConverted = onOp(cmpf, 'comparison-of-converted', (rewriter, operation) => {
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

export const arithPatterns: readonly RewritePattern[] = [
  ...gatheredConstants,
  gatheredFactors,
  ...cancelledSum,
  ...repeatedBits,
  negatedComparison,
  ...bitsOfExtended,
  ...lowerHalf,
  signedTimesOne,
  comparisonOfExtended,
  ...castsOfIntegers,
  upperHalf,
  castsOfBits,
  ...castsOfIndices,
  skippedRounding,
  ...cancelledSigns,
  simpleSelect,
  comparisonWithNan,
  comparisonOfConverted,
];
