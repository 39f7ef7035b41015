/**
 * WebAssembly instructions as typed expressions: `f32x4.add(f32x4.mul(a, b), c)`. An expression is the code of its
 * operands followed by its opcode, as in the binary format; nothing is evaluated or reordered.
 */
import { signed, signed32, unsigned } from './leb128.ts';

/** The value types that the backend uses. */
export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** Code as a tree of bytes, flattened once when a function body is written; -1, -2 … are its locals 0, 1 … */
export type Code = readonly (number | Code)[];

/** Code that leaves one value on the stack. */
export interface Expr<T extends ValueType = ValueType> {
  readonly type: T;
  readonly code: Code;
}

export const expr = <T extends ValueType>(type: T, ...code: Code): Expr<T> => ({ type, code });

/** Asserts the type of an expression; throws if it differs. */
export const typed = <T extends ValueType>(value: Expr, type: T): Expr<T> => {
  if (value.type !== type) throw new Error(`expected ${type}, got ${value.type}`);
  return { type, code: value.code };
};

const binary =
  <A extends ValueType, R extends ValueType>(result: R, ...opcode: readonly number[]) =>
  (a: Expr<A>, b: Expr<A>): Expr<R> =>
    expr(result, a.code, b.code, opcode);

const unary =
  <A extends ValueType, R extends ValueType>(result: R, ...opcode: readonly number[]) =>
  (a: Expr<A>): Expr<R> =>
    expr(result, a.code, opcode);

/**
 * Alignment hint (log2 of bytes) and byte offset. The offset is added without wrapping, so the address must not be
 * negative.
 */
const memoryArgument = (alignment: number, offset: number): Code => [alignment, unsigned(offset)];

const load =
  <R extends ValueType>(result: R, alignment: number, ...opcode: readonly number[]) =>
  (address: Expr<'i32'>, offset = 0): Expr<R> =>
    expr(result, address.code, opcode, memoryArgument(alignment, offset));

/** A store is a statement: it leaves nothing on the stack. */
const store =
  <A extends ValueType>(_operand: A, alignment: number, ...opcode: readonly number[]) =>
  (address: Expr<'i32'>, value: Expr<A>, offset = 0): Code => [
    address.code,
    value.code,
    opcode,
    memoryArgument(alignment, offset),
  ];

/** The number that `f32.const` has made; undefined for other code. */
export const constantOfF32 = ({ type, code: [opcode, bytes] }: Expr): number | undefined => {
  if (type !== 'f32' || opcode !== 0x43 || !Array.isArray(bytes)) return undefined;
  return new DataView(Uint8Array.from(bytes as readonly number[]).buffer).getFloat32(0, true);
};

const floatBytes = (value: number, bytes: 4 | 8): number[] => {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 4) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return [...new Uint8Array(view.buffer)];
};

/** A prefixed opcode of the vector instructions. */
const simd = (opcode: number): number[] => [0xfd, ...unsigned(opcode)];

