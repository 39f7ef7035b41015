/** Runs an emitted module on typed arrays, on the caller's memory or on its own. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, success, unwrap } from '@sconv/diagnostics';
import { aligned } from './arena.ts';
import type { Elements } from './elements.ts';
import { arrayOf, viewOf } from './elements.ts';
import { emitMicrokernel } from './microkernel.ts';
import type { BufferArgument, PlacedArgument, Places } from './place-arguments.ts';
import { copyBack, placeArguments } from './place-arguments.ts';
import { trapDiagnostic } from './trap-diagnostic.ts';
import type {
  BufferDescription,
  FunctionDescription,
  ParameterDescription,
  ScalarDescription,
  WasmModule,
} from './wasm-module.ts';
import { trapGlobal } from './wasm-module.ts';

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
   * Calls a function. An array in `memory` is used where it is, unless the call needs that place for something else;
   * others are copied in, and back if the function writes them. Arrays may share memory where the function only reads
   * them: each counts as it was before the call. A returned buffer that is one of the arguments is that array; another
   * is a view of the memory, valid until the next call.
   *
   * Definite failures are the faults of the payload for which the execution ends: `wasm/division-by-zero`,
   * `wasm/overflow` (of a division, a conversion or an index), `wasm/out-of-bounds` (of the whole memory: the bounds of
   * buffers are not checked), `wasm/zero-step`, `wasm/call-depth`, and `wasm/trap` for anything else. Arrays outside of
   * the memory are then as they were before.
   *
   * Throws a TypeError or RangeError for arguments that do not fit, and a RangeError for one array (or parts of one) as
   * several arguments, of which the function writes one.
   */
  call(name: string, ...values: readonly RunValue[]): Diagnosed<readonly RunValue[]>;
  /** The results of `call`; throws a `DiagnosticError` where that fails. */
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
  const scratch: Places = { start: at, end: at + module.scratchBytes };
  const reason = instance.exports[trapGlobal] as WebAssembly.Global<'i32'> | undefined;
  /** Why the last call has ended, if it was a check of the code that ended it. */
  const takeReason = (): number => {
    const number = reason?.value ?? 0;
    if (reason !== undefined) reason.value = 0;
    return number;
  };
  const call: WasmInstance['call'] = (name, ...values) => {
    const bound = find(name);
    const { description } = bound;
    const placed = placeBuffers(memory, bound, values, scratch);
    let outcome: unknown;
    try {
      outcome = bound.call(...addressesAndNumbers(description, values, placed));
    } catch (thrown) {
      const diagnostic = module.traps[takeReason() - 1] ?? trapDiagnostic(thrown, description);
      if (diagnostic === undefined) throw thrown;
      return definite(diagnostic);
    }
    return success(resultsOf(memory, description, outcome, placed));
  };
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
    call,
    run: (name, ...values) => unwrap(call(name, ...values)),
  };
};

const checkBuffer = (
  name: string,
  position: number,
  expected: BufferDescription,
  value: RunValue,
): Elements => {
  const what = `argument ${position} of '${name}'`;
  if (typeof value !== 'object') throw new TypeError(`${what} is no array`);
  const wanted = arrayOf(expected.element);
  if (value.constructor !== wanted) {
    throw new TypeError(`${what} is a ${value.constructor.name}, not a ${wanted.name}`);
  }
  if (value.length !== expected.length) {
    throw new RangeError(`${what} has ${value.length} elements, not ${expected.length}`);
  }
  return value;
};

/** Checks all arguments, and puts the buffers among them into the memory. */
const placeBuffers = (
  memory: WebAssembly.Memory,
  { description, places }: BoundFunction,
  values: readonly RunValue[],
  scratch: Places,
): readonly PlacedArgument[] => {
  const { name, parameters } = description;
  if (values.length !== parameters.length) {
    throw new TypeError(`'${name}' takes ${parameters.length} arguments, not ${values.length}`);
  }
  const buffers = parameters.flatMap((parameter, position): readonly BufferArgument[] => {
    const value = values[position]!;
    if (parameter.kind === 'scalar') {
      checkScalar(name, position, parameter, value);
      return [];
    }
    const elements = checkBuffer(name, position, parameter, value);
    return [{ position, parameter, elements, place: places[position]! }];
  });
  return placeArguments(memory, name, buffers, scratch);
};

/** What the code takes. */
const addressesAndNumbers = (
  { parameters }: FunctionDescription,
  values: readonly RunValue[],
  placed: readonly PlacedArgument[],
): (number | bigint)[] => {
  // An i32 takes the address as a signed number.
  const addresses = new Map(placed.map(({ position, address }) => [position, address | 0]));
  return parameters.map((_, position) => addresses.get(position) ?? (values[position] as number | bigint));
};

/** The results of a call; what it has written is copied back. */
const resultsOf = (
  memory: WebAssembly.Memory,
  { results }: FunctionDescription,
  outcome: unknown,
  placed: readonly PlacedArgument[],
): readonly RunValue[] => {
  const returned = (results.length === 0 ? [] : results.length === 1 ? [outcome] : outcome) as (
    number | bigint
  )[];
  const movesInMemory = placed.some(
    ({ parameter, view, elements }) =>
      parameter.written && view !== elements && elements.buffer === memory.buffer,
  );
  const values = results.map((result, i): RunValue => {
    const value = returned[i]!;
    if (result.kind === 'scalar') return value;
    const address = Number(value) >>> 0;
    const argument = placed.find(
      ({ address: at, parameter }) =>
        at === address && parameter.element === result.element && parameter.length === result.length,
    );
    if (argument !== undefined) return argument.elements;
    const view = viewOf(memory, result.element, address, result.length);
    // What is copied back may stand where the result does.
    return movesInMemory ? view.slice() : view;
  });
  copyBack(placed);
  return values;
};

const checkScalar = (name: string, position: number, { type }: ScalarDescription, value: RunValue): void => {
  const wanted = type === 'i64' ? 'bigint' : 'number';
  if (typeof value !== wanted) throw new TypeError(`argument ${position} of '${name}' is no ${wanted}`);
};
