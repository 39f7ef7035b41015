/** Conversions of the arith dialect. */
import type { Folder, Type, TypeConstraint } from '@sconv/ir';
import {
  defineOp,
  floatFromBits,
  floatToBits,
  floatWidth,
  i1,
  one,
  roundToFloat,
  typeEquals,
} from '@sconv/ir';
import { optionalFastmath, roundingMode } from './arith-attributes.ts';
import { foldElementwise, isExtended, unsigned, widthOf } from './arith-fold.ts';
import { compatibleShapes } from './arith-common.ts';
import {
  bitcastable,
  elementTypeOf,
  fixedWidthIntegerLike,
  floatLike,
  indexCastable,
  shapeOf,
  withElementType,
} from './constraints.ts';
import { typeText } from './type-text.ts';

/** Upstream's error for incompatible cast types. */
function* castErrors(from: Type, to: Type, fits: (from: Type, to: Type) => boolean): Generator<string> {
  const sameSizes = String(shapeOf(from)) === String(shapeOf(to));
  if (!compatibleShapes(from, to)) yield 'requires the same shape for all operands and results';
  else if (!sameSizes) yield 'failed to verify that input and output have the same tensor dimensions';
  else if (!fits(elementTypeOf(from), elementTypeOf(to)) || !sameEncoding(from, to)) {
    yield `operand type '${typeText(from)}' and result type '${typeText(to)}' are cast incompatible`;
  }
}

const sameEncoding = (a: Type, b: Type): boolean =>
  a.kind !== 'tensor' || b.kind !== 'tensor' || typeEquals(withElementType(a, i1), withElementType(b, i1));

type CastFold = (value: bigint | number, from: Type, to: Type) => bigint | number | undefined;

const foldCast =
  (compute: CastFold): Folder =>
  (operation, constants) => {
    const [from, to] = [operation.operands[0]?.type, operation.results[0]?.type];
    if (from === undefined || to === undefined) return undefined;
    const folded = foldElementwise(constants, to, (value) =>
      compute(value, elementTypeOf(from), elementTypeOf(to)),
    );
    return folded === undefined ? undefined : [folded];
  };

interface CastOptions {
  readonly from: TypeConstraint;
  readonly to: TypeConstraint;
  readonly fits: (from: Type, to: Type) => boolean;
  readonly fold: CastFold;
}

/** A conversion `%x : from to to`. */
const cast = (mnemonic: string, summary: string, options: CastOptions) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { in: one(options.from) },
    results: { out: one(options.to) },
    traits: ['pure', 'elementwise', 'cast'],
    assembly: { format: '$in attr-dict `:` type($in) `to` type($out)' },
    verify: ({ operands, results }) => castErrors(operands.in.type, results.out.type, options.fits),
    fold: foldCast(options.fold),
  });

const isWider = (a: Type, b: Type): boolean => floatBits(a) > floatBits(b);

const floatBits = (type: Type): number => (type.kind === 'float' ? floatWidth(type.name) : 0);

const asInteger = (value: bigint | number): bigint | undefined =>
  typeof value === 'bigint' ? value : undefined;

/** The integer part of a number, if it fits the type. */
const truncated = (value: bigint | number, low: bigint, high: bigint): bigint | undefined => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const integer = BigInt(Math.trunc(value));
  return integer >= low && integer < high ? integer : undefined;
};

