/** The same function on WebAssembly and in the interpreter. */
import { unwrap } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import type { Interpreter } from '@sconv/interpreter';
import { createInterpreter } from '@sconv/interpreter';
import { emitModule, instantiate } from '../src/index.ts';
import type { WasmInstance } from '../src/index.ts';
import { moduleOf } from './emit.ts';

/** A number of the IR: a bigint for i64. */
export type Scalar = number | bigint;

/** The results of a call, or the failure's code without the package's name. */
type Outcome = readonly unknown[] | string;

const outcomeOf = (result: Diagnosed<readonly unknown[]>): Outcome =>
  result.status === 'success' ? result.value : result.diagnostics[0]!.code.replace(/^\w+\//, '');

/** Both backends, ready to run the functions of a module. */
export interface Backends {
  readonly wasm: WasmInstance;
  readonly interpreter: Interpreter;
  /** What each makes of numbers. */
  readonly outcomes: (
    name: string,
    ...values: readonly Scalar[]
  ) => { readonly wasm: Outcome; readonly interpreter: Outcome };
}

export const backendsOf = (text: string): Backends => {
  const module = moduleOf(text);
  const wasm = instantiate(unwrap(emitModule(module)));
  const interpreter = createInterpreter(module);
  return {
    wasm,
    interpreter,
    outcomes: (name, ...values) => ({
      wasm: outcomeOf(wasm.call(name, ...values)),
      interpreter: outcomeOf(interpreter.run(name, values)),
    }),
  };
};

/** The calls on which the backends differ, as text; NaN equals NaN, and -0 is not 0. */
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

/** The interpreter has more bits for an index. */
const inIndex = (outcome: Outcome): Outcome =>
  typeof outcome === 'string' || outcome.every((value) => value === (Number(value) | 0))
    ? outcome
    : 'overflow';

const show = (outcome: Outcome): string =>
  typeof outcome === 'string'
    ? outcome
    : outcome.map((value) => (Object.is(value, -0) ? '-0' : String(value))).join(' ');

/** Every pair of two lists. */
export const pairs = <T>(first: readonly T[], second: readonly T[] = first): readonly (readonly [T, T])[] =>
  first.flatMap((a) => second.map((b) => [a, b] as const));

/** Integers of a width at and around its bounds, as both backends take them: i1 as 0 or 1, i64 as bigints. */
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

/** Floats with all that is special about them. */
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
