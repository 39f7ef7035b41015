/**
 * For testing passes: whether two modules compute the same. Calls every function in both on the same small integers, so
 * that sums are exact, and compares the outcomes with `===`.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, render } from '@sconv/diagnostics';
import type { Module, Operation, Type } from '@sconv/ir';
import { children, functionTypeOf, printType, symbolNameOf } from '@sconv/ir';
import type { Scalar } from './element.ts';
import type { ExternalFunction } from './func.ts';
import { randomIntegers } from './integer-data.ts';
import { interpret } from './interpreter.ts';
import { seededValue, zeroValue } from './seeded-value.ts';
import type { RuntimeValue } from './value.ts';
import { elementsOf, shapeOf } from './value.ts';

export { foreignDialect, foreignPayload } from './foreign-payload.ts';
export { genericPayload, operandOver } from './generic-payload.ts';
export type { GenericOperand, GenericSpec } from './generic-payload.ts';

/** The inputs of the functions. */
export interface ComparisonOptions {
  /** Seed of the arguments; default 1. */
  readonly seed?: number;
  /** Extent of each dynamic argument dimension; default 4. */
  readonly dynamicSize?: number;
}

/**
 * The first function of `expected` that `actual` lacks or for which it differs in results, final memref contents, or
 * the number of calls of body-less functions, which return zeros. Undefined if all are equal; an execution failure or a
 * NaN counts as a difference. Throws for arguments other than numbers, tensors and memrefs.
 */
export const firstDifference = (
  expected: Module,
  actual: Module,
  options: ComparisonOptions = {},
): string | undefined => {
  for (const operation of children(expected.root)) {
    const name = symbolNameOf(operation);
    if (operation.name !== 'func.func' || name === undefined || !hasBody(operation)) continue;
    const before = observe(expected, operation, name, options);
    if (before.status !== 'success') return `@${name} cannot be executed: ${reasonOf(before)}`;
    const after = observe(actual, operation, name, options);
    if (after.status !== 'success') return `@${name} cannot be executed any more: ${reasonOf(after)}`;
    const different = after.value.findIndex((value, i) => value !== before.value[i]);
    if (different >= 0 || after.value.length !== before.value.length) {
      return `@${name} gives ${after.value.join(' ')} instead of ${before.value.join(' ')}`;
    }
  }
  return undefined;
};

const hasBody = (operation: Operation): boolean => operation.regions[0]?.blocks[0] !== undefined;

const reasonOf = ({ diagnostics }: Diagnosed<unknown>): string =>
  diagnostics.map((diagnostic) => render(diagnostic)).join('\n');

/** The observable outcome of a call as a list: kinds, shapes and elements. NaN equals nothing, not even itself. */
const observe = (
  module: Module,
  signature: Operation,
  name: string,
  { seed = 1, dynamicSize = 4 }: ComparisonOptions,
): Diagnosed<readonly (Scalar | string)[]> => {
  const next = randomIntegers(seed);
  const { inputs = [] } = functionTypeOf(signature.attributes['function_type']) ?? {};
  const values = inputs.map((type) => expectValue(type, seededValue(type, next, { dynamicSize })));
  const calls = new Map<string, number>();
  const results = interpret(module, name, values, { externals: standIns(module, calls) });
  return mapSuccess(results, (returned) => [
    ...[
      ...returned,
      ...values.filter((value) => typeof value === 'object' && value.kind === 'memref'),
    ].flatMap(contents),
    ...[...calls].flatMap(([callee, count]) => [`@${callee}`, count]),
  ]);
};

const contents = (value: RuntimeValue): readonly (Scalar | string)[] => {
  if (typeof value !== 'object') return [value];
  const elements: readonly Scalar[] =
    value.kind === 'tensor' ? [...elementsOf(value)] : [...value.allocation.data];
  return [`${value.kind}<${shapeOf(value).join('x')}>`, ...elements];
};

/** Stubs for functions without a body: they count calls and return zeros. */
const standIns = (module: Module, calls: Map<string, number>): Readonly<Record<string, ExternalFunction>> => {
  const found: Record<string, ExternalFunction> = {};
  for (const operation of children(module.root)) {
    const name = symbolNameOf(operation);
    if (operation.name !== 'func.func' || name === undefined || hasBody(operation)) continue;
    const { results = [] } = functionTypeOf(operation.attributes['function_type']) ?? {};
    calls.set(name, 0);
    found[name] = () => {
      calls.set(name, calls.get(name)! + 1);
      return results.map((type) => expectValue(type, zeroValue(type)));
    };
  }
  return found;
};

const expectValue = (type: Type, value: RuntimeValue | undefined): RuntimeValue => {
  if (value === undefined) throw new Error(`no ${printType(type)} can be made up`);
  return value;
};
