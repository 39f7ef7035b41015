/**
 * `math`: instructions where there are some, else functions of the module, each once and only where it is used. Those
 * of f32, f16 and bf16 are computed in f64 and rounded once.
 */
import type { Operation, Type } from '@sconv/ir';
import { exactSum, mathFunctions, singleFunctions } from '@sconv/kernels';
import type { FunctionRef, Local } from './encoder.ts';
import { isHalf, rounded, roundedVector } from './half-floats.ts';
import type { Expr } from './instructions.ts';
import { f32, f32x4, f64, f64x2, i32, i64, select, typed } from './instructions.ts';
import { held, heldWidth, unsignedValue } from './integer-words.ts';
import type { Lowering } from './lowering.ts';
import { bindScalar, indexFromWord, operandOf, resultOf, scalarOf, unsupported } from './lowering.ts';
import { numberFunctions, pairFunctions } from './math-angles.ts';
import { numberKit, registerKit, singleKit } from './math-kit.ts';
import { addReduction } from './reduce-angle.ts';
import type { SimdOperation } from './vector-simd.ts';
import type { WasmLowering } from './wasm-lowering.ts';
import { loweringsOf } from './wasm-lowering.ts';

// --- Functions of the module ---

/** The function of an operation on numbers of f64. */
const functionOfNumbers = (state: Lowering, name: string): FunctionRef | undefined => {
  const reduction = (): FunctionRef => state.sharedFunction('reduced angle', addReduction);
  const [smooth, one, two] = [mathFunctions[name], numberFunctions[name], pairFunctions[name]];
  if (two !== undefined) {
    return state.sharedFunction(`${name} of f64`, (builder) =>
      builder.function({ parameters: ['f64', 'f64'], results: ['f64'] }, (f, a, b) => {
        f.return(two(f, f.get(a), f.get(b)));
      }),
    );
  }
  if (smooth === undefined && one === undefined) return undefined;
  return state.sharedFunction(`${name} of f64`, (builder) =>
    builder.function({ parameters: ['f64'], results: ['f64'] }, (f, given) => {
      const x = f.get(given);
      f.return(one?.(f, x, reduction) ?? smooth!(numberKit(f), x));
    }),
  );
};

/** The function of an operation on registers of f64, or on those of f32, computed in f64. */
const functionOfRegisters = (
  state: Lowering,
  name: string,
  element: 'f32' | 'f64',
): FunctionRef | undefined => {
  const smooth = mathFunctions[name];
  if (smooth === undefined) return undefined;
  const signature = { parameters: ['v128'], results: ['v128'] } as const;
  const doubles = state.sharedFunction(`${name} of two f64`, (builder) =>
    builder.function(signature, (f, x) => {
      f.return(smooth(registerKit(f), f.get(x)));
    }),
  );
  if (element === 'f64') return doubles;
  return state.sharedFunction(`${name} of four f32`, (builder) =>
    builder.function(signature, (f, given) => {
      const x = f.get(given);
      const half = (lanes: Expr<'v128'>): Expr<'v128'> => {
        const [result] = f.call(doubles, f64x2.promoteLowF32x4(lanes)) as [Local<'v128'>];
        return f32x4.demoteF64x2(f.get(result));
      };
      f.return(f32x4.shuffle(half(x), half(f32x4.shuffle(x, x, [2, 3, 2, 3])), [0, 1, 4, 5]));
    }),
  );
};

/** Applies a function to each number of a register. */
const onRegister = (
  state: Lowering,
  name: string,
  element: 'f32' | 'f64',
): ((x: Expr<'v128'>) => Expr) | undefined => {
  const { f } = state;
  const single = element === 'f32' ? singleFunctions[name] : undefined;
  // In place: V8 keeps its coefficients out of loops, where a call would make them anew.
  if (single !== undefined) return (x) => single(singleKit(f), f.get(f.let(x)));
  const called = functionOfRegisters(state, name, element);
  return called && ((x) => f.get(f.call(called, x)[0]!));
};

