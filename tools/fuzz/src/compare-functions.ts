/** Whether a pass preserves what functions compute: bit-identical results on arbitrary equal arguments. */
import { render } from '@sconv/diagnostics';
import type { RuntimeValue } from '@sconv/interpreter';
import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import type { Module, Type } from '@sconv/ir';
import { f32, f64, i32, i64 } from '@sconv/ir';
import type { DrawnFunction } from './draw-function.ts';
import type { DrawnType, ScalarName } from './function-writer.ts';
import type { Random } from './random.ts';

const numbers = [0, -0, 1, -1, 0.5, -2.5, 3, 1e10, Infinity, -Infinity, NaN];
const integers = [0, 1, 2, 3, -1, -2, -5, 7, 100, -100];

const scalarOf = (random: Random, type: ScalarName): number | bigint => {
  switch (type) {
    case 'f64':
      return random.pick(numbers);
    case 'f32':
      return Math.fround(random.pick(numbers));
    case 'i1':
      return random.integer(0, 1);
    case 'i64':
      return BigInt(random.pick([...integers, 2 ** 40]));
    case 'i32':
      return random.pick([...integers, 2 ** 31 - 1, -(2 ** 31)]);
    case 'i8':
      return random.pick([...integers, 127, -128]);
    default:
      return random.pick(integers);
  }
};

const elementTypes: Readonly<Record<string, Type>> = { f32, f64, i32, i64 };

const valueOf = (random: Random, type: DrawnType): RuntimeValue => {
  if (typeof type !== 'object') return scalarOf(random, type);
  const count = type.actual.reduce((product, size) => product * size, 1);
  const values = Array.from({ length: count }, () => scalarOf(random, type.element));
  const data =
    type.element === 'i64'
      ? BigInt64Array.from(values.map(BigInt))
      : type.element === 'f64'
        ? Float64Array.from(values.map(Number))
        : type.element === 'f32'
          ? Float32Array.from(values.map(Number))
          : Int32Array.from(values.map(Number));
  return tensor(type.actual, data, elementTypes[type.element]);
};

/** Arguments for a function. */
export const drawArguments = (random: Random, drawn: DrawnFunction): readonly RuntimeValue[] =>
  drawn.arguments.map((type) => valueOf(random, type));

/** The results of `@f` as a list, shapes included; undefined if it cannot be executed. */
export const outcomeOf = (
  module: Module,
  values: readonly RuntimeValue[],
): { readonly results: readonly unknown[] } | { readonly problem: string } => {
  const outcome = interpret(module, 'f', values);
  if (outcome.status !== 'success')
    return { problem: outcome.diagnostics.map((diagnostic) => render(diagnostic)).join('\n') };
  return {
    results: outcome.value.flatMap((value): readonly unknown[] =>
      typeof value === 'object' && value.kind === 'tensor'
        ? [value.shape.join('x'), ...elementsOf(value)]
        : [value],
    ),
  };
};

/** Whether two lists of results differ: NaN equals NaN, and -0 differs from 0. */
export const differs = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length !== b.length || a.some((value, i) => !Object.is(value, b[i]));
