/**
 * Elementwise operations on vectors: on whole registers where WebAssembly has an instruction, else by the operation's
 * lowering for numbers, element by element.
 */
import { elementTypeOf } from '@sconv/dialects';
import type { Operation, Type, Value } from '@sconv/ir';
import { arrangeLanes, maskIn } from './arrange-lanes.ts';
import type { Expr } from './instructions.ts';
import { v128 } from './instructions.ts';
import { heldWidth } from './integer-words.ts';
import type { LaneBytes, Lowering, VectorValue } from './lowering.ts';
import { bindScalar, scalarOf, unsupported, valueOf } from './lowering.ts';
import { scalarLowerings } from './scalar-ops.ts';
import type { Register } from './vector-value.ts';
import {
  bindVector,
  elementAt,
  heldNumber,
  isMask,
  kept,
  laneBytesOf,
  registerCount,
  registersOf,
  splatOf,
  vectorTypeOf,
} from './vector-value.ts';
import type { SimdOperation } from './vector-simd.ts';
import { shiftedDown, simdOperation, wordsToFloats } from './vector-simd.ts';
import type { WasmLowering } from './wasm-lowering.ts';

/** What an elementwise operation computes with: a vector, or a number that stands for all its elements. */
export interface Elements {
  /** Of an element. */
  readonly type: Type;
  readonly value: VectorValue | Expr;
}

/** An operation on numbers: the name and attributes of one on vectors, and values that no other operation has. */
const onNumbers = (
  operation: Operation,
  name: string,
  operandTypes: readonly Type[],
  resultTypes: readonly Type[],
): Operation => {
  const values = (types: readonly Type[], first: number): readonly Value[] =>
    types.map((type, i) => ({ id: first - i, type }));
  const own = operation.name === name ? operation.attributes : {};
  return {
    ...operation,
    name,
    attributes: own,
    regions: [],
    operands: values(operandTypes, -1),
    results: values(resultTypes, -1 - operandTypes.length),
  };
};

/** Lowers an operation on numbers; returns its results. */
const computeNumbers = (
  state: Lowering,
  operation: Operation,
  numbers: readonly Expr[],
  lower: WasmLowering,
): readonly Expr[] => {
  operation.operands.forEach((value, i) => {
    if (value.type.kind === 'index') bindScalar(state, value, numbers[i]!);
    else state.values.set(value.id, { kind: 'scalar', expr: numbers[i]! });
  });
  lower(state, operation);
  return operation.results.map((result) => scalarOf(state, operation, result));
};

const isVector = (value: VectorValue | Expr): value is VectorValue => 'registers' in value;

const numberIn = ({ type, value }: Elements, position: number): Expr =>
  isVector(value) ? elementAt(value, type, position) : value;

/** The operand in lanes of these bytes, which its elements have unless it is a mask. */
const inLanes = (
  { f }: Lowering,
  { type, value }: Elements,
  count: number,
  bytes: LaneBytes,
): readonly Register[] => {
  if (isVector(value)) return (isMask(type) ? maskIn(value, count, bytes) : value).registers;
  const register = kept(f, splatOf(bytes, type, value));
  return Array.from({ length: registerCount(count, bytes) }, () => register);
};

/** Finds what computes an operation on numbers for whole registers; undefined if it is computed element by element. */
export type OnRegisters = (state: Lowering, operation: Operation) => SimdOperation | undefined;

