/** Programs that the interpreter executes, and how what other code leaves in memory is compared with that. */
import { arrayTypeOf, halfBits, halfValues } from '@sconv/backend';
import type { Artifact, BufferSignature, Elements } from '@sconv/backend';
import type { Diagnostic } from '@sconv/diagnostics';
import { render } from '@sconv/diagnostics';
import type { ElementArray, MemRefValue } from '@sconv/interpreter';
import { interpret, memref } from '@sconv/interpreter';
import type { Module, Type } from '@sconv/ir';
import {
  bf16,
  f16,
  f32,
  f64,
  i1,
  i32,
  i64,
  indexType,
  integerType,
  operationsIn,
  parseModule,
  verify,
} from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import { drawNative } from './draw-native.ts';
import type { Fault } from './fault.ts';
import type { NativeArgument, NativeElement, NativeProgram } from './native-writer.ts';
import { randomOf } from './random.ts';

const types: Readonly<Record<NativeElement, Type>> = {
  i1,
  i8: integerType(8),
  i16: integerType(16),
  i32,
  i64,
  index: indexType,
  f16,
  bf16,
  f32,
  f64,
};

type Numbers = readonly (number | bigint)[];

/** A program that the interpreter executes: what each argument holds afterwards. */
export interface Sample {
  readonly index: number;
  readonly program: NativeProgram;
  readonly module: Module;
  readonly expected: readonly Numbers[];
}

const emptyArray = (element: NativeElement, length: number): ElementArray => {
  switch (element) {
    case 'i1':
      return new Uint8Array(length);
    case 'i8':
      return new Int8Array(length);
    case 'i16':
      return new Int16Array(length);
    case 'i32':
      return new Int32Array(length);
    case 'i64':
      return new BigInt64Array(length);
    case 'f16':
    case 'bf16':
    case 'f32':
      return new Float32Array(length);
    default:
      return new Float64Array(length);
  }
};

/** An argument for the interpreter. */
const interpreted = ({ element, shape, values }: NativeArgument): MemRefValue => {
  const data = emptyArray(element, values.length);
  const rounded =
    element === 'f16' || element === 'bf16'
      ? halfValues(element, halfBits(element, values.map(Number)))
      : values;
  rounded.forEach((value, i) => {
    (data as Record<number, number | bigint>)[i] = element === 'index' ? Number(value) : value;
  });
  return memref(shape ?? [], data, { elementType: types[element] });
};

/** These numbers in an array for a parameter of compiled code. */
export const filledArray = (values: Numbers, signature: BufferSignature): Elements => {
  const array = new (arrayTypeOf(signature))(new ArrayBuffer(values.length * signature.elementBytes));
  values.forEach((value, i) => {
    (array as unknown as Record<number, number | bigint>)[i] =
      array instanceof BigInt64Array ? BigInt(value) : Number(value);
  });
  return array;
};

/** An argument for compiled code. */
const compiled = ({ element, values }: NativeArgument, signature: BufferSignature): Elements =>
  element === 'f16' || element === 'bf16'
    ? halfBits(element, values.map(Number))
    : filledArray(values, signature);

const plain = (element: NativeElement, data: ArrayLike<number | bigint>): Numbers =>
  Array.from(
    data instanceof Uint16Array && (element === 'f16' || element === 'bf16')
      ? halfValues(element, data)
      : data,
    (value) => (element === 'index' ? Number(value) : value),
  );

/** Whether a result may be so far from another. */
const isClose = (
  a: number | bigint,
  b: number | bigint,
  element: NativeElement,
  tolerance: number,
): boolean => {
  if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (tolerance === 0 || typeof a === 'bigint' || typeof b === 'bigint') return a === b && a !== 0;
  const unit = { f16: 2 ** -10, bf16: 2 ** -7, f32: 2 ** -23 }[element as string] ?? 2 ** -52;
  return Math.abs(a - b) <= tolerance * unit * Math.max(Math.abs(a), Math.abs(b), 2 ** -12);
};

/** The diagnostics as one text. */
export const rendered = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map((diagnostic) => render(diagnostic)).join('\n');

/**
 * What program `index` of a seed computes in the interpreter; a fault if it is invalid, undefined if it cannot be
 * executed.
 */
export const sampleOf = (seed: number, index: number): Sample | Fault | undefined => {
  const program = drawNative(randomOf(seed, index));
  const parsed = parseModule(program.text, { registry });
  const wrong = (message: string): Fault => ({ kind: 'payload', transform: undefined, message });
  if (parsed.status !== 'success') return wrong(rendered(parsed.diagnostics));
  const errors = verify(parsed.value, registry);
  if (errors.length > 0) return wrong(rendered(errors));
  const values = program.arguments.map(interpreted);
  const outcome = interpret(parsed.value, 'f', values);
  if (outcome.status !== 'success') {
    const [first] = outcome.diagnostics;
    // Divisions by zero, for example.
    if (first?.code !== 'interpreter/unsupported-op') return undefined;
    return wrong(rendered(outcome.diagnostics));
  }
  const expected = values.map(({ allocation: { data } }, i) => plain(program.arguments[i]!.element, data));
  return { index, program, module: parsed.value, expected };
};

/** How the memory differs after a call; undefined if it does not. */
export const difference = (
  artifact: Artifact,
  name: string,
  { program, expected }: Sample,
): string | undefined => {
  const signature = artifact.functions.find((each) => each.name === name)!;
  const values = program.arguments.map((each, i) =>
    compiled(each, signature.parameters[i] as BufferSignature),
  );
  artifact.run(name, ...values);
  for (const [i, { element }] of program.arguments.entries()) {
    const actual = plain(element, values[i]!);
    const at = actual.findIndex((value, k) => !isClose(value, expected[i]![k]!, element, program.tolerance));
    if (at >= 0) {
      return `element ${at} of argument ${i} is ${String(actual[at])}, and ${String(expected[i]![at])} in the interpreter`;
    }
  }
  return undefined;
};

/** Operations that programs have to make data and results of others. */
const plumbing = /^(builtin|func\.(func|return)|arith\.constant|memref\.(load|store|copy|cast))/;

/** The names of a program's operations. */
export const namesIn = ({ module }: Sample): readonly string[] =>
  operationsIn(module.root).map(({ name }) => name);

/** The operation that a program shows. */
export const operationOf = (sample: Sample): string =>
  [
    ...new Set(namesIn(sample).filter((name) => !plumbing.test(name) && !/transfer_(read|write)/.test(name))),
  ].join(' ') || [...new Set(namesIn(sample).filter((name) => !plumbing.test(name)))].join(' ');