export const i32 = {
  const: (value: number): Expr<'i32'> => expr('i32', 0x41, signed32(value | 0)),
  load: load('i32', 2, 0x28),
  /** Sign-extended, like the 16 bits of `load16`. */
  load8: load('i32', 0, 0x2c),
  load16: load('i32', 1, 0x2e),
  load16U: load('i32', 1, 0x2f),
  store: store('i32', 2, 0x36),
  store8: store('i32', 0, 0x3a),
  store16: store('i32', 1, 0x3b),
  eqz: unary<'i32', 'i32'>('i32', 0x45),
  /** Counts of leading and trailing zeros, and of ones. */
  clz: unary<'i32', 'i32'>('i32', 0x67),
  ctz: unary<'i32', 'i32'>('i32', 0x68),
  popcnt: unary<'i32', 'i32'>('i32', 0x69),
  eq: binary<'i32', 'i32'>('i32', 0x46),
  ne: binary<'i32', 'i32'>('i32', 0x47),
  ltS: binary<'i32', 'i32'>('i32', 0x48),
  ltU: binary<'i32', 'i32'>('i32', 0x49),
  gtS: binary<'i32', 'i32'>('i32', 0x4a),
  gtU: binary<'i32', 'i32'>('i32', 0x4b),
  leS: binary<'i32', 'i32'>('i32', 0x4c),
  leU: binary<'i32', 'i32'>('i32', 0x4d),
  geS: binary<'i32', 'i32'>('i32', 0x4e),
  geU: binary<'i32', 'i32'>('i32', 0x4f),
  add: binary<'i32', 'i32'>('i32', 0x6a),
  sub: binary<'i32', 'i32'>('i32', 0x6b),
  mul: binary<'i32', 'i32'>('i32', 0x6c),
  divS: binary<'i32', 'i32'>('i32', 0x6d),
  divU: binary<'i32', 'i32'>('i32', 0x6e),
  remS: binary<'i32', 'i32'>('i32', 0x6f),
  remU: binary<'i32', 'i32'>('i32', 0x70),
  and: binary<'i32', 'i32'>('i32', 0x71),
  or: binary<'i32', 'i32'>('i32', 0x72),
  xor: binary<'i32', 'i32'>('i32', 0x73),
  shl: binary<'i32', 'i32'>('i32', 0x74),
  shrS: binary<'i32', 'i32'>('i32', 0x75),
  shrU: binary<'i32', 'i32'>('i32', 0x76),
  wrapI64: unary<'i64', 'i32'>('i32', 0xa7),
  truncF32S: unary<'f32', 'i32'>('i32', 0xa8),
  truncF32U: unary<'f32', 'i32'>('i32', 0xa9),
  truncF64S: unary<'f64', 'i32'>('i32', 0xaa),
  truncF64U: unary<'f64', 'i32'>('i32', 0xab),
  reinterpretF32: unary<'f32', 'i32'>('i32', 0xbc),
};

export const i64 = {
  const: (value: bigint): Expr<'i64'> => expr('i64', 0x42, signed(BigInt.asIntN(64, value))),
  load: load('i64', 3, 0x29),
  store: store('i64', 3, 0x37),
  eqz: unary<'i64', 'i32'>('i32', 0x50),
  clz: unary<'i64', 'i64'>('i64', 0x79),
  ctz: unary<'i64', 'i64'>('i64', 0x7a),
  popcnt: unary<'i64', 'i64'>('i64', 0x7b),
  eq: binary<'i64', 'i32'>('i32', 0x51),
  ne: binary<'i64', 'i32'>('i32', 0x52),
  ltS: binary<'i64', 'i32'>('i32', 0x53),
  ltU: binary<'i64', 'i32'>('i32', 0x54),
  gtS: binary<'i64', 'i32'>('i32', 0x55),
  gtU: binary<'i64', 'i32'>('i32', 0x56),
  leS: binary<'i64', 'i32'>('i32', 0x57),
  leU: binary<'i64', 'i32'>('i32', 0x58),
  geS: binary<'i64', 'i32'>('i32', 0x59),
  geU: binary<'i64', 'i32'>('i32', 0x5a),
  add: binary<'i64', 'i64'>('i64', 0x7c),
  sub: binary<'i64', 'i64'>('i64', 0x7d),
  mul: binary<'i64', 'i64'>('i64', 0x7e),
  divS: binary<'i64', 'i64'>('i64', 0x7f),
  divU: binary<'i64', 'i64'>('i64', 0x80),
  remS: binary<'i64', 'i64'>('i64', 0x81),
  remU: binary<'i64', 'i64'>('i64', 0x82),
  and: binary<'i64', 'i64'>('i64', 0x83),
  or: binary<'i64', 'i64'>('i64', 0x84),
  xor: binary<'i64', 'i64'>('i64', 0x85),
  shl: binary<'i64', 'i64'>('i64', 0x86),
  shrS: binary<'i64', 'i64'>('i64', 0x87),
  shrU: binary<'i64', 'i64'>('i64', 0x88),
  extendI32S: unary<'i32', 'i64'>('i64', 0xac),
  extendI32U: unary<'i32', 'i64'>('i64', 0xad),
  truncF32S: unary<'f32', 'i64'>('i64', 0xae),
  truncF32U: unary<'f32', 'i64'>('i64', 0xaf),
  truncF64S: unary<'f64', 'i64'>('i64', 0xb0),
  truncF64U: unary<'f64', 'i64'>('i64', 0xb1),
  reinterpretF64: unary<'f64', 'i64'>('i64', 0xbd),
};

