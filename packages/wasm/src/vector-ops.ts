/** Operations of `vector` that make vectors, rearrange their elements, or take and replace parts of them. */
import { halfBits, halfValues } from '@sconv/backend';
import { elementTypeOf, mixedIndices } from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import type { ElementPosition } from '@sconv/dialects/vector';
import {
  constantMask,
  elementSources,
  extract,
  indicesOf,
  insert,
  rearrangingOps,
  vectorShape,
} from '@sconv/dialects/vector';
import type { Operation, Type, Value } from '@sconv/ir';
import { elementCount } from '@sconv/ir';
import { arrangeLanes } from './arrange-lanes.ts';
import { isHalf, narrowVector, widenVector } from './half-floats.ts';
import type { Expr } from './instructions.ts';
import { i32, i32x4, select, typed, v128 } from './instructions.ts';
import type { LaneBytes, Lowering, VectorElement, VectorValue } from './lowering.ts';
import { bindScalar, operandOf, resultOf, scalarOf, unsupported, valueOf } from './lowering.ts';
import { scalarLowerings } from './scalar-ops.ts';
import type { Register } from './vector-value.ts';
import {
  bindElements,
  bindVector,
  constantRegisters,
  elementAt,
  isMask,
  kept,
  maximumChoices,
  numberAt,
  registerCount,
  registersOf,
  splatOf,
  vectorOf,
  vectorTypeOf,
} from './vector-value.ts';
import type { WasmLowering } from './wasm-lowering.ts';

// --- Constants ---

/** `arith.constant` of a vector. */
export const lowerVectorConstant: WasmLowering = (state, operation) => {
  const result = resultOf(operation);
  if (result.type.kind !== 'vector') {
    scalarLowerings['arith.constant']!(state, operation);
    return;
  }
  const { type, count, bytes } = vectorTypeOf(operation, result);
  const { value } = operation.attributes;
  if (value?.kind !== 'dense-elements' || value.text !== undefined || value.values.some(isText))
    return unsupported(operation, 'a constant that is not written as numbers');
  const given = value.values as readonly (number | bigint)[];
  const { elementType } = type;
  const format = elementType.kind === 'float' && isHalf(elementType.name) ? elementType.name : undefined;
  const held = format === undefined ? given : halfValues(format, halfBits(format, given.map(Number)));
  const isSplat = held.length === 1;
  if (!isSplat && held.length !== count) return unsupported(operation, 'a constant of another size');
  // Lanes of bytes take fewest registers; most masks are used with words.
  const lanes = isMask(elementType) ? 4 : bytes;
  const all = Array.from({ length: isSplat ? 16 / lanes : count }, (_, i) => held[isSplat ? 0 : i]!);
  const made = constantRegisters(lanes, elementType, all).map((each) => kept(state.f, each));
  const registers = isSplat ? Array.from({ length: registerCount(count, lanes) }, () => made[0]!) : made;
  bindVector(state, result, lanes, registers);
};

const isText = (value: unknown): boolean => typeof value === 'string';

const lowerStep: WasmLowering = (state, operation) => {
  const result = resultOf(operation);
  const { type, count, bytes } = vectorTypeOf(operation, result);
  const numbers = Array.from({ length: count }, (_, i) => i);
  bindVector(state, result, bytes, constantRegisters(bytes, type.elementType, numbers));
};

// --- Masks ---

/** The elements that are below a bound in each dimension; a rank of 0 has one element, with a bound of 1. */
const lowerConstantMask: WasmLowering = (state, operation) => {
  const result = resultOf(operation);
  const { type } = vectorTypeOf(operation, result);
  const { maskDimSizes } = constantMask.attributes(operation);
  const shape = type.shape.length === 0 ? [1] : type.shape;
  const set = indicesOf(shape).map((index) => Number(index.every((at, d) => at < maskDimSizes[d]!)));
  bindVector(state, result, 4, constantRegisters(4, type.elementType, set));
};

const lowerCreateMask: WasmLowering = (state, operation) => {
  const result = resultOf(operation);
  const { type } = vectorTypeOf(operation, result);
  const indices = indicesOf(type.shape.length === 0 ? [1] : type.shape);
  const words: Type = { kind: 'index' };
  const below = operation.operands.map((bound, d) => {
    const limit = state.f.get(state.f.let(i32x4.splat(typed(scalarOf(state, operation, bound), 'i32'))));
    const at = constantRegisters(
      4,
      words,
      indices.map((index) => index[d]!),
    );
    return at.map((each) => i32x4.ltS(each, limit));
  });
  const [first, ...others] = below;
  if (first === undefined) return unsupported(operation, 'a mask without bounds');
  bindVector(
    state,
    result,
    4,
    first.map((each, r) => others.reduce((all, more) => v128.and(all, more[r]!), each)),
  );
};

// --- Rearrangements ---

