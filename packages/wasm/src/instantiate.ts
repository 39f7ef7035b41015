/** Runs an emitted module on typed arrays, on the caller's memory or on its own. */
import { aligned } from './arena.ts';
import { emitMicrokernel } from './microkernel.ts';
import type { ElementName } from './storage.ts';
import type {
  BufferDescription,
  FunctionDescription,
  ParameterDescription,
  ScalarDescription,
  WasmModule,
} from './wasm-module.ts';

/** Elements of a buffer: f32, f64, i32 or index, i64, and i1. */
export type Elements = Float32Array | Float64Array | Int32Array | BigInt64Array | Int8Array;

/** An argument or result: the elements of a buffer, or a number (a bigint for i64). */
export type RunValue = Elements | number | bigint;

export interface InstantiateOptions {
  /** Memory of the caller, in which buffers can be passed without a copy; default: a new one. */
  readonly memory?: WebAssembly.Memory;
  /**
   * Where the module's own `ownedBytes(module)` begin in the caller's memory, which has to be large enough; a multiple
   * of 64. Default: 0.
   */
  readonly at?: number;
}

export interface WasmInstance {
  readonly memory: WebAssembly.Memory;
  /**
   * The places where arguments of a function are kept, one array per parameter (undefined for a number). Whoever fills
   * these and passes them to `run` saves the copies.
   */
  buffers(name: string): readonly (Elements | undefined)[];
  /**
   * Calls a function. An array that lies in `memory` is used where it is; others are copied in, and back if the
   * function writes them. A returned buffer that is one of the arguments is that array; another is a view of the
   * memory, valid until the next call. Throws a TypeError or RangeError for arguments that do not fit.
   */
  run(name: string, ...values: readonly RunValue[]): readonly RunValue[];
}

/** Bytes that an instance takes of its memory: scratch, then the arguments of every function. */
export const ownedBytes = (module: WasmModule): number =>
  module.functions.reduce(
    (sum, { parameters }) => sum + parameters.reduce((bytes, p) => bytes + placeBytes(p), 0),
    aligned(module.scratchBytes),
  );

const placeBytes = (parameter: ParameterDescription): number =>
  parameter.kind === 'buffer' ? aligned(parameter.bytes) : 0;

/** Whether the engine accepts relaxed SIMD. */
export const supportsRelaxedSimd = (): boolean =>
  WebAssembly.validate(emitMicrokernel({ windows: 4, filters: 1, relaxed: true }));

/** Compiles and instantiates at once: in Node and in workers; a browser's main thread refuses large modules. */
export const instantiate = (module: WasmModule, options: InstantiateOptions = {}): WasmInstance => {
  const memory = memoryFor(module, options);
  const compiled = new WebAssembly.Module(module.bytes);
  return bind(module, memory, options, new WebAssembly.Instance(compiled, imports(memory, options)));
};

/** `instantiate` without blocking the thread. */
export const instantiateAsync = async (
  module: WasmModule,
  options: InstantiateOptions = {},
): Promise<WasmInstance> => {
  const memory = memoryFor(module, options);
  const { instance } = await WebAssembly.instantiate(module.bytes, imports(memory, options));
  return bind(module, memory, options, instance);
};

const memoryFor = (module: WasmModule, { memory, at = 0 }: InstantiateOptions): WebAssembly.Memory => {
  if (at < 0 || at % 64 !== 0) throw new RangeError(`${at} is no multiple of 64`);
  const end = at + ownedBytes(module);
  if (memory === undefined) return new WebAssembly.Memory({ initial: Math.ceil(end / 65_536) });
  if (memory.buffer.byteLength < end) {
    throw new RangeError(`the memory has ${memory.buffer.byteLength} bytes; ${end} are needed`);
  }
  return memory;
};

const imports = (memory: WebAssembly.Memory, { at = 0 }: InstantiateOptions): WebAssembly.Imports => ({
  // An i32 import takes the address as a signed number.
  env: { memory, scratch: at | 0 },
});

const viewOf = (memory: WebAssembly.Memory, element: ElementName, at: number, length: number): Elements => {
  switch (element) {
    case 'f32':
      return new Float32Array(memory.buffer, at, length);
    case 'f64':
      return new Float64Array(memory.buffer, at, length);
    case 'i32':
    case 'index':
      return new Int32Array(memory.buffer, at, length);
    case 'i64':
      return new BigInt64Array(memory.buffer, at, length);
    case 'i1':
      return new Int8Array(memory.buffer, at, length);
  }
};