export const f32 = {
  const: (value: number): Expr<'f32'> => expr('f32', 0x43, floatBytes(value, 4)),
  load: load('f32', 2, 0x2a),
  store: store('f32', 2, 0x38),
  eq: binary<'f32', 'i32'>('i32', 0x5b),
  ne: binary<'f32', 'i32'>('i32', 0x5c),
  lt: binary<'f32', 'i32'>('i32', 0x5d),
  gt: binary<'f32', 'i32'>('i32', 0x5e),
  le: binary<'f32', 'i32'>('i32', 0x5f),
  ge: binary<'f32', 'i32'>('i32', 0x60),
  abs: unary<'f32', 'f32'>('f32', 0x8b),
  neg: unary<'f32', 'f32'>('f32', 0x8c),
  ceil: unary<'f32', 'f32'>('f32', 0x8d),
  floor: unary<'f32', 'f32'>('f32', 0x8e),
  trunc: unary<'f32', 'f32'>('f32', 0x8f),
  /** To the nearest integer, ties to even. */
  nearest: unary<'f32', 'f32'>('f32', 0x90),
  sqrt: unary<'f32', 'f32'>('f32', 0x91),
  add: binary<'f32', 'f32'>('f32', 0x92),
  sub: binary<'f32', 'f32'>('f32', 0x93),
  mul: binary<'f32', 'f32'>('f32', 0x94),
  div: binary<'f32', 'f32'>('f32', 0x95),
  min: binary<'f32', 'f32'>('f32', 0x96),
  max: binary<'f32', 'f32'>('f32', 0x97),
  copysign: binary<'f32', 'f32'>('f32', 0x98),
  convertI32S: unary<'i32', 'f32'>('f32', 0xb2),
  convertI32U: unary<'i32', 'f32'>('f32', 0xb3),
  convertI64S: unary<'i64', 'f32'>('f32', 0xb4),
  convertI64U: unary<'i64', 'f32'>('f32', 0xb5),
  demoteF64: unary<'f64', 'f32'>('f32', 0xb6),
  reinterpretI32: unary<'i32', 'f32'>('f32', 0xbe),
};

export const f64 = {
  const: (value: number): Expr<'f64'> => expr('f64', 0x44, floatBytes(value, 8)),
  load: load('f64', 3, 0x2b),
  store: store('f64', 3, 0x39),
  eq: binary<'f64', 'i32'>('i32', 0x61),
  ne: binary<'f64', 'i32'>('i32', 0x62),
  lt: binary<'f64', 'i32'>('i32', 0x63),
  gt: binary<'f64', 'i32'>('i32', 0x64),
  le: binary<'f64', 'i32'>('i32', 0x65),
  ge: binary<'f64', 'i32'>('i32', 0x66),
  abs: unary<'f64', 'f64'>('f64', 0x99),
  neg: unary<'f64', 'f64'>('f64', 0x9a),
  ceil: unary<'f64', 'f64'>('f64', 0x9b),
  floor: unary<'f64', 'f64'>('f64', 0x9c),
  trunc: unary<'f64', 'f64'>('f64', 0x9d),
  nearest: unary<'f64', 'f64'>('f64', 0x9e),
  sqrt: unary<'f64', 'f64'>('f64', 0x9f),
  add: binary<'f64', 'f64'>('f64', 0xa0),
  sub: binary<'f64', 'f64'>('f64', 0xa1),
  mul: binary<'f64', 'f64'>('f64', 0xa2),
  div: binary<'f64', 'f64'>('f64', 0xa3),
  min: binary<'f64', 'f64'>('f64', 0xa4),
  max: binary<'f64', 'f64'>('f64', 0xa5),
  convertI32S: unary<'i32', 'f64'>('f64', 0xb7),
  convertI32U: unary<'i32', 'f64'>('f64', 0xb8),
  convertI64S: unary<'i64', 'f64'>('f64', 0xb9),
  convertI64U: unary<'i64', 'f64'>('f64', 0xba),
  copysign: binary<'f64', 'f64'>('f64', 0xa6),
  promoteF32: unary<'f32', 'f64'>('f64', 0xbb),
  reinterpretI64: unary<'i64', 'f64'>('f64', 0xbf),
};

const checkLane = (lane: number, count: number): number => {
  if (!Number.isInteger(lane) || lane < 0 || lane >= count) throw new RangeError(`there is no lane ${lane}`);
  return lane;
};

/** Refuses what is no byte of two vectors. */
const checkByte = (byte: number): number => checkLane(byte, 32);