/** The operation on whole registers; undefined if its function is one of numbers. */
export const mathOnRegisters = (
  state: Lowering,
  { name, operands: [operand] }: Operation,
): SimdOperation | undefined => {
  const type = operand?.type;
  if (type?.kind !== 'float') return undefined;
  const isDouble = type.name === 'f64';
  const apply = onRegister(state, name, isDouble ? 'f64' : 'f32');
  if (apply === undefined) return undefined;
  return {
    bytes: isDouble ? 8 : 4,
    apply: (x) => {
      const result = typed(apply(x), 'v128');
      return isHalf(type.name) ? roundedVector(state.f, type.name, result) : result;
    },
  };
};

/** A number of f64 as one of the type, as it is held. */
const asType = ({ f }: Lowering, type: Type, value: Expr<'f64'>): Expr => {
  if (type.kind !== 'float' || type.name === 'f64') return value;
  return isHalf(type.name) ? rounded(f, type.name, value) : f32.demoteF64(value);
};

const inDouble = (value: Expr): Expr<'f64'> =>
  value.type === 'f32' ? f64.promoteF32(typed(value, 'f32')) : typed(value, 'f64');

const floatsOf = (state: Lowering, operation: Operation): readonly Expr[] =>
  operation.operands.map((value) => {
    const number = scalarOf(state, operation, value);
    return number.type === 'f32' || number.type === 'f64' ? number : unsupported(operation, 'this type');
  });

const lowerFunction: WasmLowering = (state, operation) => {
  const [x] = floatsOf(state, operation);
  // As the elements of vectors are computed.
  if (x?.type === 'f32' && singleFunctions[operation.name] !== undefined) {
    const onRegisters = mathOnRegisters(state, operation)!;
    const four = typed(onRegisters.apply(f32x4.splat(typed(x, 'f32'))), 'v128');
    bindScalar(state, resultOf(operation), f32x4.extractLane(four, 0));
    return;
  }
  const called = functionOfNumbers(state, operation.name)!;
  const results = state.f.call(called, ...floatsOf(state, operation).map(inDouble));
  const result = resultOf(operation);
  bindScalar(state, result, asType(state, result.type, typed(state.f.get(results[0]!), 'f64')));
};

// --- Instructions ---

type OfFloats = <T extends 'f32' | 'f64'>(type: T, a: Expr<T>, b: Expr<T>) => Expr;

/** Ties away from zero: what is added is the greatest number below a half. */
const round: OfFloats = (type, a) =>
  type === 'f32'
    ? f32.trunc(f32.add(typed(a, 'f32'), f32.copysign(f32.const(0.5 - 2 ** -25), typed(a, 'f32'))))
    : f64.trunc(f64.add(typed(a, 'f64'), f64.copysign(f64.const(0.5 - 2 ** -54), typed(a, 'f64'))));

const copysign: OfFloats = (type, a, b) =>
  type === 'f32'
    ? f32.copysign(typed(a, 'f32'), typed(b, 'f32'))
    : f64.copysign(typed(a, 'f64'), typed(b, 'f64'));

/** Of a few instructions; ops that are one declare it. Results have the format of the operands. */
const fewInstructions: Readonly<Record<string, OfFloats>> = {
  'math.round': round,
  'math.copysign': copysign,
};

const lowerFewInstructions = (state: Lowering, operation: Operation, apply: OfFloats): void => {
  const [a, b = a] = floatsOf(state, operation);
  const value =
    a?.type === 'f64'
      ? apply('f64', a as Expr<'f64'>, b as Expr<'f64'>)
      : apply('f32', a as Expr<'f32'>, b as Expr<'f32'>);
  bindScalar(state, resultOf(operation), value);
};

/**
 * A product and a sum, rounded once. The product of f32 is exact in f64, and the sum made odd where it is not: rounded
 * again, it is as if rounded once.
 */
