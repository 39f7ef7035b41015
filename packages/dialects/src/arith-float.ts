/** The floating-point operations of the arith dialect. */
import type { Folder } from '@sconv/ir';
import { defineOp, one } from '@sconv/ir';
import { fastmath } from './arith-attributes.ts';
import { firstFold, foldFloats, idempotent, isExactly } from './arith-fold.ts';
import type { BinaryOptions } from './arith-common.ts';
import { combining, elementwise } from './arith-common.ts';
import { floatLike } from './constraints.ts';

/** A binary floating-point operation. */
const floatBinary = (mnemonic: string, summary: string, options: BinaryOptions = {}) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(floatLike), rhs: one(floatLike) },
    results: { result: one(floatLike) },
    attributes: { fastmath },
    traits: [...elementwise, ...(options.traits ?? [])],
    assembly: { format: '$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)' },
    ...(options.fold === undefined ? {} : { fold: options.fold }),
  });

/** `x op value` is `x`, for exactly this float: -0 is not 0. */
const neutralFloat =
  (value: number): Folder =>
  (operation, constants) =>
    isExactly(constants[1], value) && operation.operands[0] !== undefined
      ? [operation.operands[0]]
      : undefined;

const numberOf = (a: number, b: number, pick: (a: number, b: number) => number): number =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : pick(a, b);

export const addf = floatBinary('addf', 'floating-point addition', {
  ...combining,
  fold: firstFold(
    neutralFloat(-0),
    foldFloats((a = 0, b = 0) => a + b),
  ),
});
export const subf = floatBinary('subf', 'floating-point subtraction', {
  fold: firstFold(
    neutralFloat(0),
    foldFloats((a = 0, b = 0) => a - b),
  ),
});
export const mulf = floatBinary('mulf', 'floating-point multiplication', {
  ...combining,
  fold: firstFold(
    neutralFloat(1),
    foldFloats((a = 0, b = 0) => a * b),
  ),
});
export const divf = floatBinary('divf', 'floating-point division', {
  fold: firstFold(
    neutralFloat(1),
    foldFloats((a = 0, b = 0) => a / b),
  ),
});
export const remf = floatBinary('remf', 'floating-point remainder, with the sign of the dividend', {
  fold: foldFloats((a = 0, b = 0) => a % b),
});
export const maximumf = floatBinary('maximumf', 'maximum; NaN if either is', {
  ...combining,
  fold: firstFold(
    idempotent,
    neutralFloat(-Infinity),
    foldFloats((a = 0, b = 0) => Math.max(a, b)),
  ),
});
export const minimumf = floatBinary('minimumf', 'minimum; NaN if either is', {
  ...combining,
  fold: firstFold(
    idempotent,
    neutralFloat(Infinity),
    foldFloats((a = 0, b = 0) => Math.min(a, b)),
  ),
});
/** @deviation Upstream also drops an operand that is -Infinity, which is the result where the other one is NaN. */
export const maxnumf = floatBinary('maxnumf', 'maximum of the operands that are numbers', {
  ...combining,
  fold: firstFold(
    idempotent,
    foldFloats((a = 0, b = 0) => numberOf(a, b, Math.max)),
  ),
});
/** @deviation As for `maxnumf`: Infinity stays. */
export const minnumf = floatBinary('minnumf', 'minimum of the operands that are numbers', {
  ...combining,
  fold: firstFold(
    idempotent,
    foldFloats((a = 0, b = 0) => numberOf(a, b, Math.min)),
  ),
});

export const negf = defineOp({
  name: 'arith.negf',
  summary: 'floating-point negation',
  operands: { operand: one(floatLike) },
  results: { result: one(floatLike) },
  attributes: { fastmath },
  traits: elementwise,
  assembly: { format: '$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)' },
  fold: foldFloats((a = 0) => -a),
});