/** Stores one of `count` lanes. */
const storeLane =
  (alignment: number, count: number, opcode: number) =>
  (address: Expr<'i32'>, value: Expr<'v128'>, lane: number, offset = 0): Code => [
    address.code,
    value.code,
    simd(opcode),
    memoryArgument(alignment, offset),
    checkLane(lane, count),
  ];

/** `vector` with one of `count` lanes replaced from memory. */
const loadLane =
  (alignment: number, count: number, opcode: number) =>
  (address: Expr<'i32'>, vector: Expr<'v128'>, lane: number, offset = 0): Expr<'v128'> =>
    expr(
      'v128',
      address.code,
      vector.code,
      simd(opcode),
      memoryArgument(alignment, offset),
      checkLane(lane, count),
    );

/** One of `count` lanes, as a number. */
const extractLane =
  <R extends ValueType>(result: R, count: number, opcode: number) =>
  (vector: Expr<'v128'>, lane: number): Expr<R> =>
    expr(result, vector.code, simd(opcode), checkLane(lane, count));

/** `vector` with one of `count` lanes replaced. */
const replaceLane =
  <A extends ValueType>(_value: A, count: number, opcode: number) =>
  (vector: Expr<'v128'>, lane: number, value: Expr<A>): Expr<'v128'> =>
    expr('v128', vector.code, value.code, simd(opcode), checkLane(lane, count));

/** All lanes shifted by the same number of bits, modulo those of a lane. */
const shift =
  (opcode: number) =>
  (a: Expr<'v128'>, bits: Expr<'i32'>): Expr<'v128'> =>
    expr('v128', a.code, bits.code, simd(opcode));

const vectorBinary = (opcode: number) => binary<'v128', 'v128'>('v128', ...simd(opcode));
const vectorUnary = (opcode: number) => unary<'v128', 'v128'>('v128', ...simd(opcode));

export const v128 = {
  /** A vector of these sixteen bytes. */
  const: (bytes: Uint8Array): Expr<'v128'> => {
    if (bytes.length !== 16) throw new RangeError(`${bytes.length} bytes are no vector`);
    return expr('v128', simd(0x0c), [...bytes]);
  },
  load: load('v128', 2, ...simd(0x00)),
  /** Four elements of 16 bits, each extended to 32. */
  load16x4S: load('v128', 1, ...simd(0x03)),
  load16x4U: load('v128', 1, ...simd(0x04)),
  load8Splat: load('v128', 0, ...simd(0x07)),
  load16Splat: load('v128', 1, ...simd(0x08)),
  load32Splat: load('v128', 2, ...simd(0x09)),
  load64Splat: load('v128', 3, ...simd(0x0a)),
  /** Loads the lowest 32 bits; the rest is 0. */
  load32Zero: load('v128', 2, ...simd(0x5c)),
  /** Loads the lowest 64 bits; the rest is 0. */
  load64Zero: load('v128', 2, ...simd(0x5d)),
  /** `vector` with one lane replaced from memory. */
  load8Lane: loadLane(0, 16, 0x54),
  load16Lane: loadLane(1, 8, 0x55),
  load32Lane: loadLane(2, 4, 0x56),
  load64Lane: loadLane(3, 2, 0x57),
  store: store('v128', 2, ...simd(0x0b)),
  store8Lane: storeLane(0, 16, 0x58),
  store16Lane: storeLane(1, 8, 0x59),
  store32Lane: storeLane(2, 4, 0x5a),
  store64Lane: storeLane(2, 2, 0x5b),
  not: unary<'v128', 'v128'>('v128', ...simd(0x4d)),
  and: binary<'v128', 'v128'>('v128', ...simd(0x4e)),
  or: binary<'v128', 'v128'>('v128', ...simd(0x50)),
  xor: vectorBinary(0x51),
  /** Whether any bit is set. */
  anyTrue: unary<'v128', 'i32'>('i32', ...simd(0x53)),
  /** The bits of `a` where `mask` has ones, else those of `b`. */
  bitselect: (a: Expr<'v128'>, b: Expr<'v128'>, mask: Expr<'v128'>): Expr<'v128'> =>
    expr('v128', a.code, b.code, mask.code, simd(0x52)),
};