/** Vectors of the operation's results on each element: by `lower`, which lowers it for numbers, or faster. */
export const computeElements = (
  state: Lowering,
  operation: Operation,
  name: string,
  operands: readonly Elements[],
  resultTypes: readonly Type[],
  count: number,
  lower: WasmLowering,
  onRegisters: OnRegisters = simdOperation,
): readonly VectorValue[] => {
  const numbers = onNumbers(
    operation,
    name,
    operands.map(({ type }) => type),
    resultTypes,
  );
  const converted = convertedElements(state, numbers, operands, count);
  if (converted !== undefined) return [converted];
  const simd = onRegisters(state, numbers);
  if (simd !== undefined) {
    const isOfMasks = operands.every(({ type }) => isMask(type)) && name !== 'arith.select';
    const first = operands.map(({ value }) => value).find(isVector);
    const bytes = isOfMasks && first !== undefined ? first.bytes : simd.bytes;
    const rows = operands.map((each) => inLanes(state, each, count, bytes));
    const registers = Array.from({ length: registerCount(count, bytes) }, (_, r) =>
      kept(state.f, simd.apply(...rows.map((row) => row[r]!))),
    );
    return [{ kind: 'vector', bytes, registers }];
  }
  const computed = Array.from({ length: count }, (_, i) =>
    computeNumbers(
      state,
      numbers,
      operands.map((each) => numberIn(each, i)),
      lower,
    ),
  );
  return resultTypes.map((type, r) => {
    const bytes = laneBytesOf(type) ?? unsupported(operation, 'this type');
    const all = registersOf(
      bytes,
      type,
      computed.map((results) => results[r]!),
    );
    return { kind: 'vector', bytes, registers: all.map((each) => kept(state.f, each)) };
  });
};

/** Integers extended or truncated, and words made floats, without taking elements apart; undefined for others. */
const convertedElements = (
  { f }: Lowering,
  { name, operands: [source], results: [result] }: Operation,
  [operand]: readonly Elements[],
  count: number,
): VectorValue | undefined => {
  if (source === undefined || result === undefined || operand === undefined || !isVector(operand.value))
    return undefined;
  const { value } = operand;
  const [from, to] = [source.type, result.type];
  const bytes = laneBytesOf(to);
  const vector = (registers: readonly Register[]): VectorValue => ({
    kind: 'vector',
    bytes: bytes!,
    registers: registers.map((each) => kept(f, each)),
  });
  const toFloats = wordsToFloats[name];
  if (toFloats !== undefined) {
    const isOfWords = heldWidth(from) === 32 && to.kind === 'float' && to.name === 'f32';
    return isOfWords ? vector(value.registers.map(toFloats)) : undefined;
  }
  if (bytes === undefined || from.kind !== 'integer' || to.kind !== 'integer' || isMask(to)) return undefined;
  const sources = Array.from({ length: count }, (_, position) => ({ vector: value, position }));
  if (name === 'arith.trunci') return vector(arrangeLanes(bytes, sources));
  if (name !== 'arith.extsi' && name !== 'arith.extui') return undefined;
  // Each lane has the bytes of the element again and again: shifted down, the upper ones become its sign or zeros.
  const repeated = arrangeLanes(bytes, sources);
  const isSigned = name === 'arith.extsi';
  if (isMask(from)) {
    const one = registersOf(bytes, to, [heldNumber(to, 1)])[0]!;
    return vector(isSigned ? repeated : repeated.map((register) => v128.and(register, one)));
  }
  if (bytes === 1) return undefined;
  return vector(
    repeated.map((register) => shiftedDown(register, bytes, value.bytes, isSigned ? 'shrS' : 'shrU')),
  );
};

/** The operand as elements. */
export const elementsOf = (state: Lowering, operation: Operation, value: Value): Elements => {
  const lowered = valueOf(state, operation, value);
  return {
    type: elementTypeOf(value.type),
    value: lowered.kind === 'vector' ? lowered : scalarOf(state, operation, value),
  };
};

/** The lowering of an operation of `arith` on numbers, by its name. */
export const scalarLoweringOf = (operation: Operation, name: string): WasmLowering =>
  scalarLowerings[name] ?? unsupported(operation, `'${name}'`);

/** The lowering of an elementwise operation on numbers, on vectors too. */
export const elementwise =
  (lower: WasmLowering, onRegisters?: OnRegisters): WasmLowering =>
  (state, operation) => {
    const [result] = operation.results;
    if (result?.type.kind !== 'vector') {
      lower(state, operation);
      return;
    }
    const { count } = vectorTypeOf(operation, result);
    for (const each of [...operation.operands, ...operation.results])
      if (each.type.kind === 'vector') vectorTypeOf(operation, each);
    const computed = computeElements(
      state,
      operation,
      operation.name,
      operation.operands.map((value) => elementsOf(state, operation, value)),
      operation.results.map(({ type }) => elementTypeOf(type)),
      count,
      lower,
      onRegisters,
    );
    operation.results.forEach((each, i) => {
      const { bytes, registers } = computed[i]!;
      bindVector(state, each, bytes, registers);
    });
  };
