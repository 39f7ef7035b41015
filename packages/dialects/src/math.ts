/** The math dialect: mathematical functions on scalars, elementwise on vectors and tensors. */
import type { Dialect, OpDefinition } from '@sconv/ir';
import { allTypesMatch, defineOp, implement, one } from '@sconv/ir';
import { fastmath } from './arith-attributes.ts';
import { foldFloats, foldIntegers, unsigned } from './arith-fold.ts';
import { elementwise } from './arith-common.ts';
import { floatLike, signlessIntegerLike } from './constraints.ts';
import { erf as errorFunction } from './erf.ts';
import { copySign, fusedMultiplyAdd, power, roundAway, roundEven, wrappedPower } from './math-functions.ts';
import type { FloatInstruction, FloatOp, IntegerOp } from './scalar-op.ts';
import { scalarOp } from './scalar-op.ts';

const flags = '(`fastmath` `` $fastmath^)? attr-dict `:` type($result)';

type Compute = FloatOp['compute'];

/** A unary float function. Constants fold where JavaScript rounds the result exactly, as instructions do. */
const unary = (
  mnemonic: string,
  summary: string,
  compute: (x: number) => number,
  instruction?: FloatInstruction,
  isExact = instruction !== undefined,
) =>
  defineOp({
    name: `math.${mnemonic}`,
    summary,
    operands: { operand: one(floatLike) },
    results: { result: one(floatLike) },
    attributes: { fastmath },
    traits: elementwise,
    interfaces: [
      implement(scalarOp, { kind: 'floats', compute, ...(instruction === undefined ? {} : { instruction }) }),
    ],
    assembly: { format: `$operand ${flags}` },
    ...(isExact ? { fold: foldFloats(compute) } : {}),
  });

const binary = (mnemonic: string, summary: string, compute: Compute) =>
  defineOp({
    name: `math.${mnemonic}`,
    summary,
    operands: { lhs: one(floatLike), rhs: one(floatLike) },
    results: { result: one(floatLike) },
    attributes: { fastmath },
    traits: elementwise,
    interfaces: [implement(scalarOp, { kind: 'floats', compute })],
    assembly: { format: `$lhs \`,\` $rhs ${flags}` },
  });

const integerUnary = (mnemonic: string, summary: string, compute: (x: bigint, width: number) => bigint) => {
  const computed: IntegerOp['compute'] = (x, _, width) => compute(x, width);
  return defineOp({
    name: `math.${mnemonic}`,
    summary,
    operands: { operand: one(signlessIntegerLike) },
    results: { result: one(signlessIntegerLike) },
    traits: elementwise,
    interfaces: [implement(scalarOp, { kind: 'integers', compute: computed })],
    assembly: { format: '$operand attr-dict `:` type($result)' },
    fold: foldIntegers(computed),
  });
};

export const absf = unary('absf', 'absolute value', Math.abs, 'abs');
export const ceil = unary('ceil', 'rounded up', Math.ceil, 'ceil');
export const floor = unary('floor', 'rounded down', Math.floor, 'floor');
export const trunc = unary('trunc', 'rounded to zero', Math.trunc, 'trunc');
/** Ties away from zero. */
export const round = unary('round', 'rounded to the nearest', roundAway, undefined, true);
export const roundeven = unary('roundeven', 'rounded to the nearest, ties to even', roundEven, 'nearest');
export const sqrt = unary('sqrt', 'square root', Math.sqrt, 'sqrt');
export const rsqrt = unary('rsqrt', 'reciprocal of the square root', (x) => 1 / Math.sqrt(x));
export const cbrt = unary('cbrt', 'cube root', Math.cbrt);
export const exp = unary('exp', 'exponential', Math.exp);
export const exp2 = unary('exp2', 'power of 2', (x) => 2 ** x);
export const expm1 = unary('expm1', 'exponential minus 1', Math.expm1);
export const log = unary('log', 'natural logarithm', Math.log);
export const log2 = unary('log2', 'logarithm to base 2', Math.log2);
export const log10 = unary('log10', 'logarithm to base 10', Math.log10);
export const log1p = unary('log1p', 'natural logarithm of 1 plus the operand', Math.log1p);
export const sin = unary('sin', 'sine', Math.sin);
export const cos = unary('cos', 'cosine', Math.cos);
export const tan = unary('tan', 'tangent', Math.tan);
export const asin = unary('asin', 'arc sine', Math.asin);
export const acos = unary('acos', 'arc cosine', Math.acos);
export const atan = unary('atan', 'arc tangent', Math.atan);
export const sinh = unary('sinh', 'hyperbolic sine', Math.sinh);
export const cosh = unary('cosh', 'hyperbolic cosine', Math.cosh);
export const tanh = unary('tanh', 'hyperbolic tangent', Math.tanh);
export const asinh = unary('asinh', 'inverse hyperbolic sine', Math.asinh);
export const acosh = unary('acosh', 'inverse hyperbolic cosine', Math.acosh);
export const atanh = unary('atanh', 'inverse hyperbolic tangent', Math.atanh);
export const erf = unary('erf', 'error function', errorFunction);

export const atan2 = binary('atan2', 'arc tangent of a quotient', Math.atan2);
export const copysign = binary('copysign', 'the magnitude of one with the sign of the other', copySign);
export const powf = binary('powf', 'power', power);

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
  interfaces: [
    implement(scalarOp, { kind: 'integers', compute: wrappedPower, traps: (exponent) => exponent < 0n }),
  ],
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
  interfaces: [implement(scalarOp, fusedMultiplyAdd)],
  assembly: { format: `$a \`,\` $b \`,\` $c ${flags}` },
});

export { integerPower } from './math-functions.ts';

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