/** Comparisons of integers in lanes, which have consecutive opcodes; they give lanes of ones or of zeros. */
const integerComparisons = (eq: number) => ({
  eq: vectorBinary(eq),
  ne: vectorBinary(eq + 1),
  ltS: vectorBinary(eq + 2),
  ltU: vectorBinary(eq + 3),
  gtS: vectorBinary(eq + 4),
  gtU: vectorBinary(eq + 5),
  leS: vectorBinary(eq + 6),
  leU: vectorBinary(eq + 7),
  geS: vectorBinary(eq + 8),
  geU: vectorBinary(eq + 9),
});

/** Instructions on integers in lanes, which have consecutive opcodes. */
const integerLanes = (add: number, minS: number) => ({
  add: binary<'v128', 'v128'>('v128', ...simd(add)),
  sub: binary<'v128', 'v128'>('v128', ...simd(add + 3)),
  minS: binary<'v128', 'v128'>('v128', ...simd(minS)),
  minU: binary<'v128', 'v128'>('v128', ...simd(minS + 1)),
  maxS: binary<'v128', 'v128'>('v128', ...simd(minS + 2)),
  maxU: binary<'v128', 'v128'>('v128', ...simd(minS + 3)),
});

/** The bytes of a 32-bit lane. */
const bytesOfLane = (lane: number): readonly number[] => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3];

export const i8x16 = {
  splat: unary<'i32', 'v128'>('v128', ...simd(0x0f)),
  extractLaneS: extractLane('i32', 16, 0x15),
  replaceLane: replaceLane('i32', 16, 0x17),
  ...integerComparisons(0x23),
  ...integerLanes(0x6e, 0x76),
  /** Sixteen of the bytes of `a` (0 … 15) and `b` (16 … 31). */
  shuffle: (a: Expr<'v128'>, b: Expr<'v128'>, bytes: readonly number[]): Expr<'v128'> => {
    if (bytes.length !== 16) throw new RangeError(`${bytes.length} bytes are no vector`);
    return expr('v128', a.code, b.code, simd(0x0d), bytes.map(checkByte));
  },
};

export const i16x8 = {
  splat: unary<'i32', 'v128'>('v128', ...simd(0x10)),
  extractLaneS: extractLane('i32', 8, 0x18),
  replaceLane: replaceLane('i32', 8, 0x1a),
  ...integerComparisons(0x2d),
  ...integerLanes(0x8e, 0x96),
  mul: binary<'v128', 'v128'>('v128', ...simd(0x95)),
  shrS: shift(0x8c),
  shrU: shift(0x8d),
  /** The lower eight of sixteen elements of 8 bits, extended. */
  extendLowI8x16S: unary<'v128', 'v128'>('v128', ...simd(0x87)),
};

export const i32x4 = {
  splat: unary<'i32', 'v128'>('v128', ...simd(0x11)),
  /** The lower four of eight elements of 16 bits, extended. */
  extendLowI16x8S: unary<'v128', 'v128'>('v128', ...simd(0xa7)),
  extendLowI16x8U: vectorUnary(0xa9),
  extendHighI16x8U: vectorUnary(0xaa),
  shl: shift(0xab),
  shrS: shift(0xac),
  shrU: shift(0xad),
  ...integerComparisons(0x37),
  extractLane: extractLane('i32', 4, 0x1b),
  ...integerLanes(0xae, 0xb6),
  mul: binary<'v128', 'v128'>('v128', ...simd(0xb5)),
  replaceLane: replaceLane('i32', 4, 0x1c),
  /** Sums of two products each, of pairs of signed 16 bits. */
  dotI16x8S: binary<'v128', 'v128'>('v128', ...simd(0xba)),
};

export const i64x2 = {
  splat: unary<'i64', 'v128'>('v128', ...simd(0x12)),
  extractLane: extractLane('i64', 2, 0x1d),
  replaceLane: replaceLane('i64', 2, 0x1e),
  shl: shift(0xcb),
  shrS: shift(0xcc),
  shrU: shift(0xcd),
  add: vectorBinary(0xce),
  sub: vectorBinary(0xd1),
  mul: vectorBinary(0xd5),
  /** There are no unsigned ones. */
  eq: vectorBinary(0xd6),
  ne: vectorBinary(0xd7),
  ltS: vectorBinary(0xd8),
  gtS: vectorBinary(0xd9),
  leS: vectorBinary(0xda),
  geS: vectorBinary(0xdb),
};

