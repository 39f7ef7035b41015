/** The integer operations of the arith dialect. */
import type { Attribute, Folder, Operation, ResultNamer } from '@sconv/ir';
import { allTypesMatch, defineOp, integerOf, one } from '@sconv/ir';
import { overflowFlags } from './arith-attributes.ts';
import {
  elementOf,
  firstFold,
  foldElementwise,
  foldIntegers,
  idempotent,
  isConstant,
  neutralLeft,
  neutralRight,
  signed,
  uniformConstant,
  unsigned,
  widthOf,
} from './arith-fold.ts';
import type { BinaryOptions } from './arith-common.ts';
import { combining, elementwise } from './arith-common.ts';
import { boolLike, elementTypeOf, signlessIntegerLike } from './constraints.ts';
import { signedDivision, unsignedDivision } from './division.ts';

/** A binary integer operation. */
const integerBinary = (mnemonic: string, summary: string, options: BinaryOptions = {}) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
    results: { result: one(signlessIntegerLike) },
    traits: [...elementwise, ...(options.traits ?? [])],
    interfaces: options.interfaces ?? [],
    assembly: { format: '$lhs `,` $rhs attr-dict `:` type($result)' },
    ...(options.fold === undefined ? {} : { fold: options.fold }),
  });

/** A binary integer operation with overflow flags. */
const overflowBinary = (mnemonic: string, summary: string, options: BinaryOptions = {}) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
    results: { result: one(signlessIntegerLike) },
    attributes: { overflowFlags },
    traits: [...elementwise, ...(options.traits ?? [])],
    assembly: {
      format: '$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)',
    },
    ...(options.fold === undefined ? {} : { fold: options.fold }),
    ...(options.resultName === undefined ? {} : { resultName: options.resultName }),
  });

/** `c4_vscale` for four times the scale of vectors, as upstream. */
const scaledName: ResultNamer = ({ operands, results }, definitionOf) => {
  if (results[0]?.type.kind !== 'index') return undefined;
  const [a, b] = operands.map((operand) => definitionOf(operand));
  const factor = b?.name === 'vector.vscale' ? a : a?.name === 'vector.vscale' ? b : undefined;
  const value = factor?.name === 'arith.constant' ? integerOf(factor.attributes['value']) : undefined;
  return value === undefined ? undefined : `c${value}_vscale`;
};

/** `x op x` folds to the integer `value`. */
const selfIs =
  (value: number): Folder =>
  (operation) => {
    const [a, b] = operation.operands;
    if (a === undefined || a.id !== b?.id) return undefined;
    const constant = uniformConstant(BigInt(value), a.type);
    return constant === undefined ? undefined : [constant];
  };

/** `x op value` folds to `value`. */
const absorbing =
  (value: number): Folder =>
  (operation, constants) =>
    isConstant(constants[1], value) ? operation.operands.slice(1) : undefined;

/** A constant that depends only on the bit width. */
type WidthConstant = (width: number) => bigint;
const allOnes: WidthConstant = () => -1n;
const smallest: WidthConstant = (width) => -(1n << BigInt(width - 1));
const largest: WidthConstant = (width) => (1n << BigInt(width - 1)) - 1n;

const isRightOperand = (
  operation: Operation,
  constants: readonly (Attribute | undefined)[],
  value: WidthConstant,
): boolean => {
  const [left] = operation.operands;
  const width = left === undefined ? 0 : widthOf(elementTypeOf(left.type));
  const element = elementOf(constants[1]);
  return typeof element === 'bigint' && signed(element, width) === signed(value(width), width);
};

/** `x op value` folds to `x`, where `value` depends on the width. */
const neutralAt =
  (value: WidthConstant): Folder =>
  (operation, constants) =>
    isRightOperand(operation, constants, value) ? operation.operands.slice(0, 1) : undefined;

/** `x op value` folds to `value`, which depends on the width. */
const absorbingAt =
  (value: WidthConstant): Folder =>
  (operation, constants) =>
    isRightOperand(operation, constants, value) ? operation.operands.slice(1) : undefined;

/** `x mod 1` is 0. */
const remainderOfOne: Folder = (operation, constants) => {
  const type = operation.results[0]?.type;
  const zero = type === undefined ? undefined : uniformConstant(0n, type);
  return zero !== undefined && isConstant(constants[1], 1) ? [zero] : undefined;
};

const floorDiv = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};
const ceilDiv = (a: bigint, b: bigint): bigint => -floorDiv(-a, b);

