/** Executes states of a payload on WebAssembly where they lower to it, and on the interpreter where they do not. */
import type { Elements, RunValue } from '@sconv/backend';
import { elementArrays, isArrayOf } from '@sconv/backend';
import { success } from '@sconv/diagnostics';
import type { Execute } from '@sconv/explain';
import { interpreterFor } from '@sconv/explain';
import type { RuntimeValue } from '@sconv/interpreter';
import { elementsOf, tensor } from '@sconv/interpreter';
import type { FunctionType, Module, Type } from '@sconv/ir';
import { children, functionTypeOf, isShaped, isStaticShape, printType, symbolNameOf } from '@sconv/ir';
import { defaultRegistry as registry } from '../default-registry.ts';
import { callPlainly } from '../run/plain-code.ts';

/** The most operations of one execution that is interpreted, or compiled, which is hundreds of times as fast. */
const defaultOperations = { interpreted: 1e8, compiled: 1e10 };

/**
 * Runs a function as WebAssembly. What does not lower is interpreted, and what does not return, as after an access out
 * of bounds: the interpreter says at which operation.
 */
export const wasmExecution = (maxOperations?: number): Execute => {
  const interpret = interpreterFor(registry, maxOperations ?? defaultOperations.interpreted);
  return (module, name, values) => {
    const results = callCompiled(module, name, values, maxOperations ?? defaultOperations.compiled);
    return results === undefined ? interpret(module, name, values) : success(results);
  };
};

/** What a function returns as WebAssembly, with buffers written; undefined where it does not lower or return. */
const callCompiled = (
  module: Module,
  name: string,
  values: readonly RuntimeValue[],
  maxOperations: number,
): readonly RuntimeValue[] | undefined => {
  const type = typeOf(module, name);
  if (type === undefined || ![...type.inputs, ...type.results].every(isHeldAlike)) return undefined;
  const given = values.map(runValue);
  if (!given.every((value) => value !== undefined)) return undefined;
  const called = callPlainly(module, name, given, maxOperations);
  if (called.status !== 'success') return undefined;
  values.forEach((value, i) => {
    const after = called.value.values[i];
    if (typeof value !== 'object' || value.kind !== 'memref' || typeof after !== 'object') return;
    bytesOf(value.allocation.data).set(bytesOf(after));
  });
  return called.value.results.map((result, i) =>
    typeof result === 'object' ? shaped(result, type.results[i]) : result,
  );
};

const typeOf = (module: Module, name: string): FunctionType | undefined =>
  functionTypeOf(
    children(module.root).find((each) => symbolNameOf(each) === name)?.attributes['function_type'],
  );

const arrays = new Set(['f32', 'f64', 'i8', 'i16', 'i32', 'i64']);

/** Whether the interpreter has the elements of a type in the same arrays as the backend, and a buffer as a whole. */
const isHeldAlike = (type: Type): boolean => {
  if (type.kind === 'memref' && type.layout !== undefined) return false;
  return arrays.has(printType(isShaped(type) ? type.elementType : type));
};

const runValue = (value: RuntimeValue): RunValue | undefined => {
  if (typeof value !== 'object') return value;
  const data = value.kind === 'tensor' ? elementsOf(value) : value.allocation.data;
  return isElements(data) ? data : undefined;
};

const isElements = (data: unknown): data is Elements =>
  Object.values(elementArrays).some((array) => isArrayOf(data, array));

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Of a type whose sizes are not known, a list. */
const shaped = (data: Elements, type: Type | undefined): RuntimeValue => {
  const isKnown = type !== undefined && isShaped(type) && isStaticShape(type);
  return tensor(isKnown ? type.shape : [data.length], data);
};
