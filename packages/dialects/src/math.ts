/** The math dialect: mathematical functions on scalars, elementwise on vectors and tensors. */
import type { Dialect, OpDefinition } from '@sconv/ir';
import { allTypesMatch, defineOp, one } from '@sconv/ir';
import { fastmath } from './arith-attributes.ts';
import { foldFloats, foldInteger, unsigned } from './arith-fold.ts';
import { floatLike, signlessIntegerLike } from './constraints.ts';

const flags = '(`fastmath` `` $fastmath^)? attr-dict `:` type($result)';
const elementwise = ['pure', 'elementwise', 'same-operands-and-result-type'] as const;

/** A unary float function; `compute` folds constants where JavaScript's result equals upstream's. */
const unary = (mnemonic: string, summary: string, compute?: (x: number) => number) =>
  defineOp({
    name: `math.${mnemonic}`,
    summary,
    operands: { operand: one(floatLike) },
    results: { result: one(floatLike) },
    attributes: { fastmath },
    traits: elementwise,
    assembly: { format: `$operand ${flags}` },
    ...(compute === undefined ? {} : { fold: foldFloats((x = 0) => compute(x)) }),
  });

const binary = (mnemonic: string, summary: string) =>
  defineOp({
    name: `math.${mnemonic}`,
    summary,
    operands: { lhs: one(floatLike), rhs: one(floatLike) },
    results: { result: one(floatLike) },
    attributes: { fastmath },
    traits: elementwise,
    assembly: { format: `$lhs \`,\` $rhs ${flags}` },
  });

const integerUnary = (mnemonic: string, summary: string, compute: (x: bigint, width: number) => bigint) =>
  defineOp({
    name: `math.${mnemonic}`,
    summary,
    operands: { operand: one(signlessIntegerLike) },
    results: { result: one(signlessIntegerLike) },
    traits: elementwise,
    assembly: { format: '$operand attr-dict `:` type($result)' },
    fold: foldInteger(compute),
  });

/** Rounds to the nearest integer, ties to even; keeps the sign of zero. */
const roundEven = (x: number): number => {
  const magnitude = Math.abs(x);
  const below = Math.floor(magnitude);
  const rounded = magnitude - below === 0.5 ? below + (below % 2) : Math.round(magnitude);
  return Math.sign(x) * rounded;
};

export const absf = unary('absf', 'absolute value', Math.abs);
export const ceil = unary('ceil', 'rounded up', Math.ceil);
export const floor = unary('floor', 'rounded down', Math.floor);
export const trunc = unary('trunc', 'rounded to zero', Math.trunc);
/** Ties away from zero. */
export const round = unary('round', 'rounded to the nearest', (x) => Math.sign(x) * Math.round(Math.abs(x)));
export const roundeven = unary('roundeven', 'rounded to the nearest, ties to even', roundEven);
export const sqrt = unary('sqrt', 'square root', Math.sqrt);
export const rsqrt = unary('rsqrt', 'reciprocal of the square root');
export const cbrt = unary('cbrt', 'cube root');
export const exp = unary('exp', 'exponential');
export const exp2 = unary('exp2', 'power of 2');
export const expm1 = unary('expm1', 'exponential minus 1');
export const log = unary('log', 'natural logarithm');
export const log2 = unary('log2', 'logarithm to base 2');
export const log10 = unary('log10', 'logarithm to base 10');
export const log1p = unary('log1p', 'natural logarithm of 1 plus the operand');
export const sin = unary('sin', 'sine');
export const cos = unary('cos', 'cosine');
export const tan = unary('tan', 'tangent');
export const asin = unary('asin', 'arc sine');
export const acos = unary('acos', 'arc cosine');
export const atan = unary('atan', 'arc tangent');
export const sinh = unary('sinh', 'hyperbolic sine');
export const cosh = unary('cosh', 'hyperbolic cosine');
export const tanh = unary('tanh', 'hyperbolic tangent');
export const asinh = unary('asinh', 'inverse hyperbolic sine');
export const acosh = unary('acosh', 'inverse hyperbolic cosine');
export const atanh = unary('atanh', 'inverse hyperbolic tangent');
export const erf = unary('erf', 'error function');

export const atan2 = binary('atan2', 'arc tangent of a quotient');
export const copysign = binary('copysign', 'the magnitude of one with the sign of the other');
export const powf = binary('powf', 'power');

/** Leading zeros. */
export const ctlz = integerUnary('ctlz', 'count of leading zeros', (x, width) => {
  const bits = unsigned(x, width);
  return BigInt(bits === 0n ? width : width - bits.toString(2).length);
});
/** Trailing zeros. */
export const cttz = integerUnary('cttz', 'count of trailing zeros', (x, width) => {
  const bits = unsigned(x, width).toString(2);
  return BigInt(x === 0n ? width : bits.length - 1 - bits.lastIndexOf('1'));
});
export const ctpop = integerUnary('ctpop', 'count of ones', (x, width) =>
  BigInt(unsigned(x, width).toString(2).replaceAll('0', '').length),
);
export const absi = integerUnary('absi', 'absolute value', (x) => (x < 0n ? -x : x));

export const ipowi = defineOp({
  name: 'math.ipowi',
  summary: 'integer power',
  operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
  results: { result: one(signlessIntegerLike) },
  traits: elementwise,
  assembly: { format: '$lhs `,` $rhs attr-dict `:` type($result)' },
});

export const fpowi = defineOp({
  name: 'math.fpowi',
  summary: 'power of a float by an integer',
  operands: { lhs: one(floatLike), rhs: one(signlessIntegerLike) },
  results: { result: one(floatLike) },
  attributes: { fastmath },
  traits: ['pure', 'elementwise'],
  typeRelations: [allTypesMatch('lhs', 'result')],
  assembly: { format: '$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)' },
});

export const fma = defineOp({
  name: 'math.fma',
  summary: 'a * b + c, rounded once',
  operands: { a: one(floatLike), b: one(floatLike), c: one(floatLike) },
  results: { result: one(floatLike) },
  attributes: { fastmath },
  traits: elementwise,
  assembly: { format: `$a \`,\` $b \`,\` $c ${flags}` },
});

const operations: readonly OpDefinition[] = [
  absf,
  ceil,
  floor,
  trunc,
  round,
  roundeven,
  sqrt,
  rsqrt,
  cbrt,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  atan2,
  copysign,
  powf,
  ctlz,
  cttz,
  ctpop,
  absi,
  ipowi,
  fpowi,
  fma,
];

/** The dialect, for a registry. */
export const mathDialect: Dialect = { name: 'math', operations };
