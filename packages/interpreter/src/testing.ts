/**
 * For testing passes: whether two modules compute the same. Calls every function in both on the same small integers, so
 * that sums are exact, and compares the outcomes with `===`.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, render } from '@sconv/diagnostics';
import type { Module, Operation, Type } from '@sconv/ir';
import { children, DYNAMIC, functionTypeOf, printType, symbolNameOf } from '@sconv/ir';
import type { Scalar } from './element.ts';
import { elementKind, isNumberType, setElement } from './element.ts';
import type { ExternalFunction } from './func.ts';
import { randomIntegers } from './integer-data.ts';
import { interpret } from './interpreter.ts';
import type { RuntimeValue } from './value.ts';
import { elementsOf, memref, shapeOf, tensor } from './value.ts';

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
  const values = inputs.map((type) => valueOf(type, (scalar) => smallInteger(scalar, next), dynamicSize));
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

const valueOf = (type: Type, scalar: (type: Type) => Scalar, dynamicSize: number): RuntimeValue => {
  if (type.kind !== 'tensor' && type.kind !== 'memref' && type.kind !== 'vector') return scalar(type);
  const { elementType } = type;
  const shape = type.shape.map((size) => (size === DYNAMIC ? dynamicSize : size));
  const data = elementKind(elementType)?.allocate(shape.reduce((product, size) => product * size, 1));
  if (data === undefined) throw new Error(`no elements of ${printType(type)} can be made up`);
  for (const position of data.keys()) setElement(data, position, scalar(elementType));
  return type.kind === 'memref' ? memref(shape, data, { elementType }) : tensor(shape, data, elementType);
};

/** From -4 to 4; from 0 to 4 for types that may be an index, 0 or 1 for one bit. */
const smallInteger = (type: Type, next: () => number): Scalar => {
  if (type.kind === 'index') return next() % 5;
  if (type.kind === 'integer' && type.width === 1) return next() % 2;
  const value = (next() % 9) - 4;
  if (isNumberType(type)) return value;
  if (type.kind === 'integer') return BigInt(value);
  throw new Error(`no ${printType(type)} can be made up`);
};

const zero = (type: Type): Scalar => (isNumberType(type) ? 0 : 0n);

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
      return results.map((type) => valueOf(type, zero, 1));
    };
  }
  return found;
};