/** The elements of a result, named by operand and position. */
const lowerRearrangement: WasmLowering = (state, operation) => {
  const sources = elementSources(checked(operation));
  operation.results.forEach((result, r) => {
    const { count, bytes } = vectorTypeOf(operation, result);
    const elements = sources[r]!;
    if (elements.length !== count) return unsupported(operation, 'a result of another size');
    const { lanes, registers } = rearranged(state, operation, elements, result, bytes);
    bindVector(state, result, lanes, registers);
  });
};

const rearranged = (
  state: Lowering,
  operation: Operation,
  elements: readonly ElementPosition[],
  result: Value,
  bytes: LaneBytes,
): { readonly lanes: LaneBytes; readonly registers: readonly Register[] } => {
  const elementType = elementTypeOf(result.type);
  const given = operation.operands.map((value) => valueOf(state, operation, value));
  const [first] = given;
  if (given.length === 1 && first?.kind !== 'vector') {
    const element = first?.kind === 'scalar' ? first.element : undefined;
    const places = element && elements.map(() => element);
    if (places !== undefined && !isMask(elementType))
      return { lanes: bytes, registers: arrangeLanes(bytes, places) };
    const number = scalarOf(state, operation, operandOf(operation, 0));
    const register = kept(state.f, splatOf(bytes, elementType, number));
    const length = registerCount(elements.length, bytes);
    return { lanes: bytes, registers: Array.from({ length }, () => register) };
  }
  const vectors = given.filter((each) => each.kind === 'vector');
  if (vectors.length < given.length) {
    const numbers = elements.map(([operand, position]) =>
      numberAt(state, operation, operation.operands[operand]!, position),
    );
    return { lanes: bytes, registers: registersOf(bytes, elementType, numbers) };
  }
  // Masks keep the lanes that they have.
  const lanes = isMask(elementType) ? vectors[0]!.bytes : bytes;
  const placed = elements.map(([operand, position]): VectorElement => ({
    vector: vectors[operand]!,
    position,
  }));
  return { lanes, registers: arrangeLanes(lanes, placed) };
};

/** The operation, all of whose vectors can be held. */
const checked = (operation: Operation): Operation => {
  for (const value of [...operation.operands, ...operation.results])
    if (value.type.kind === 'vector') vectorTypeOf(operation, value);
  return operation;
};

/** Bits as elements of another type: those of f16 and bf16 are held as floats of 32 bits. */
const lowerBitcast: WasmLowering = (state, operation) => {
  const [source, result] = [operandOf(operation, 0), resultOf(operation)];
  const [from, to] = [vectorTypeOf(operation, source), vectorTypeOf(operation, result)];
  const [fromType, toType] = [from.type.elementType, to.type.elementType];
  const isOther = (type: Type): boolean => isMask(type) || type.kind === 'index';
  if (isOther(fromType) || isOther(toType)) return unsupported(operation, 'the bits of masks or indices');
  const given = vectorOf(state, operation, source);
  const bits = inMemory(state, given, fromType, from.count);
  bindVector(state, result, to.bytes, fromMemory(state, bits, toType, to.count));
};

/** Registers of the elements as a memory holds them. */
const inMemory = (
  { f }: Lowering,
  { registers }: VectorValue,
  type: Type,
  count: number,
): readonly Register[] => {
  if (type.kind !== 'float' || !isHalf(type.name)) return registers;
  const format = type.name;
  const halves = registers.map((each) => kept(f, narrowVector(f, format, each)));
  const pairs = Array.from({ length: count }, (_, i) => ({
    vector: { kind: 'vector', bytes: 2, registers: halves } as const,
    // The lower half of each register has its four numbers.
    position: 8 * Math.floor(i / 4) + (i % 4),
  }));
  return arrangeLanes(2, pairs);
};

const fromMemory = (
  { f }: Lowering,
  registers: readonly Register[],
  type: Type,
  count: number,
): readonly Register[] => {
  if (type.kind !== 'float' || !isHalf(type.name)) return registers;
  const format = type.name;
  return Array.from({ length: registerCount(count, 4) }, (_, r) => {
    const half = registers[r >> 1]!;
    const extended = r % 2 === 0 ? i32x4.extendLowI16x8U(half) : i32x4.extendHighI16x8U(half);
    return widenVector(f, format, extended);
  });
};

// --- Parts ---

/** A position in the leading dimensions of a vector. */
const positionIn = (operation: Operation): readonly MixedIndex[] => {
  if (extract.is(operation)) {
    const { dynamicPosition } = extract.operands(operation);
    return mixedIndices(dynamicPosition, extract.attributes(operation).staticPosition);
  }
  if (insert.is(operation)) {
    const { dynamicPosition } = insert.operands(operation);
    return mixedIndices(dynamicPosition, insert.attributes(operation).staticPosition);
  }
  return operation.operands.slice(operation.name === 'vector.extractelement' ? 1 : 2);
};