/** The quotient, if representable: no division by zero, nor of the smallest integer by -1. */
const quotient = (
  divide: (a: bigint, b: bigint) => bigint,
): ((a: bigint, b: bigint, width: number) => bigint | undefined) => {
  return (a, b, width) => {
    if (b === 0n) return undefined;
    const value = divide(a, b);
    return signed(value, width) === value || width === 1 ? value : undefined;
  };
};
const unsignedOnly =
  (compute: (a: bigint, b: bigint) => bigint | undefined) =>
  (a: bigint, b: bigint, width: number): bigint | undefined =>
    compute(unsigned(a, width), unsigned(b, width));
const byNonZero =
  (compute: (a: bigint, b: bigint) => bigint) =>
  (a: bigint, b: bigint): bigint | undefined =>
    b === 0n ? undefined : compute(a, b);
const shift =
  (compute: (a: bigint, b: bigint, width: number) => bigint) =>
  (a: bigint, b: bigint, width: number): bigint | undefined =>
    unsigned(b, width) >= BigInt(width) ? undefined : compute(a, unsigned(b, width), width);

export const addi = overflowBinary('addi', 'integer addition', {
  ...combining,
  fold: firstFold(
    neutralRight(0),
    neutralLeft(0),
    foldIntegers((a, b) => a + b),
  ),
});
export const subi = overflowBinary('subi', 'integer subtraction', {
  fold: firstFold(
    selfIs(0),
    neutralRight(0),
    foldIntegers((a, b) => a - b),
  ),
});
export const muli = overflowBinary('muli', 'integer multiplication', {
  ...combining,
  fold: firstFold(
    absorbing(0),
    neutralRight(1),
    neutralLeft(1),
    foldIntegers((a, b) => a * b),
  ),
  resultName: scaledName,
});
export const shli = overflowBinary('shli', 'left shift', {
  fold: firstFold(neutralRight(0), foldIntegers(shift((a, b) => a << b))),
});
export const divsi = integerBinary('divsi', 'signed division, rounded to zero', {
  interfaces: [signedDivision],
  fold: firstFold(neutralRight(1), foldIntegers(quotient((a, b) => a / b))),
});
export const divui = integerBinary('divui', 'unsigned division', {
  interfaces: [unsignedDivision],
  fold: firstFold(neutralRight(1), foldIntegers(unsignedOnly(byNonZero((a, b) => a / b)))),
});
export const ceildivsi = integerBinary('ceildivsi', 'signed division, rounded up', {
  interfaces: [signedDivision],
  fold: firstFold(neutralRight(1), foldIntegers(quotient(ceilDiv))),
});
export const ceildivui = integerBinary('ceildivui', 'unsigned division, rounded up', {
  interfaces: [unsignedDivision],
  fold: firstFold(neutralRight(1), foldIntegers(unsignedOnly(byNonZero(ceilDiv)))),
});
export const floordivsi = integerBinary('floordivsi', 'signed division, rounded down', {
  interfaces: [signedDivision],
  fold: firstFold(neutralRight(1), foldIntegers(quotient(floorDiv))),
});
export const remsi = integerBinary('remsi', 'signed remainder, with the sign of the dividend', {
  interfaces: [signedDivision],
  fold: firstFold(remainderOfOne, foldIntegers(byNonZero((a, b) => a % b))),
});
export const remui = integerBinary('remui', 'unsigned remainder', {
  interfaces: [unsignedDivision],
  fold: firstFold(remainderOfOne, foldIntegers(unsignedOnly(byNonZero((a, b) => a % b)))),
});
export const andi = integerBinary('andi', 'bitwise and', {
  ...combining,
  fold: firstFold(
    absorbing(0),
    neutralAt(allOnes),
    idempotent,
    foldIntegers((a, b) => a & b),
  ),
});
export const ori = integerBinary('ori', 'bitwise or', {
  ...combining,
  fold: firstFold(
    neutralRight(0),
    neutralLeft(0),
    absorbingAt(allOnes),
    idempotent,
    foldIntegers((a, b) => a | b),
  ),
});
export const xori = integerBinary('xori', 'bitwise exclusive or', {
  ...combining,
  fold: firstFold(
    neutralRight(0),
    neutralLeft(0),
    selfIs(0),
    foldIntegers((a, b) => a ^ b),
  ),
});
export const shrsi = integerBinary('shrsi', 'arithmetic right shift', {
  fold: firstFold(neutralRight(0), foldIntegers(shift((a, b) => a >> b))),
});
export const shrui = integerBinary('shrui', 'logical right shift', {
  fold: firstFold(neutralRight(0), foldIntegers(shift((a, b, width) => unsigned(a, width) >> b))),
});
export const maxsi = integerBinary('maxsi', 'signed maximum', {
  ...combining,
  fold: firstFold(
    idempotent,
    neutralAt(smallest),
    absorbingAt(largest),
    foldIntegers((a, b) => (a > b ? a : b)),
  ),
});
export const minsi = integerBinary('minsi', 'signed minimum', {
  ...combining,
  fold: firstFold(
    idempotent,
    neutralAt(largest),
    absorbingAt(smallest),
    foldIntegers((a, b) => (a < b ? a : b)),
  ),
});
export const maxui = integerBinary('maxui', 'unsigned maximum', {
  ...combining,
  fold: firstFold(
    idempotent,
    neutralRight(0),
    absorbingAt(allOnes),
    foldIntegers(unsignedOnly((a, b) => (a > b ? a : b))),
  ),
});
export const minui = integerBinary('minui', 'unsigned minimum', {
  ...combining,
  fold: firstFold(
    idempotent,
    neutralAt(allOnes),
    absorbing(0),
    foldIntegers(unsignedOnly((a, b) => (a < b ? a : b))),
  ),
});

