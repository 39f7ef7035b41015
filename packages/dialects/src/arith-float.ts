/** The floating-point operations of the arith dialect. */
import type { Folder } from '@sconv/ir';
import { defineOp, implement, one } from '@sconv/ir';
import { fastmath } from './arith-attributes.ts';
import { firstFold, foldFloats, idempotent, isExactly } from './arith-fold.ts';
import { combining, elementwise } from './arith-common.ts';
import { floatLike } from './constraints.ts';
import type { FloatOp } from './scalar-op.ts';
import { scalarOp } from './scalar-op.ts';

type Semantics = Omit<FloatOp, 'kind'>;

/** A binary floating-point operation; the given folds come first. */
const floatBinary = (
  mnemonic: string,
  summary: string,
  semantics: Semantics,
  folds: readonly Folder[] = [],
) => {
  const { compute, neutral } = semantics;
  return defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(floatLike), rhs: one(floatLike) },
    results: { result: one(floatLike) },
    attributes: { fastmath },
    traits: [...elementwise, ...(neutral === undefined ? [] : combining)],
    interfaces: [implement(scalarOp, { kind: 'floats', ...semantics })],
    assembly: { format: '$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)' },
    fold: firstFold(
      ...folds,
      ...(neutral?.[0] === undefined ? [] : [without(neutral[0])]),
      foldFloats(compute),
    ),
  });
};

/** `x op value` is `x`, for exactly this float: -0 is not 0. A NaN stays, as upstream. */
const without =
  (value: number): Folder =>
  (operation, constants) =>
    !Number.isNaN(value) && isExactly(constants[1], value) && operation.operands[0] !== undefined
      ? [operation.operands[0]]
      : undefined;

const numberOf = (a: number, b: number, pick: (a: number, b: number) => number): number =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : pick(a, b);

export const addf = floatBinary('addf', 'floating-point addition', {
  compute: (a, b) => a + b,
  instruction: 'add',
  neutral: [-0],
});
export const subf = floatBinary(
  'subf',
  'floating-point subtraction',
  { compute: (a, b) => a - b, instruction: 'sub' },
  [without(0)],
);
export const mulf = floatBinary('mulf', 'floating-point multiplication', {
  compute: (a, b) => a * b,
  instruction: 'mul',
  neutral: [1],
});
export const divf = floatBinary(
  'divf',
  'floating-point division',
  { compute: (a, b) => a / b, instruction: 'div' },
  [without(1)],
);
export const remf = floatBinary('remf', 'floating-point remainder, with the sign of the dividend', {
  compute: (a, b) => a % b,
});
export const maximumf = floatBinary(
  'maximumf',
  'maximum; NaN if either is',
  { compute: (a, b) => Math.max(a, b), instruction: 'max', neutral: [-Infinity] },
  [idempotent],
);
export const minimumf = floatBinary(
  'minimumf',
  'minimum; NaN if either is',
  { compute: (a, b) => Math.min(a, b), instruction: 'min', neutral: [Infinity] },
  [idempotent],
);
/** @deviation Upstream drops an operand that is -Infinity, which is the result where the other one is NaN. */
export const maxnumf = floatBinary(
  'maxnumf',
  'maximum of the operands that are numbers',
  { compute: (a, b) => numberOf(a, b, Math.max), instruction: 'maxNumber', neutral: [NaN, -Infinity] },
  [idempotent],
);
/** @deviation As for `maxnumf`: Infinity stays. */
export const minnumf = floatBinary(
  'minnumf',
  'minimum of the operands that are numbers',
  { compute: (a, b) => numberOf(a, b, Math.min), instruction: 'minNumber', neutral: [NaN, Infinity] },
  [idempotent],
);

export const negf = defineOp({
  name: 'arith.negf',
  summary: 'floating-point negation',
  operands: { operand: one(floatLike) },
  results: { result: one(floatLike) },
  attributes: { fastmath },
  traits: elementwise,
  interfaces: [implement(scalarOp, { kind: 'floats', compute: (a) => -a, instruction: 'neg' })],
  assembly: { format: '$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)' },
  fold: foldFloats((a) => -a),
});
