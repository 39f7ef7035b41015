/** Runs a function in WebAssembly and in the interpreter. */
import { unwrap } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import type { Interpreter, MemRefValue } from '@sconv/interpreter';
import { createInterpreter, memref } from '@sconv/interpreter';
import type { Module, Type } from '@sconv/ir';
import { bodyOf, functionTypeOf } from '@sconv/ir';
import { emitModule, instantiate } from '../src/index.ts';
import type { Elements } from '@sconv/backend';
import type { WasmInstance } from '../src/index.ts';
import { moduleOf, registry } from './emit.ts';

/** A number of the IR: a bigint for i64. */
export type Scalar = number | bigint;

/** The results of a call, or the failure's code without the package name. */
type Outcome = readonly unknown[] | string;

const outcomeOf = (result: Diagnosed<readonly unknown[]>): Outcome =>
  result.status === 'success' ? result.value : result.diagnostics[0]!.code.replace(/^\w+\//, '');

/** Both backends, ready to run the functions of a module. */
export interface Backends {
  readonly wasm: WasmInstance;
  readonly interpreter: Interpreter;
  readonly module: Module;
  /** The outcomes of both on numbers. */
  readonly outcomes: (
    name: string,
    ...values: readonly Scalar[]
  ) => { readonly wasm: Outcome; readonly interpreter: Outcome };
}

export const backendsOf = (text: string): Backends => {
  const module = moduleOf(text);
  const wasm = instantiate(unwrap(emitModule(module, { registry })));
  const interpreter = createInterpreter(module);
  return {
    wasm,
    interpreter,
    module,
    outcomes: (name, ...values) => ({
      wasm: outcomeOf(wasm.call(name, ...values)),
      interpreter: outcomeOf(interpreter.run(name, values)),
    }),
  };
};

/** The calls on which the backends differ, as text; NaN equals NaN, and -0 differs from 0. */
export const differences = (
  { outcomes }: Backends,
  name: string,
  calls: readonly (readonly Scalar[])[],
  resultType?: string,
): readonly string[] =>
  calls.flatMap((values) => {
    const { wasm, interpreter } = outcomes(name, ...values);
    const expected = resultType === 'index' ? inIndex(interpreter) : interpreter;
    if (show(wasm) === show(expected)) return [];
    return [`${name}(${values.join(', ')}): ${show(wasm)}, interpreted ${show(interpreter)}`];
  });

/** The interpreter's indices are wider. */
const inIndex = (outcome: Outcome): Outcome =>
  typeof outcome === 'string' || outcome.every((value) => value === (Number(value) | 0))
    ? outcome
    : 'overflow';

const show = (outcome: Outcome): string =>
  typeof outcome === 'string'
    ? outcome
    : outcome.map((value) => (Object.is(value, -0) ? '-0' : String(value))).join(' ');

/** A buffer of a type, with small integers divided by `divisor`. */
const filled = (
  type: Type,
  seed: number,
  divisor: number,
): { readonly onWasm: Elements; readonly interpreted: MemRefValue } => {
  if (type.kind !== 'memref') throw new Error('@f takes buffers');
  const { elementType, shape } = type;
  const count = shape.reduce((product, size) => product * size, 1);
  const numbers = Array.from({ length: count }, (_, i) => (((i * 7 + seed * 5) % 11) - 4) / divisor);
  const kept =
    elementType.kind === 'integer' && elementType.width === 1 ? numbers.map((n) => n & 1) : numbers;
  const onWasm = arrayFor(elementType, kept);
  // The interpreter holds indices as doubles.
  const data = elementType.kind === 'index' ? Float64Array.from(kept) : onWasm.slice();
  return { onWasm, interpreted: memref(shape, data, { elementType }) };
};

const arrayFor = (type: Type, numbers: readonly number[]): Elements => {
  if (type.kind === 'float') return (type.name === 'f32' ? Float32Array : Float64Array).from(numbers);
  if (type.kind !== 'integer') return Int32Array.from(numbers);
  if (type.width === 64) return BigInt64Array.from(numbers, BigInt);
  return (type.width === 32 ? Int32Array : type.width === 16 ? Int16Array : Int8Array).from(numbers);
};

/**
 * The buffers of `@f`, which returns nothing, after a run on each backend. Sums of their elements are exact unless a `divisor`
 * makes them fractions, whose sums depend on the order of the additions.
 */
export const buffersAfter = (
  text: string,
  divisor = 1,
): { readonly onWasm: readonly string[]; readonly interpreted: readonly string[] } => {
  const { wasm, interpreter, module } = backendsOf(text);
  const definition = bodyOf(module.root).operations.findLast(({ name }) => name === 'func.func');
  const { inputs = [] } = functionTypeOf(definition?.attributes['function_type']) ?? {};
  const buffers = inputs.map((type, i) => filled(type, i, divisor));
  wasm.run('f', ...buffers.map(({ onWasm }) => onWasm));
  unwrap(
    interpreter.run(
      'f',
      buffers.map(({ interpreted }) => interpreted),
    ),
  );
  return {
    onWasm: buffers.map(({ onWasm }) => onWasm.join()),
    interpreted: buffers.map(({ interpreted }) => interpreted.allocation.data.join()),
  };
};

/** The Cartesian product of two lists. */
export const pairs = <T>(first: readonly T[], second: readonly T[] = first): readonly (readonly [T, T])[] =>
  first.flatMap((a) => second.map((b) => [a, b] as const));

/** Integers at and around the bounds of a width, as both backends take them: i1 as 0 or 1, i64 as bigints. */
export const boundaryIntegers = (type: string): readonly Scalar[] => {
  if (type === 'i1') return [0, 1];
  if (type === 'index') return [0, 1, -1, 2, 7, -7, 31, 32, 64, 2 ** 31 - 1, -(2 ** 31), 65_536];
  const width = Number(type.slice(1));
  const half = 2n ** BigInt(width - 1);
  const near = [0n, 1n, -1n, 2n, -2n, 7n, -7n, BigInt(width - 1), BigInt(width)];
  const all = [...near, half - 1n, half - 2n, -half, 1n - half, half / 3n].map((value) =>
    BigInt.asIntN(width, value),
  );
  const distinct = [...new Set(all)];
  return width === 64 ? distinct : distinct.map(Number);
};

/** Floats including all special values. */
export const boundaryFloats: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  2 ** 24 + 2,
  1e30,
  -1e30,
  2 ** -149,
  NaN,
  Infinity,
  -Infinity,
].map(Math.fround);