/** Instructions on floats in lanes, which have consecutive opcodes. */
const floatLanes = (neg: number, eq: number) => ({
  abs: vectorUnary(neg - 1),
  sqrt: vectorUnary(neg + 2),
  neg: unary<'v128', 'v128'>('v128', ...simd(neg)),
  add: binary<'v128', 'v128'>('v128', ...simd(neg + 3)),
  sub: binary<'v128', 'v128'>('v128', ...simd(neg + 4)),
  mul: binary<'v128', 'v128'>('v128', ...simd(neg + 5)),
  div: binary<'v128', 'v128'>('v128', ...simd(neg + 6)),
  min: binary<'v128', 'v128'>('v128', ...simd(neg + 7)),
  max: binary<'v128', 'v128'>('v128', ...simd(neg + 8)),
  /** `b < a ? b : a` and `a < b ? b : a`: one instruction of most machines, unlike `min` and `max`. */
  pmin: binary<'v128', 'v128'>('v128', ...simd(neg + 9)),
  pmax: binary<'v128', 'v128'>('v128', ...simd(neg + 10)),
  /** Comparisons give lanes of ones or of zeros. */
  eq: binary<'v128', 'v128'>('v128', ...simd(eq)),
  ne: binary<'v128', 'v128'>('v128', ...simd(eq + 1)),
  lt: binary<'v128', 'v128'>('v128', ...simd(eq + 2)),
  gt: binary<'v128', 'v128'>('v128', ...simd(eq + 3)),
  le: binary<'v128', 'v128'>('v128', ...simd(eq + 4)),
  ge: binary<'v128', 'v128'>('v128', ...simd(eq + 5)),
});

export const f32x4 = {
  convertI32x4S: unary<'v128', 'v128'>('v128', ...simd(0xfa)),
  convertI32x4U: vectorUnary(0xfb),
  splat: unary<'f32', 'v128'>('v128', ...simd(0x13)),
  extractLane: extractLane('f32', 4, 0x1f),
  replaceLane: replaceLane('f32', 4, 0x20),
  ceil: vectorUnary(0x67),
  floor: vectorUnary(0x68),
  trunc: vectorUnary(0x69),
  nearest: vectorUnary(0x6a),
  /** The two numbers of a vector of f64 rounded; the upper two are 0. */
  demoteF64x2: vectorUnary(0x5e),
  ...floatLanes(0xe1, 0x41),
  /** `a * b + c` in relaxed SIMD: fused or not, depending on the machine. */
  relaxedMadd: (a: Expr<'v128'>, b: Expr<'v128'>, c: Expr<'v128'>): Expr<'v128'> =>
    expr('v128', a.code, b.code, c.code, simd(0x105)),
  /** Four of the eight 32-bit lanes of `a` (0 … 3) and `b` (4 … 7). */
  shuffle: (
    a: Expr<'v128'>,
    b: Expr<'v128'>,
    lanes: readonly [number, number, number, number],
  ): Expr<'v128'> => i8x16.shuffle(a, b, lanes.flatMap(bytesOfLane)),
};

export const f64x2 = {
  splat: unary<'f64', 'v128'>('v128', ...simd(0x14)),
  extractLane: extractLane('f64', 2, 0x21),
  replaceLane: replaceLane('f64', 2, 0x22),
  ceil: vectorUnary(0x74),
  floor: vectorUnary(0x75),
  trunc: vectorUnary(0x7a),
  nearest: vectorUnary(0x94),
  /** The lower two of four numbers of f32. */
  promoteLowF32x4: vectorUnary(0x5f),
  ...floatLanes(0xed, 0x47),
  /** As `f32x4.relaxedMadd`. */
  relaxedMadd: (a: Expr<'v128'>, b: Expr<'v128'>, c: Expr<'v128'>): Expr<'v128'> =>
    expr('v128', a.code, b.code, c.code, simd(0x107)),
};

/** `condition ? a : b`, both evaluated. */
export const select = <T extends ValueType>(a: Expr<T>, b: Expr<T>, condition: Expr<'i32'>): Expr<T> =>
  expr(a.type, a.code, b.code, condition.code, 0x1b);

/** Traps. */
export const unreachable: Code = [0x00];

/** Copies bytes; the ranges may overlap. */
export const memoryCopy = (to: Expr<'i32'>, from: Expr<'i32'>, bytes: Expr<'i32'>): Code => [
  to.code,
  from.code,
  bytes.code,
  [0xfc, ...unsigned(10), 0x00, 0x00],
];
