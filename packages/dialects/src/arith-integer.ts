/** The integer operations of the arith dialect. */
import type { Attribute, Folder, ResultNamer } from '@sconv/ir';
import { allTypesMatch, defineOp, implement, integerOf, one } from '@sconv/ir';
import { overflowFlags } from './arith-attributes.ts';
import {
  elementOf,
  firstFold,
  foldElementwise,
  foldIntegers,
  idempotent,
  isConstant,
  signed,
  uniformConstant,
  unsigned,
  widthOf,
} from './arith-fold.ts';
import { combining, elementwise } from './arith-common.ts';
import { boolLike, elementTypeOf, signlessIntegerLike } from './constraints.ts';
import { signedDivisionTraps, unsignedDivisionTraps } from './division.ts';
import type { IntegerOp } from './scalar-op.ts';
import { scalarOp } from './scalar-op.ts';

type Semantics = Omit<IntegerOp, 'kind'>;

/** What an operation computes, with the traits and folds that follow; the given folds come first. */
const computing = (semantics: Semantics, folds: readonly Folder[]) => {
  const { compute, neutral } = semantics;
  const neutralFolds = neutral === undefined ? [] : [neutralAt(neutral, 'right'), neutralAt(neutral, 'left')];
  return {
    traits: [...elementwise, ...(neutral === undefined ? [] : combining)],
    interfaces: [implement(scalarOp, { kind: 'integers', ...semantics })],
    fold: firstFold(...folds, ...neutralFolds, foldIntegers(compute)),
  };
};

/** A binary integer operation. */
const integerBinary = (
  mnemonic: string,
  summary: string,
  semantics: Semantics,
  folds: readonly Folder[] = [],
) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
    results: { result: one(signlessIntegerLike) },
    assembly: { format: '$lhs `,` $rhs attr-dict `:` type($result)' },
    ...computing(semantics, folds),
  });

/** A binary integer operation with overflow flags. */
const overflowBinary = (
  mnemonic: string,
  summary: string,
  semantics: Semantics,
  folds: readonly Folder[] = [],
  resultName?: ResultNamer,
) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
    results: { result: one(signlessIntegerLike) },
    attributes: { overflowFlags },
    assembly: {
      format: '$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)',
    },
    ...computing(semantics, folds),
    ...(resultName === undefined ? {} : { resultName }),
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

/** A constant that depends only on the bit width. */
type WidthConstant = (width: number) => bigint;
const zero: WidthConstant = () => 0n;
const unit: WidthConstant = () => 1n;
const allOnes: WidthConstant = () => -1n;
const smallest: WidthConstant = (width) => -(1n << BigInt(width - 1));
const largest: WidthConstant = (width) => (1n << BigInt(width - 1)) - 1n;

/** Folds to operand `chosen` where operand `known` is a constant whose elements are all this one. */
const choosing =
  (chosen: 0 | 1, known: 0 | 1, value: WidthConstant): Folder =>
  ({ operands }, constants) => {
    const [result, element] = [operands[chosen], elementOf(constants[known])];
    if (result === undefined || typeof element !== 'bigint') return undefined;
    const width = widthOf(elementTypeOf(result.type));
    return signed(element, width) === signed(value(width), width) ? [result] : undefined;
  };

/** `x op value` folds to `x`, or `value op x` does. */
const neutralAt = (value: WidthConstant, side: 'left' | 'right'): Folder =>
  side === 'right' ? choosing(0, 1, value) : choosing(1, 0, value);

/** `x op value` folds to `value`. */
const absorbing = (value: WidthConstant): Folder => choosing(1, 1, value);

/** `x mod 1` is 0. */
const remainderOfOne: Folder = (operation, constants) => {
  const type = operation.results[0]?.type;
  const nothing = type === undefined ? undefined : uniformConstant(0n, type);
  return nothing !== undefined && isConstant(constants[1], 1) ? [nothing] : undefined;
};

/** Rounds towards negative infinity; bigint division truncates. */
const floorDiv = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};
const ceilDiv = (a: bigint, b: bigint): bigint => -floorDiv(-a, b);

type Compute = IntegerOp['compute'];

/** The quotient, if there is one: not by zero, nor of the smallest integer by -1. */
const quotient =
  (divide: (a: bigint, b: bigint) => bigint): Compute =>
  (a, b, width) => {
    if (b === 0n) return undefined;
    const value = divide(a, b);
    return signed(value, width) === value ? value : undefined;
  };
/** The same on what the bits are without a sign. */
const unsignedOnly =
  (compute: (a: bigint, b: bigint) => bigint | undefined): Compute =>
  (a, b, width) =>
    compute(unsigned(a, width), unsigned(b, width));
const byNonZero =
  (compute: (a: bigint, b: bigint) => bigint) =>
  (a: bigint, b: bigint): bigint | undefined =>
    b === 0n ? undefined : compute(a, b);
