/** Elementwise operations of arith and math on whole registers. */
import { scalarOp } from '@sconv/dialects';
import type { Operation, Type } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
import { floatOps, mayRound } from './float-ops.ts';
import { isHalf, roundedVector } from './half-floats.ts';
import { f32x4, i16x8, i32, i32x4, i64x2, i8x16, v128 } from './instructions.ts';
import type { Comparison } from './integer-words.ts';
import { integerPredicates } from './integer-ops.ts';
import type { LaneBytes, Lowering } from './lowering.ts';
import type { LaneOps } from './vector-body.ts';
import { laneOps } from './vector-body.ts';
import type { Register } from './vector-value.ts';
import { isMask, laneBytesOf } from './vector-value.ts';

/** An operation on registers, whose operands and result have lanes of the same size. */
export interface SimdOperation {
  readonly bytes: LaneBytes;
  readonly apply: (...registers: readonly Register[]) => Register;
}

type Apply = (...registers: readonly Register[]) => Register;

const bitwise: LaneOps['integers'] = { and: v128.and, or: v128.or, xor: v128.xor };

const integers: Readonly<Record<LaneBytes, LaneOps['integers']>> = {
  1: { ...laneOps.i8.integers, ...bitwise },
  2: { ...laneOps.i16.integers, ...bitwise },
  4: { ...laneOps.words.integers, ...bitwise },
  8: { add: i64x2.add, sub: i64x2.sub, mul: i64x2.mul, ...bitwise },
};

/** Results that always fit: the others end the execution where they don't, number by number. */
const { minS, maxS, minU, maxU } = i32x4;
const indices: LaneOps['integers'] = { ...bitwise, minS, maxS, minU, maxU };

const comparisons: Readonly<Record<LaneBytes, Partial<Record<Comparison, Apply>>>> = {
  1: i8x16,
  2: i16x8,
  4: i32x4,
  8: i64x2,
};

const comparisonOf = ({ name, attributes: { predicate } }: Operation, type: Type): Apply | undefined => {
  const bytes = laneBytesOf(type);
  if (predicate?.kind !== 'integer' || bytes === undefined || isMask(type)) return undefined;
  const number = Number(predicate.value);
  if (name === 'arith.cmpf') return laneOps[bytes === 8 ? 'f64' : 'words'].comparisons[number];
  const comparison = integerPredicates[number];
  return comparison === undefined ? undefined : comparisons[bytes][comparison];
};

/** Of the operation on numbers, the one on registers; undefined if there is none. */
export const simdOperation = ({ f, registry }: Lowering, operation: Operation): SimdOperation | undefined => {
  const { name, operands, results } = operation;
  const type = operands.at(-1)?.type;
  const bytes = type && laneBytesOf(type);
  if (type === undefined || bytes === undefined) return undefined;
  const found = (apply: Apply | undefined): SimdOperation | undefined => apply && { bytes, apply };
  if (name === 'arith.cmpi' || name === 'arith.cmpf') return found(comparisonOf(operation, type));
  if (name === 'arith.select') return found((mask, a, b) => v128.bitselect(a, b, mask));
  if (operands.some((each) => laneBytesOf(each.type) !== bytes) || results.length !== 1) return undefined;
  const scalar = modelOf(registry, scalarOp, operation);
  if (scalar === undefined || scalar.kind === 'composed' || scalar.instruction === undefined)
    return undefined;
  if (scalar.kind === 'integers') {
    const table = type.kind === 'index' ? indices : isMask(type) ? bitwise : integers[bytes];
    return found(table[scalar.instruction]);
  }
  const apply = floatOps[bytes === 8 ? 'f64x2' : 'f32x4'][scalar.instruction] as Apply;
  const format = type.kind === 'float' ? type.name : '';
  return found(
    isHalf(format) && mayRound(scalar.instruction)
      ? (...registers) => roundedVector(f, format, apply(...registers))
      : apply,
  );
};

/** `arith.sitofp` and `arith.uitofp` of words to f32. */
export const wordsToFloats: Readonly<Record<string, (register: Register) => Register>> = {
  'arith.sitofp': f32x4.convertI32x4S,
  'arith.uitofp': f32x4.convertI32x4U,
};

const shifts: Readonly<
  Record<
    2 | 4 | 8,
    Readonly<Record<'shrS' | 'shrU', (a: Register, bits: ReturnType<typeof i32.const>) => Register>>
  >
> = {
  2: i16x8,
  4: i32x4,
  8: i64x2,
};

/** The upper `kept` bytes of each lane, moved down. */
export const shiftedDown = (
  register: Register,
  bytes: 2 | 4 | 8,
  kept: number,
  signedness: 'shrS' | 'shrU',
): Register => shifts[bytes][signedness](register, i32.const(8 * (bytes - kept)));
