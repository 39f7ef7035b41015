/** Arithmetic: combines constants, and cancels what undoes each other. */
import { withElementType } from '@sconv/dialects';
import {
  addi,
  adduiExtended,
  andi,
  cmpi,
  divf,
  extsi,
  mulf,
  muli,
  mulsiExtended,
  muluiExtended,
  negf,
  ori,
  subi,
  xori,
} from '@sconv/dialects/arith';
import type { DraftOperation, OperationState, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { i1 } from '@sconv/ir';
import { definedBy, isSame, onOp, onOps } from '../match.ts';
import { constantLike, integerOf, widthOf } from './integer-constants.ts';
import {
  bitsOfExtended,
  castsOfBits,
  castsOfIndices,
  castsOfIntegers,
  skippedRounding,
  upperHalf,
} from './arith-casts.ts';
import {
  comparisonOfConverted,
  comparisonOfExtended,
  comparisonWithNan,
  negatedComparison,
  simpleSelect,
} from './comparisons.ts';

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
 * The flags of `value + constant`, `value - constant` or `constant - value` in place of two operations with `flags`.
 * The exact result is the same, so there is no overflow where there was none, if the combined constant has no
 * overflow as a signed or as an unsigned integer.
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
  const [lhs, rhs] = operation.operands;
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
  const [lhs, rhs] = operation.operands;
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