interface BoundFunction {
  readonly description: FunctionDescription;
  readonly call: (...values: (number | bigint)[]) => unknown;
  /** The address of each parameter's own place. */
  readonly places: readonly number[];
}

const bind = (
  module: WasmModule,
  memory: WebAssembly.Memory,
  { at = 0 }: InstantiateOptions,
  instance: WebAssembly.Instance,
): WasmInstance => {
  let next = at + aligned(module.scratchBytes);
  const functions = new Map<string, BoundFunction>();
  for (const description of module.functions) {
    const places = description.parameters.map((parameter) => {
      const place = next;
      next += placeBytes(parameter);
      return place;
    });
    // The module's own description says what this export takes and returns.
    const call = instance.exports[description.name] as BoundFunction['call'];
    functions.set(description.name, { description, call, places });
  }
  const find = (name: string): BoundFunction => {
    const found = functions.get(name);
    if (found === undefined) throw new RangeError(`there is no function '${name}'`);
    return found;
  };
  return {
    memory,
    buffers: (name) => {
      const { description, places } = find(name);
      return description.parameters.map((parameter, i) =>
        parameter.kind === 'buffer'
          ? viewOf(memory, parameter.element, places[i]!, parameter.length)
          : undefined,
      );
    },
    run: (name, ...values) => runFunction(memory, find(name), values),
  };
};

/** Whether an array's bytes are in the memory. */
const isInside = (memory: WebAssembly.Memory, value: Elements): boolean => value.buffer === memory.buffer;

/** Copies elements from one array to another of the same type. */
const copyElements = (to: Elements, from: Elements): void => {
  new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(
    new Uint8Array(from.buffer, from.byteOffset, to.byteLength),
  );
};

const checkBuffer = (
  name: string,
  position: number,
  expected: BufferDescription,
  value: RunValue,
): Elements => {
  const what = `argument ${position} of '${name}'`;
  if (typeof value !== 'object') throw new TypeError(`${what} is no array`);
  const wanted = viewOf(new WebAssembly.Memory({ initial: 0 }), expected.element, 0, 0);
  if (value.constructor !== wanted.constructor) {
    throw new TypeError(`${what} is a ${value.constructor.name}, not a ${wanted.constructor.name}`);
  }
  if (value.length !== expected.length) {
    throw new RangeError(`${what} has ${value.length} elements, not ${expected.length}`);
  }
  return value;
};

const runFunction = (
  memory: WebAssembly.Memory,
  { description, call, places }: BoundFunction,
  values: readonly RunValue[],
): readonly RunValue[] => {
  const { name, parameters, results } = description;
  if (values.length !== parameters.length) {
    throw new TypeError(`'${name}' takes ${parameters.length} arguments, not ${values.length}`);
  }
  const copiedBack: (() => void)[] = [];
  const byAddress = new Map<number, Elements>();
  const passed = parameters.map((parameter, i) => {
    const value = values[i]!;
    if (parameter.kind === 'scalar') return checkScalar(name, i, parameter, value);
    const elements = checkBuffer(name, i, parameter, value);
    const inPlace = isInside(memory, elements);
    const address = inPlace ? elements.byteOffset : places[i]!;
    byAddress.set(address, elements);
    if (!inPlace) {
      const view = viewOf(memory, parameter.element, address, parameter.length);
      copyElements(view, elements);
      if (parameter.written) {
        copiedBack.push(() => {
          copyElements(elements, view);
        });
      }
    }
    // An i32 takes the address as a signed number.
    return address | 0;
  });
  const outcome = call(...passed);
  for (const copyBack of copiedBack) copyBack();
  const returned = (results.length === 0 ? [] : results.length === 1 ? [outcome] : outcome) as (
    number | bigint
  )[];
  return results.map((result, i) => {
    const value = returned[i]!;
    if (result.kind === 'scalar') return value;
    const address = Number(value) >>> 0;
    const argument = byAddress.get(address);
    return argument?.length === result.length
      ? argument
      : viewOf(memory, result.element, address, result.length);
  });
};

const checkScalar = (
  name: string,
  position: number,
  { type }: ScalarDescription,
  value: RunValue,
): number | bigint => {
  const wanted = type === 'i64' ? 'bigint' : 'number';
  if (typeof value !== wanted || typeof value === 'object') {
    throw new TypeError(`argument ${position} of '${name}' is no ${wanted}`);
  }
  return value;
};