/** Folds an op with two results on two constants. */
const foldPair =
  (compute: (a: bigint, b: bigint, width: number) => readonly [bigint, bigint]): Folder =>
  ({ results }, constants) => {
    const [first] = results;
    if (first === undefined) return undefined;
    const width = widthOf(elementTypeOf(first.type));
    const folded: Attribute[] = [];
    for (const [i, { type }] of results.entries()) {
      const constant = foldElementwise(constants, type, (a, b) =>
        typeof a === 'bigint' && typeof b === 'bigint' ? compute(a, b, width)[i] : undefined,
      );
      if (constant === undefined) return undefined;
      folded.push(constant);
    }
    return folded;
  };

/** `x op 0` folds to `first` and zero. */
const withZero =
  (first: 'lhs' | 'zero'): Folder =>
  ({ operands: [lhs], results }, [, constant]) => {
    if (lhs === undefined || !isConstant(constant, 0)) return undefined;
    const zeros = results.map(({ type }) => uniformConstant(0n, type));
    const [low, high] = [first === 'lhs' ? lhs : zeros[0], zeros[1]];
    return low === undefined || high === undefined ? undefined : [low, high];
  };

/** An integer operation with two results: `%low, %high`. */
const extended = (
  mnemonic: string,
  summary: string,
  extend: (value: bigint, width: number) => bigint,
  ...folders: readonly Folder[]
) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
    results: { low: one(signlessIntegerLike), high: one(signlessIntegerLike) },
    traits: ['pure', 'elementwise', 'commutative'],
    typeRelations: [allTypesMatch('lhs', 'rhs', 'low', 'high')],
    assembly: { format: '$lhs `,` $rhs attr-dict `:` type($lhs)' },
    fold: firstFold(
      withZero('zero'),
      ...folders,
      foldPair((a, b, width) => {
        const product = extend(a, width) * extend(b, width);
        return [signed(product, width), signed(product >> BigInt(width), width)];
      }),
    ),
  });

/** Folds the low half of `x * 1` to `x`, and nothing else. */
const timesOne: Folder = ({ operands: [lhs], results: [, high] }, [, constant]) => {
  const zero = high && uniformConstant(0n, high.type);
  return lhs === undefined || zero === undefined || !isConstant(constant, 1) ? undefined : [lhs, zero];
};

export const mulsiExtended = extended('mulsi_extended', 'signed product in two halves', signed);
export const muluiExtended = extended('mului_extended', 'unsigned product in two halves', unsigned, timesOne);

export const adduiExtended = defineOp({
  name: 'arith.addui_extended',
  summary: 'unsigned addition with its carry',
  operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
  results: { sum: one(signlessIntegerLike), overflow: one(boolLike) },
  traits: ['pure', 'elementwise', 'commutative'],
  typeRelations: [allTypesMatch('lhs', 'rhs', 'sum')],
  assembly: { format: '$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)' },
  fold: firstFold(
    withZero('lhs'),
    foldPair((a, b, width) => {
      const sum = unsigned(a, width) + unsigned(b, width);
      return [signed(sum, width), sum >> BigInt(width)];
    }),
  ),
});