/** A part that a position may name, and when it does: undefined for the only one. */
interface Part {
  /** The row-major position of its first element. */
  readonly start: number;
  readonly condition: Expr<'i32'> | undefined;
}

/** The parts of a vector that a position may name, which is outside in no valid execution. */
const partsAt = (
  state: Lowering,
  operation: Operation,
  shape: readonly number[],
  length: number,
): readonly Part[] => {
  const position = positionIn(operation);
  const numbers = position.map((each) => {
    if (typeof each === 'number') return each;
    const code = scalarOf(state, operation, each);
    return state.f.get(
      state.f.let(code.type === 'i64' ? i32.wrapI64(typed(code, 'i64')) : typed(code, 'i32')),
    );
  });
  const sizes = numbers.map((each, d) => (typeof each === 'number' ? 1 : shape[d]!));
  if (elementCount(sizes) > maximumChoices) {
    return unsupported(
      operation,
      `one of ${elementCount(sizes)} positions, known at run time only,`,
      `: take constant positions, or one of at most ${maximumChoices}`,
    );
  }
  return indicesOf(sizes).map((index) => {
    const whole = numbers.map((each, d) => (typeof each === 'number' ? each : index[d]!));
    const conditions = numbers.flatMap((each, d) =>
      typeof each === 'number' ? [] : [i32.eq(each, i32.const(index[d]!))],
    );
    const [first, ...others] = conditions;
    return {
      start: whole.reduce((sum, at, d) => sum * shape[d]! + at, 0) * length,
      condition: first && others.reduce((all, each) => i32.and(all, each), first),
    };
  });
};

const sourcesFrom = (vector: VectorValue, start: number, length: number): readonly VectorElement[] =>
  Array.from({ length }, (_, i) => ({ vector, position: start + i }));

const lowerExtract: WasmLowering = (state, operation) => {
  const [source, result] = [operandOf(operation, 0), resultOf(operation)];
  const { type } = vectorTypeOf(operation, source);
  const vector = vectorOf(state, operation, source);
  const length = elementCount(vectorShape(result.type));
  const { bytes } = vector;
  const parts = partsAt(state, operation, type.shape, length);
  const [only, ...more] = parts;
  if (only === undefined) return unsupported(operation, 'a part of an empty vector');
  if (result.type.kind !== 'vector' && more.length === 0) {
    const expr = state.f.get(state.f.let(elementAt(vector, result.type, only.start)));
    if (result.type.kind === 'index') bindScalar(state, result, expr);
    else state.values.set(result.id, { kind: 'scalar', expr, element: { vector, position: only.start } });
    return;
  }
  const [first, ...others] = parts.map(({ start }) =>
    arrangeLanes(bytes, sourcesFrom(vector, start, length)),
  );
  const chosen = others.reduce(
    (registers, other, i) =>
      registers.map((each, r) => kept(state.f, select(other[r]!, each, more[i]!.condition!))),
    first!,
  );
  bindElements(
    state,
    result,
    bytes,
    chosen.map((each) => kept(state.f, each)),
  );
};

const lowerInsert: WasmLowering = (state, operation) => {
  const [part, dest] = [operandOf(operation, 0), operandOf(operation, 1)];
  const result = resultOf(operation);
  const { type, count } = vectorTypeOf(operation, result);
  const whole = vectorOf(state, operation, dest);
  const { bytes } = whole;
  const length = elementCount(vectorShape(part.type));
  const inserted: VectorValue =
    part.type.kind === 'vector'
      ? vectorOf(state, operation, part)
      : {
          kind: 'vector',
          bytes,
          registers: [kept(state.f, splatOf(bytes, type.elementType, scalarOf(state, operation, part)))],
        };
  const parts = partsAt(state, operation, type.shape, length);
  const chosen = parts.reduce<readonly Register[]>((registers, { start, condition }) => {
    const vector: VectorValue = { kind: 'vector', bytes, registers };
    const replaced = arrangeLanes(
      bytes,
      Array.from({ length: count }, (_, i) =>
        i >= start && i < start + length
          ? { vector: inserted, position: i - start }
          : { vector, position: i },
      ),
    );
    return replaced.map((each, r) => {
      const old = registers[r]!;
      if (each === old) return old;
      return kept(state.f, condition === undefined ? each : select(each, old, condition));
    });
  }, whole.registers);
  bindVector(state, result, bytes, chosen);
};

/** By operation name. */
export const vectorOps: Readonly<Record<string, WasmLowering>> = {
  ...Object.fromEntries(rearrangingOps.map((name) => [name, lowerRearrangement])),
  'vector.step': lowerStep,
  'vector.constant_mask': lowerConstantMask,
  'vector.create_mask': lowerCreateMask,
  'vector.bitcast': lowerBitcast,
  'vector.extract': lowerExtract,
  'vector.extractelement': lowerExtract,
  'vector.insert': lowerInsert,
  'vector.insertelement': lowerInsert,
};