const lowerFma: WasmLowering = (state, operation) => {
  const result = resultOf(operation);
  const [a, b, c] = floatsOf(state, operation).map(inDouble) as [Expr<'f64'>, Expr<'f64'>, Expr<'f64'>];
  if (result.type.kind === 'float' && result.type.name === 'f64')
    return unsupported(
      operation,
      'a product and a sum of f64 that are rounded once',
      ': use arith.mulf and arith.addf',
    );
  const k = numberKit(state.f);
  const { high, low } = exactSum(k, k.keep(f64.mul(a, b)), c);
  const bits = i64.reinterpretF64(typed(high, 'f64'));
  // The number next to it on the side of what is left; an odd one stays.
  const isTowardsZero = i32.ne(
    f64.lt(f64.const(0), typed(low, 'f64')),
    f64.lt(f64.const(0), typed(high, 'f64')),
  );
  const odd = i64.or(i64.sub(bits, i64.extendI32U(isTowardsZero)), i64.const(1n));
  const isInexact = f64.lt(f64.const(0), f64.abs(typed(low, 'f64')));
  const sum = select(f64.reinterpretI64(odd), typed(high, 'f64'), isInexact);
  bindScalar(state, result, asType(state, result.type, sum));
};

// --- Integers ---

/** Of an integer of `width` bits, read without sign. */
type OfBits = (bits: Expr, width: number) => Expr;

const on =
  (name: 'clz' | 'ctz' | 'popcnt') =>
  (bits: Expr): Expr =>
    bits.type === 'i64' ? i64[name](typed(bits, 'i64')) : i32[name](typed(bits, 'i32'));

const counts: Readonly<Record<string, OfBits>> = {
  'math.ctpop': on('popcnt'),
  'math.ctlz': (bits, width) => {
    const zeros = on('clz')(bits);
    return zeros.type === 'i64' || width === 32 ? zeros : i32.sub(typed(zeros, 'i32'), i32.const(32 - width));
  },
  'math.cttz': (bits, width) =>
    on('ctz')(bits.type === 'i64' || width === 32 ? bits : i32.or(typed(bits, 'i32'), i32.const(2 ** width))),
};

/** An index stands for 64 bits. */
const integerOf = (
  state: Lowering,
  operation: Operation,
): { readonly value: Expr; readonly width: number } => {
  const operand = operandOf(operation, 0);
  const width = heldWidth(operand.type);
  const value = scalarOf(state, operation, operand);
  if (width === undefined || (value.type !== 'i32' && value.type !== 'i64'))
    return unsupported(operation, 'this type');
  return operand.type.kind === 'index'
    ? { value: i64.extendI32S(typed(value, 'i32')), width: 64 }
    : { value, width };
};

const bindInteger = (state: Lowering, operation: Operation, value: Expr, width: number): void => {
  const result = resultOf(operation);
  const inType = value.type === 'i64' ? value : held(typed(value, 'i32'), width);
  const isIndex = result.type.kind === 'index';
  bindScalar(state, result, isIndex ? indexFromWord(state, operation, typed(value, 'i64')) : inType);
};

const lowerCount = (state: Lowering, operation: Operation, count: OfBits): void => {
  const { value, width } = integerOf(state, operation);
  const bits = value.type === 'i64' ? value : unsignedValue(typed(value, 'i32'), width);
  bindInteger(state, operation, count(bits, width), width);
};

const lowerAbsolute: WasmLowering = (state, operation) => {
  const { value, width } = integerOf(state, operation);
  if (value.type === 'i64') {
    const wide = typed(value, 'i64');
    const zero = i64.const(0n);
    bindInteger(state, operation, select(i64.sub(zero, wide), wide, i64.ltS(wide, zero)), width);
    return;
  }
  const word = typed(value, 'i32');
  // A set bit of i1 is 1, and as a signed number -1.
  bindInteger(
    state,
    operation,
    select(i32.sub(i32.const(0), word), word, i32.ltS(word, i32.const(0))),
    width,
  );
};

/** By operation name, on numbers: what is no instruction. */
export const mathLowerings: Readonly<Record<string, WasmLowering>> = {
  ...loweringsOf(fewInstructions, lowerFewInstructions),
  ...loweringsOf(counts, lowerCount),
  ...loweringsOf({ ...mathFunctions, ...numberFunctions, ...pairFunctions }, lowerFunction),
  'math.fma': lowerFma,
  'math.absi': lowerAbsolute,
};
