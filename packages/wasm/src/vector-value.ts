/** Vectors of the IR in registers: how elements of each type are held in lanes, and taken from or put into them. */
import type { Operation, Type, Value, VectorType } from '@sconv/ir';
import { elementCount, printType } from '@sconv/ir';
import type { FunctionBuilder } from './encoder.ts';
import { isHalf } from './half-floats.ts';
import type { Expr } from './instructions.ts';
import { f32, f32x4, f64, f64x2, i16x8, i32, i32x4, i64, i64x2, i8x16, typed, v128 } from './instructions.ts';
import type { LaneBytes, Lowering, VectorValue } from './lowering.ts';
import { bindScalar, indexCode, unsupported, valueOf } from './lowering.ts';

export type Register = Expr<'v128'>;

const registerBytes = 16;

/** Elements of the largest vector: its code takes about as many instructions. */
export const maximumElements = 4096;

/** Parts of a vector that a position known at run time may choose from, each by an instruction for each register. */
export const maximumChoices = 256;

/** Access to the lanes of a register; numbers are held as in locals. */
interface Lanes {
  readonly splat: (value: Expr) => Register;
  readonly extract: (register: Register, lane: number) => Expr;
  readonly replace: (register: Register, lane: number, value: Expr) => Register;
}

const integerLanes: Readonly<Record<LaneBytes, Lanes>> = {
  1: {
    splat: (value) => i8x16.splat(typed(value, 'i32')),
    extract: i8x16.extractLaneS,
    replace: (register, lane, value) => i8x16.replaceLane(register, lane, typed(value, 'i32')),
  },
  2: {
    splat: (value) => i16x8.splat(typed(value, 'i32')),
    extract: i16x8.extractLaneS,
    replace: (register, lane, value) => i16x8.replaceLane(register, lane, typed(value, 'i32')),
  },
  4: {
    splat: (value) => i32x4.splat(typed(value, 'i32')),
    extract: i32x4.extractLane,
    replace: (register, lane, value) => i32x4.replaceLane(register, lane, typed(value, 'i32')),
  },
  8: {
    splat: (value) => i64x2.splat(typed(value, 'i64')),
    extract: i64x2.extractLane,
    replace: (register, lane, value) => i64x2.replaceLane(register, lane, typed(value, 'i64')),
  },
};

const floatLanes: Readonly<Record<4 | 8, Lanes>> = {
  4: {
    splat: (value) => f32x4.splat(typed(value, 'f32')),
    extract: f32x4.extractLane,
    replace: (register, lane, value) => f32x4.replaceLane(register, lane, typed(value, 'f32')),
  },
  8: {
    splat: (value) => f64x2.splat(typed(value, 'f64')),
    extract: f64x2.extractLane,
    replace: (register, lane, value) => f64x2.replaceLane(register, lane, typed(value, 'f64')),
  },
};

/** Lanes of masks: a set one has all bits. */
const maskLanes = (bytes: LaneBytes): Lanes => {
  const { splat, replace } = integerLanes[bytes];
  const spread = (value: Expr): Expr => {
    const all = i32.sub(i32.const(0), typed(value, 'i32'));
    return bytes === 8 ? i64.extendI32S(all) : all;
  };
  return {
    splat: (value) => splat(spread(value)),
    extract: (register, lane) => i32.and(i8x16.extractLaneS(register, lane * bytes), i32.const(1)),
    replace: (register, lane, value) => replace(register, lane, spread(value)),
  };
};

/** Whether elements are held as masks. */
export const isMask = (type: Type): boolean => type.kind === 'integer' && type.width === 1;

/** Bytes of an element in a lane: those of f16 and bf16 are held as f32, and of masks as bytes. */
export const laneBytesOf = (type: Type): LaneBytes | undefined => {
  switch (type.kind) {
    case 'index':
      return 4;
    case 'integer':
      return ({ 1: 1, 8: 1, 16: 2, 32: 4, 64: 8 } as const)[type.width];
    case 'float':
      if (type.name === 'f64') return 8;
      return type.name === 'f32' || isHalf(type.name) ? 4 : undefined;
    default:
      return undefined;
  }
};

const lanesOf = (type: Type, bytes: LaneBytes): Lanes => {
  if (isMask(type)) return maskLanes(bytes);
  return type.kind === 'float' ? floatLanes[bytes === 8 ? 8 : 4] : integerLanes[bytes];
};

/** Elements in a register. */
export const laneCount = (bytes: LaneBytes): number => registerBytes / bytes;

export const registerCount = (elements: number, bytes: LaneBytes): number =>
  Math.ceil(elements / laneCount(bytes));

