/** Elementwise operations of arith and math on whole registers. */
import type { Operation, Type } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import type { FunctionBuilder } from './encoder.ts';
import { isHalf, roundedVector } from './half-floats.ts';
import { f32x4, f64x2, i16x8, i32, i32x4, i64x2, i8x16, v128 } from './instructions.ts';
import type { Comparison } from './integer-words.ts';
import { integerPredicates } from './integer-ops.ts';
import type { LaneBytes } from './lowering.ts';
import { exactOps, laneOps } from './vector-body.ts';
import type { Register } from './vector-value.ts';
import { isMask, laneBytesOf } from './vector-value.ts';

/** An operation on registers, whose operands and result have lanes of the same size. */
export interface SimdOperation {
  readonly bytes: LaneBytes;
  readonly apply: (...registers: readonly Register[]) => Register;
}

type Apply = (...registers: readonly Register[]) => Register;

/** A table's functions, which take as many registers as the operation has operands. */
type Table = Readonly<Record<string, (...registers: never[]) => Register>>;

const bitwise: Table = { 'arith.andi': v128.and, 'arith.ori': v128.or, 'arith.xori': v128.xor };

const floatMath = (vectors: typeof f32x4 | typeof f64x2): Table => ({
  'arith.negf': vectors.neg,
  'math.absf': vectors.abs,
  'math.ceil': vectors.ceil,
  'math.floor': vectors.floor,
  'math.trunc': vectors.trunc,
  'math.roundeven': vectors.nearest,
  'math.sqrt': vectors.sqrt,
});

const floats: Readonly<Record<4 | 8, Table>> = {
  4: { ...laneOps.words.floats, ...floatMath(f32x4) },
  8: { ...laneOps.f64.floats, ...floatMath(f64x2) },
};

const integers: Readonly<Record<LaneBytes, Table>> = {
  1: { ...laneOps.i8.integers, ...bitwise },
  2: { ...laneOps.i16.integers, ...bitwise },
  4: { ...laneOps.words.integers, ...bitwise },
  8: { 'arith.addi': i64x2.add, 'arith.subi': i64x2.sub, 'arith.muli': i64x2.mul, ...bitwise },
};

/** Results that always fit: the others end the execution where they don't, number by number. */
const indices: Table = {
  ...bitwise,
  'arith.minsi': i32x4.minS,
  'arith.maxsi': i32x4.maxS,
  'arith.minui': i32x4.minU,
  'arith.maxui': i32x4.maxU,
};

const comparisons: Readonly<Record<LaneBytes, Partial<Record<Comparison, Apply>>>> = {
  1: i8x16,
  2: i16x8,
  4: i32x4,
  8: i64x2,
};

/** Operations whose results need no rounding to f16 or bf16. */
const keepsFormat = (name: string): boolean =>
  exactOps.has(name) || !(name.startsWith('arith.') || name === 'math.sqrt') || name === 'arith.negf';

const comparisonOf = ({ name, attributes: { predicate } }: Operation, type: Type): Apply | undefined => {
  const bytes = laneBytesOf(type);
  if (predicate?.kind !== 'integer' || bytes === undefined || isMask(type)) return undefined;
  const number = Number(predicate.value);
  if (name === 'arith.cmpf') return laneOps[bytes === 8 ? 'f64' : 'words'].comparisons[number];
  const comparison = integerPredicates[number];
  return comparison === undefined ? undefined : comparisons[bytes][comparison];
};

const isIn = (table: Table, name: string): Apply | undefined =>
  Object.hasOwn(table, name) ? (table[name] as Apply) : undefined;

/** Of the operation on numbers, the one on registers; undefined if there is none. */
export const simdOperation = (f: FunctionBuilder, operation: Operation): SimdOperation | undefined => {
  const { name, operands, results } = operation;
  const type = operands.at(-1)?.type;
  const bytes = type && laneBytesOf(type);
  if (type === undefined || bytes === undefined) return undefined;
  const found = (apply: Apply | undefined): SimdOperation | undefined => apply && { bytes, apply };
  if (name === 'arith.cmpi' || name === 'arith.cmpf') return found(comparisonOf(operation, type));
  if (name === 'arith.select') return found((mask, a, b) => v128.bitselect(a, b, mask));
  if (operands.some((each) => laneBytesOf(each.type) !== bytes) || results.length !== 1) return undefined;
  if (type.kind === 'index')
    return found(results[0]!.type.kind === 'index' ? isIn(indices, name) : undefined);
  if (type.kind === 'integer') return found(isIn(isMask(type) ? bitwise : integers[bytes], name));
  if (type.kind !== 'float' || !typeEquals(results[0]!.type, type)) return undefined;
  const apply = isIn(floats[bytes === 8 ? 8 : 4], name);
  const format = type.name;
  if (apply === undefined || !isHalf(format) || keepsFormat(name)) return found(apply);
  return found((...registers) => roundedVector(f, format, apply(...registers)));
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
