/** What a module computes, on made-up arguments: the evidence of a bisection. */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';
import type { RuntimeValue } from '@sconv/interpreter';
import {
  createInterpreter,
  elementsOf,
  executionLimit,
  randomIntegers,
  seededValue,
} from '@sconv/interpreter';
import type { Module, Operation, Registry, Type } from '@sconv/ir';
import { children, DYNAMIC, functionTypeOf, isPrivate, printType, symbolNameOf } from '@sconv/ir';

/** Executes a function; the default is the interpreter. Definite failures say what went wrong, or is not supported. */
export type Execute = (
  module: Module,
  functionName: string,
  values: readonly RuntimeValue[],
) => Diagnosed<readonly RuntimeValue[]>;

/** The interpreter, which stops after `maxSteps` operations. */
export const interpreterFor =
  (registry: Registry, maxSteps: number): Execute =>
  (module, functionName, values) =>
    createInterpreter(module, { registry, maxSteps }).run(functionName, values);

/** Elements of one result, or of a buffer that a function may write. */
type Elements = readonly (number | bigint)[];

/** What the functions of a module compute: for each, its results, then its buffers. */
export type Observation = ReadonlyMap<string, readonly Elements[]>;

/** What came of executing a module: results, a wrong-doing such as an access out of bounds, or nothing. */
export type Observed =
  | { readonly kind: 'results'; readonly results: Observation }
  | { readonly kind: 'failed'; readonly functionName: string; readonly diagnostic: Diagnostic }
  | { readonly kind: 'unexecuted'; readonly isTooMuch: boolean; readonly why: Diagnostic };

/** The most elements of an argument that is made up. */
const mostElements = 2 ** 24;

/** The functions that a module offers to others: those with a body. */
export const publicFunctions = (module: Module): readonly Operation[] =>
  children(module.root).filter(
    (operation) =>
      operation.name === 'func.func' &&
      !isPrivate(operation) &&
      operation.regions[0]?.blocks[0] !== undefined,
  );

/** Calls each of these functions of a module once, on integers from -4 to 4 that are the same for equal signatures. */
export const observe = (module: Module, functionNames: readonly string[], execute: Execute): Observed => {
  const results = new Map<string, readonly Elements[]>();
  for (const name of functionNames) {
    const operation = children(module.root).find((each) => symbolNameOf(each) === name);
    if (operation === undefined) {
      const message = `there is no function @${name} any more`;
      return {
        kind: 'unexecuted',
        isTooMuch: false,
        why: error('explain/no-function', message, module.root.location),
      };
    }
    const values = argumentsOf(operation);
    if (values.status !== 'success') {
      return { kind: 'unexecuted', isTooMuch: false, why: values.diagnostics[0]! };
    }
    const ran = execute(module, name, values.value);
    if (ran.status !== 'success') {
      const diagnostic = ran.diagnostics[0]!;
      const limit = executionLimit(diagnostic.code);
      return limit === undefined
        ? { kind: 'failed', functionName: name, diagnostic }
        : { kind: 'unexecuted', isTooMuch: limit === 'limit', why: diagnostic };
    }
    const buffers = values.value.filter((value) => typeof value === 'object' && value.kind === 'memref');
    results.set(name, [...ran.value, ...buffers].map(elements));
  }
  return { kind: 'results', results };
};

const argumentsOf = (operation: Operation): Diagnosed<readonly RuntimeValue[]> => {
  const { inputs = [] } = functionTypeOf(operation.attributes['function_type']) ?? {};
  const next = randomIntegers(1);
  const values: RuntimeValue[] = [];
  for (const type of inputs) {
    const value = sizeOf(type) > mostElements ? undefined : seededValue(type, next);
    if (value === undefined) {
      const message = `no argument of the type ${printType(type)} can be made up`;
      return definite(error('explain/argument', message, operation.location));
    }
    values.push(value);
  }
  return { status: 'success', value: values, diagnostics: [] };
};

const sizeOf = (type: Type): number =>
  type.kind === 'tensor' || type.kind === 'memref'
    ? type.shape.reduce((product, size) => product * (size === DYNAMIC ? 1 : size), 1)
    : 1;

const elements = (value: RuntimeValue): Elements => {
  if (typeof value !== 'object') return [value];
  return value.kind === 'tensor' ? [...elementsOf(value)] : [...value.allocation.data];
};

/** How far floats may be off that are no integers, as a share of the largest: sums are added in another order. */
const tolerance = 1e-5;

/** The first element that is wrong, in words; undefined if there is none. */
export const firstWrong = (wanted: Observation, found: Observation): string | undefined => {
  for (const [name, lists] of wanted) {
    const others = found.get(name) ?? [];
    if (others.length !== lists.length)
      return `@${name} gives ${others.length} results and buffers instead of ${lists.length}`;
    for (const [i, list] of lists.entries()) {
      const other = others[i]!;
      if (other.length !== list.length)
        return `result ${i} of @${name} has ${other.length} elements instead of ${list.length}`;
      const isExact = [...list, ...other].every((value) => !isFraction(value));
      const most = isExact ? 0 : tolerance * list.reduce<number>(largerOf, 0);
      const at = list.findIndex((value, k) => !isNear(value, other[k]!, most));
      if (at >= 0) return `element ${at} of result ${i} of @${name} is ${other[at]!} instead of ${list[at]!}`;
    }
  }
  return undefined;
};

const isFraction = (value: number | bigint): boolean =>
  typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value);

const largerOf = (most: number, value: number | bigint): number => {
  const magnitude = Math.abs(Number(value));
  return magnitude > most && magnitude < Infinity ? magnitude : most;
};

const isNear = (a: number | bigint, b: number | bigint, most: number): boolean =>
  Object.is(a, b) || a === b || (most > 0 && Math.abs(Number(a) - Number(b)) <= most);