/** The type of a vector that can be held; fails otherwise. */
export const vectorTypeOf = (
  operation: Operation,
  { type }: Pick<Value, 'type'>,
): { readonly type: VectorType; readonly count: number; readonly bytes: LaneBytes } => {
  if (type.kind !== 'vector') return unsupported(operation, `a value of type ${printType(type)}`);
  if (type.scalable.includes(true)) return unsupported(operation, 'a scalable vector');
  const bytes = laneBytesOf(type.elementType);
  if (bytes === undefined) return unsupported(operation, `a vector of ${printType(type.elementType)}`);
  const count = elementCount(type.shape);
  if (count <= maximumElements) return { type, count, bytes };
  return unsupported(
    operation,
    `a vector of ${count} elements`,
    `: tile what makes it, for vectors of at most ${maximumElements}`,
  );
};

/** A value as a vector. */
export const vectorOf = (state: Lowering, operation: Operation, value: Value): VectorValue => {
  const lowered = valueOf(state, operation, value);
  return lowered.kind === 'vector' ? lowered : unsupported(operation, 'an operand that is no vector');
};

/** Whether code only gets a local, which need not be put into another one. */
const isLocal = ({ code }: Expr): boolean => code.length === 2 && code[0] === 0x20;

/** The value in a local. */
export const kept = (f: FunctionBuilder, register: Register): Register =>
  isLocal(register) ? register : f.get(f.let(register));

/** Binds a result to registers, computed once. */
export const bindVector = (
  state: Lowering,
  result: Value,
  bytes: LaneBytes,
  registers: readonly Register[],
): void => {
  state.values.set(result.id, {
    kind: 'vector',
    bytes,
    registers: registers.map((each) => kept(state.f, each)),
  });
};

/** An element as a number, held as in a local. */
export const elementAt = ({ bytes, registers }: VectorValue, type: Type, position: number): Expr => {
  const count = laneCount(bytes);
  return lanesOf(type, bytes).extract(registers[Math.floor(position / count)]!, position % count);
};

/** A register with a lane replaced by a number. */
export const withElement = (
  bytes: LaneBytes,
  type: Type,
  register: Register,
  lane: number,
  value: Expr,
): Register => lanesOf(type, bytes).replace(register, lane, value);

/** A number in all lanes. */
export const splatOf = (bytes: LaneBytes, type: Type, value: Expr): Register =>
  lanesOf(type, bytes).splat(value);

/** Registers of the numbers, one a lane. */
export const registersOf = (bytes: LaneBytes, type: Type, numbers: readonly Expr[]): readonly Register[] => {
  const lanes = lanesOf(type, bytes);
  const count = laneCount(bytes);
  return Array.from({ length: registerCount(numbers.length, bytes) }, (_, r) => {
    const [first, ...others] = numbers.slice(r * count, (r + 1) * count);
    return others.reduce<Register>(
      (register, number, i) => (number === first ? register : lanes.replace(register, i + 1, number)),
      lanes.splat(first!),
    );
  });
};

/** A value as the only number, or the number at a position of a vector. */
export const numberAt = (state: Lowering, operation: Operation, value: Value, position: number): Expr => {
  const lowered = valueOf(state, operation, value);
  switch (lowered.kind) {
    case 'vector':
      return elementAt(lowered, value.type.kind === 'vector' ? value.type.elementType : value.type, position);
    case 'index':
      return indexCode(state, operation, lowered.expr);
    case 'scalar':
      return lowered.expr;
    case 'buffer':
      return unsupported(operation, 'a buffer as a number');
  }
};

/** Binds a result that may be a single element: the first one of the registers. */
export const bindElements = (
  state: Lowering,
  result: Value,
  bytes: LaneBytes,
  registers: readonly Register[],
): void => {
  if (result.type.kind === 'vector') bindVector(state, result, bytes, registers);
  else bindScalar(state, result, elementAt({ kind: 'vector', bytes, registers }, result.type, 0));
};

/** Elements of a constant as they are held, row by row of lanes. */
export const constantRegisters = (
  bytes: LaneBytes,
  type: Type,
  values: readonly (number | bigint)[],
): readonly Register[] => {
  const data = new Uint8Array(registerCount(values.length, bytes) * registerBytes);
  const view = new DataView(data.buffer);
  values.forEach((value, i) => {
    const at = i * bytes;
    if (type.kind === 'float' && bytes === 8) view.setFloat64(at, Number(value), true);
    else if (type.kind === 'float') view.setFloat32(at, Number(value), true);
    else {
      const held = isMask(type) ? -BigInt.asUintN(1, BigInt(value)) : BigInt(value);
      for (let byte = 0; byte < bytes; byte++)
        view.setUint8(at + byte, Number(BigInt.asUintN(8, held >> BigInt(8 * byte))));
    }
  });
  return Array.from({ length: data.length / registerBytes }, (_, r) =>
    v128.const(data.slice(r * registerBytes, (r + 1) * registerBytes)),
  );
};

/** A number of a type, held: one that all types have. */
export const heldNumber = (type: Type, value: number | bigint): Expr => {
  if (type.kind === 'float') return (type.name === 'f64' ? f64 : f32).const(Number(value));
  return type.kind === 'integer' && type.width === 64 ? i64.const(BigInt(value)) : i32.const(Number(value));
};
