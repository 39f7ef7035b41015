/** Runs MLIR text, for tests of operations. */
import { payloadDialects } from '@sconv/dialects';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { unwrap } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { createRegistry, parseModule } from '@sconv/ir';
import { elementsOf, interpret, tensor } from '../src/index.ts';
import type { InterpreterOptions, RuntimeValue, TensorValue } from '../src/index.ts';

const registry = createRegistry(payloadDialects);

export const parse = (text: string): Module =>
  unwrap(parseModule(text, { registry, fileName: 'test.mlir', allowUnregisteredDialects: true }));

/** The code and message of the failure of `@f` in a module that need not be valid. */
export const trapOf = (text: string, values: readonly RuntimeValue[] = []): readonly [string, string] => {
  const options = { registry, fileName: 'test.mlir', allowUnregisteredDialects: true, verify: false };
  const result = interpret(unwrap(parseModule(text, options)), 'f', values);
  const [diagnostic] = result.diagnostics;
  return [diagnostic?.code ?? result.status, diagnostic?.message ?? ''];
};

/** The elements are 0, 1, 2, … */
export const iota = (...shape: readonly number[]): TensorValue =>
  tensor(
    shape,
    Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
  );

/** The outcome of `@f`. */
export const runDiagnosed = (
  text: string,
  values: readonly RuntimeValue[] = [],
  options?: InterpreterOptions,
): Diagnosed<readonly RuntimeValue[]> => interpret(parse(text), 'f', values, options);

/** The results of `@f`: scalars as they are, tensors as `[shape, elements]`. */
export const run = (
  text: string,
  values: readonly RuntimeValue[] = [],
  options?: InterpreterOptions,
): unknown[] => unwrap(runDiagnosed(text, values, options)).map(plain);

const plain = (value: RuntimeValue): unknown => {
  if (typeof value !== 'object') return value;
  if (value.kind === 'tensor') return [[...value.shape], [...elementsOf(value)]];
  return { sizes: [...value.sizes], offset: value.offset, strides: [...value.strides] };
};

/** The only diagnostic of a definite failure. */
export const failure = (
  text: string,
  values: readonly RuntimeValue[] = [],
  options?: InterpreterOptions,
): Diagnostic => {
  const result = runDiagnosed(text, values, options);
  if (result.status !== 'definite') throw new Error(`expected a definite failure, but got ${result.status}`);
  const [diagnostic, ...others] = result.diagnostics;
  if (diagnostic === undefined || others.length > 0) throw new Error('expected exactly one diagnostic');
  return diagnostic;
};