export const extsi = cast('extsi', 'sign extension', {
  from: fixedWidthIntegerLike,
  to: fixedWidthIntegerLike,
  fits: (from, to) => widthOf(to) > widthOf(from),
  fold: (value, from) => {
    const integer = asInteger(value);
    return integer === undefined ? undefined : BigInt.asIntN(widthOf(from), integer);
  },
});
export const extui = cast('extui', 'zero extension', {
  from: fixedWidthIntegerLike,
  to: fixedWidthIntegerLike,
  fits: (from, to) => widthOf(to) > widthOf(from),
  fold: (value, from) => {
    const integer = asInteger(value);
    return integer === undefined ? undefined : unsigned(integer, widthOf(from));
  },
});
export const trunci = cast('trunci', 'truncation of an integer', {
  from: fixedWidthIntegerLike,
  to: fixedWidthIntegerLike,
  fits: (from, to) => widthOf(to) < widthOf(from),
  fold: asInteger,
});
export const indexCast = cast('index_cast', 'signed cast between index and integers', {
  from: indexCastable,
  to: indexCastable,
  fits: (from, to) => (from.kind === 'index') !== (to.kind === 'index'),
  fold: (value, from) => {
    const integer = asInteger(value);
    return integer === undefined ? undefined : BigInt.asIntN(widthOf(from), integer);
  },
});
export const indexCastui = cast('index_castui', 'unsigned cast between index and integers', {
  from: indexCastable,
  to: indexCastable,
  fits: (from, to) => (from.kind === 'index') !== (to.kind === 'index'),
  fold: (value, from) => {
    const integer = asInteger(value);
    return integer === undefined ? undefined : unsigned(integer, widthOf(from));
  },
});
export const sitofp = cast('sitofp', 'signed integer to floating point', {
  from: fixedWidthIntegerLike,
  to: floatLike,
  fits: () => true,
  fold: (value, from) => {
    const integer = asInteger(value);
    return integer === undefined ? undefined : Number(BigInt.asIntN(widthOf(from), integer));
  },
});
export const uitofp = cast('uitofp', 'unsigned integer to floating point', {
  from: fixedWidthIntegerLike,
  to: floatLike,
  fits: () => true,
  fold: (value, from) => {
    const integer = asInteger(value);
    return integer === undefined ? undefined : Number(unsigned(integer, widthOf(from)));
  },
});
export const fptosi = cast('fptosi', 'floating point to signed integer, rounded to zero', {
  from: floatLike,
  to: fixedWidthIntegerLike,
  fits: () => true,
  fold: (value, _, to) => truncated(value, -(1n << BigInt(widthOf(to) - 1)), 1n << BigInt(widthOf(to) - 1)),
});
export const fptoui = cast('fptoui', 'floating point to unsigned integer, rounded to zero', {
  from: floatLike,
  to: fixedWidthIntegerLike,
  fits: () => true,
  fold: (value, _, to) => truncated(value, 0n, 1n << BigInt(widthOf(to))),
});
/** The bits of a value; undefined for unsupported types. */
const bitsOf = (value: bigint | number, type: Type): bigint | undefined => {
  if (typeof value === 'bigint') return unsigned(value, widthOf(type));
  return type.kind === 'float' && !isExtended(type) ? floatToBits(value, type.name) : undefined;
};

/** The value with these bits; undefined if a number cannot represent it: NaN has many encodings. */
const valueOfBits = (bits: bigint, type: Type): bigint | number | undefined => {
  if (type.kind !== 'float') return bits;
  if (isExtended(type)) return undefined;
  const value = floatFromBits(bits, type.name);
  return Number.isNaN(value) ? undefined : value;
};

export const bitcast = cast('bitcast', 'the same bits as another type', {
  from: bitcastable,
  to: bitcastable,
  fits: (from, to) => (floatBits(from) || widthOf(from)) === (floatBits(to) || widthOf(to)),
  fold: (value, from, to) => {
    const bits = bitsOf(value, from);
    return bits === undefined ? undefined : valueOfBits(bits, to);
  },
});

/** `arith.extf %x : f32 to f64`. */
export const extf = defineOp({
  name: 'arith.extf',
  summary: 'floating point to a wider type',
  operands: { in: one(floatLike) },
  results: { out: one(floatLike) },
  attributes: { fastmath: optionalFastmath },
  traits: ['pure', 'elementwise', 'cast'],
  assembly: { format: '$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)' },
  verify: ({ operands, results }) =>
    castErrors(operands.in.type, results.out.type, (from, to) => isWider(to, from)),
  fold: foldCast((value) => (typeof value === 'number' ? value : undefined)),
});

/** `arith.truncf %x : f64 to f32`. Constants fold only where the conversion is exact, as upstream. */
export const truncf = defineOp({
  name: 'arith.truncf',
  summary: 'floating point to a narrower type',
  operands: { in: one(floatLike) },
  results: { out: one(floatLike) },
  attributes: { roundingmode: roundingMode, fastmath: optionalFastmath },
  traits: ['pure', 'elementwise', 'cast'],
  assembly: {
    format: '$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)',
  },
  verify: ({ operands, results }) => castErrors(operands.in.type, results.out.type, isWider),
  fold: foldCast((value, _, to) =>
    typeof value === 'number' && to.kind === 'float' && Object.is(roundToFloat(value, to.name), value)
      ? value
      : undefined,
  ),
});