/** A shift by less than the width. */
const shift =
  (compute: Compute): Compute =>
  (a, b, width) =>
    unsigned(b, width) >= BigInt(width) ? undefined : compute(a, unsigned(b, width), width);

const traps = { signed: { traps: signedDivisionTraps }, unsigned: { traps: unsignedDivisionTraps } };

export const addi = overflowBinary('addi', 'integer addition', {
  compute: (a, b) => a + b,
  instruction: 'add',
  neutral: zero,
});
export const subi = overflowBinary(
  'subi',
  'integer subtraction',
  { compute: (a, b) => a - b, instruction: 'sub' },
  [selfIs(0), neutralAt(zero, 'right')],
);
export const muli = overflowBinary(
  'muli',
  'integer multiplication',
  { compute: (a, b) => a * b, instruction: 'mul', neutral: unit },
  [absorbing(zero)],
  scaledName,
);
export const shli = overflowBinary(
  'shli',
  'left shift',
  { compute: shift((a, b) => a << b), instruction: 'shl' },
  [neutralAt(zero, 'right')],
);
export const divsi = integerBinary(
  'divsi',
  'signed division, rounded to zero',
  { compute: quotient((a, b) => a / b), instruction: 'divS', ...traps.signed },
  [neutralAt(unit, 'right')],
);
export const divui = integerBinary(
  'divui',
  'unsigned division',
  { compute: unsignedOnly(byNonZero((a, b) => a / b)), instruction: 'divU', ...traps.unsigned },
  [neutralAt(unit, 'right')],
);
export const ceildivsi = integerBinary(
  'ceildivsi',
  'signed division, rounded up',
  { compute: quotient(ceilDiv), instruction: 'ceilDivS', ...traps.signed },
  [neutralAt(unit, 'right')],
);
export const ceildivui = integerBinary(
  'ceildivui',
  'unsigned division, rounded up',
  { compute: unsignedOnly(byNonZero(ceilDiv)), instruction: 'ceilDivU', ...traps.unsigned },
  [neutralAt(unit, 'right')],
);
export const floordivsi = integerBinary(
  'floordivsi',
  'signed division, rounded down',
  { compute: quotient(floorDiv), instruction: 'floorDivS', ...traps.signed },
  [neutralAt(unit, 'right')],
);
export const remsi = integerBinary(
  'remsi',
  'signed remainder, with the sign of the dividend',
  { compute: byNonZero((a, b) => a % b), instruction: 'remS', ...traps.signed },
  [remainderOfOne],
);
export const remui = integerBinary(
  'remui',
  'unsigned remainder',
  { compute: unsignedOnly(byNonZero((a, b) => a % b)), instruction: 'remU', ...traps.unsigned },
  [remainderOfOne],
);
export const andi = integerBinary(
  'andi',
  'bitwise and',
  { compute: (a, b) => a & b, instruction: 'and', neutral: allOnes },
  [absorbing(zero), idempotent],
);
export const ori = integerBinary(
  'ori',
  'bitwise or',
  { compute: (a, b) => a | b, instruction: 'or', neutral: zero },
  [absorbing(allOnes), idempotent],
);
export const xori = integerBinary(
  'xori',
  'bitwise exclusive or',
  { compute: (a, b) => a ^ b, instruction: 'xor', neutral: zero },
  [selfIs(0)],
);
export const shrsi = integerBinary(
  'shrsi',
  'arithmetic right shift',
  { compute: shift((a, b) => a >> b), instruction: 'shrS' },
  [neutralAt(zero, 'right')],
);
export const shrui = integerBinary(
  'shrui',
  'logical right shift',
  { compute: shift((a, b, width) => unsigned(a, width) >> b), instruction: 'shrU' },
  [neutralAt(zero, 'right')],
);
export const maxsi = integerBinary(
  'maxsi',
  'signed maximum',
  { compute: (a, b) => (a > b ? a : b), instruction: 'maxS', neutral: smallest },
  [idempotent, absorbing(largest)],
);
export const minsi = integerBinary(
  'minsi',
  'signed minimum',
  { compute: (a, b) => (a < b ? a : b), instruction: 'minS', neutral: largest },
  [idempotent, absorbing(smallest)],
);
export const maxui = integerBinary(
  'maxui',
  'unsigned maximum',
  { compute: unsignedOnly((a, b) => (a > b ? a : b)), instruction: 'maxU', neutral: zero },
  [idempotent, absorbing(allOnes)],
);
export const minui = integerBinary(
  'minui',
  'unsigned minimum',
  { compute: unsignedOnly((a, b) => (a < b ? a : b)), instruction: 'minU', neutral: allOnes },
  [idempotent, absorbing(zero)],
);

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
