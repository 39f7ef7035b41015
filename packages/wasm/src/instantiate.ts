/** Runs an emitted module on typed arrays, in the caller's memory or its own. */
import type { Elements, ParameterSignature, RunValue } from '@sconv/backend';
import { alignedBytes as aligned, byteLengthOf } from '@sconv/backend/runtime';
import type { Diagnosed } from '@sconv/diagnostics';
import { describeValue, unwrap } from '@sconv/diagnostics';
import type { BoundFunction, BoundModule, Runner } from './call-function.ts';
import { callFunction, callFunctionBy } from './call-function.ts';
import { viewOf } from './elements.ts';
import type { EngineInstance, EngineMemory, EngineModule, WasmBytes } from './engine-types.ts';
import type { ConnectedFork } from './fork.ts';
import { forkInSequence } from './fork.ts';
import type { StreamedConstants } from './streamed-constants.ts';
import { streamedConstantsOf } from './streamed-constants.ts';
import { isShared, withSharedMemory } from './shared-memory.ts';
import type { OwnedParts, WasmModule } from './wasm-module.ts';
import { forkImport, panelImport } from './wasm-module.ts';

/** The memory of an instance, if not its own. */
export interface InstantiateOptions {
  /** The caller's memory, shared or not, whose buffers can be passed without a copy; default: a new one. */
  readonly memory?: EngineMemory;
  /**
   * Where the module's own `ownedBytes(module)` start in the caller's memory, which has to be large enough; a multiple
   * of 64. Default: 0.
   */
  readonly at?: number;
  /** `bytesFor(module, memory)`, already compiled; default: compiles it. */
  readonly compiled?: EngineModule;
  /** Constants that are not in the memory; default: none. */
  readonly streamed?: StreamedConstants;
}

/** An instance of an emitted module: its functions on typed arrays. */
export interface WasmInstance {
  readonly memory: EngineMemory;
  /**
   * The memory reserved for a function's arguments, one array per parameter (undefined for a number or a constant).
   * Filling these and passing them to `run` avoids copies.
   */
  buffers(name: string): readonly (Elements | undefined)[];
  /** `call` for code that runs elsewhere on the same memory. */
  callBy(name: string, values: readonly RunValue[], runner: Runner): Promise<Diagnosed<readonly RunValue[]>>;
  /**
   * Calls a function. An array in `memory` is used in place, unless the call needs that place for something else;
   * others are copied in, and back if the function writes them. Arrays may overlap where the function only reads them:
   * each has its contents from before the call. A returned buffer that is one of the arguments is that array; any other
   * is a view of the memory, valid until the next call.
   *
   * Failures are payload faults that end the execution: `wasm/division-by-zero`, `wasm/overflow` (of a division, a
   * conversion or an index), `wasm/out-of-bounds` (of the whole memory: buffer bounds are not checked),
   * `wasm/zero-step`, `wasm/call-depth`, and `wasm/trap` for anything else. Arrays outside the memory then keep their
   * contents.
   *
   * Throws a TypeError or RangeError for arguments that do not fit, and a RangeError for overlapping arguments if the
   * function writes one of them.
   */
  call(name: string, ...values: readonly RunValue[]): Diagnosed<readonly RunValue[]>;
  /** The results of `call`; throws a `DiagnosticError` on failure. */
  run(name: string, ...values: readonly RunValue[]): readonly RunValue[];
}

/** Bytes that an instance occupies in its memory: scratch, then every function's arguments. */
export const ownedBytes = (module: OwnedParts): number =>
  aligned(module.scratchBytes) + argumentBytes(module);

/** Bytes reserved for every function's arguments: none for its constants. */
export const argumentBytes = (module: OwnedParts): number =>
  module.functions.reduce(
    (sum, { name, parameters }) =>
      sum +
      parameters.reduce(
        (own, parameter, i) => own + (isConstant(module, name, i) ? 0 : placeBytes(parameter)),
        0,
      ),
    0,
  );

/** Whether an argument has no place: the memory holds it already. */
export const isConstant = (
  { constants }: Pick<OwnedParts, 'constants'>,
  name: string,
  position: number,
): boolean => constants.some((each) => each.function === name && each.parameter === position);

const placeBytes = (parameter: ParameterSignature): number => aligned(byteLengthOf(parameter));

/** Compiles and instantiates synchronously: in Node and in workers; a browser's main thread refuses large modules. */
export const instantiate = (module: WasmModule, options: InstantiateOptions = {}): WasmInstance => {
  const memory = memoryFor(module, options);
  const compiled = options.compiled ?? new WebAssembly.Module(bytesFor(module, memory));
  const fork = forkInSequence(module);
  const streamed = options.streamed ?? streamedConstantsOf(module, memory, options.at);
  const instance = new WebAssembly.Instance(compiled, imports(memory, options, fork, streamed));
  return instanceOf(module, memory, { ...options, streamed }, fork.connected(instance));
};

/** `instantiate` without blocking the thread. */
export const instantiateAsync = async (
  module: WasmModule,
  options: InstantiateOptions = {},
): Promise<WasmInstance> => {
  const memory = memoryFor(module, options);
  const compiled = options.compiled ?? (await WebAssembly.compile(bytesFor(module, memory)));
  const fork = forkInSequence(module);
  const streamed = options.streamed ?? streamedConstantsOf(module, memory, options.at);
  const instance = await WebAssembly.instantiate(compiled, imports(memory, options, fork, streamed));
  return instanceOf(module, memory, { ...options, streamed }, fork.connected(instance));
};

/** The module's code for this kind of memory, shared or not. */
export const bytesFor = ({ bytes }: WasmModule, memory: EngineMemory): WasmBytes =>
  isShared(memory) ? withSharedMemory(bytes) : bytes;

const memoryFor = (module: WasmModule, options: InstantiateOptions): EngineMemory => {
  if (typeof (options as unknown) !== 'object' || (options as unknown) === null)
    throw new TypeError(`expected options of an instance, not ${describeValue(options)}`);
  const { memory, at = 0 } = options;
  if (!Array.isArray((module as WasmModule | undefined)?.functions))
    throw new TypeError(`expected a module, as emitModule() makes it, not ${describeValue(module)}`);
  if (at < 0 || at % 64 !== 0) throw new RangeError(`${at} is no multiple of 64`);
  const end = at + ownedBytes(module);
  if (memory === undefined) return new WebAssembly.Memory({ initial: Math.ceil(end / 65_536) });
  if (memory.buffer.byteLength < end) {
    throw new RangeError(`the memory has ${memory.buffer.byteLength} bytes; ${end} are needed`);
  }
  return memory;
};

const imports = (
  memory: EngineMemory,
  { at = 0 }: InstantiateOptions,
  { fork }: ConnectedFork,
  { gather }: StreamedConstants,
): WebAssembly.Imports => ({
  // An i32 import takes the address as a signed number.
  env: { memory, scratch: at | 0, data: at | 0, [forkImport]: fork, [panelImport]: gather },
});

const instanceOf = (
  module: WasmModule,
  memory: EngineMemory,
  { at = 0, streamed }: InstantiateOptions & { readonly streamed: StreamedConstants },
  instance: EngineInstance,
): WasmInstance => {
  const bound: BoundModule = {
    module,
    instance,
    memory,
    scratch: { start: at, end: at + module.scratchBytes },
    streamed,
  };
  let next = at + aligned(module.scratchBytes);
  const functions = new Map<string, BoundFunction>();
  for (const signature of module.functions) {
    const places = signature.parameters.map((parameter, i) => {
      if (isConstant(module, signature.name, i)) return undefined;
      const place = next;
      next += placeBytes(parameter);
      return place;
    });
    // The module's own description guarantees the type of this export.
    const code = instance.exports[signature.name] as BoundFunction['code'];
    functions.set(signature.name, { signature, code, places });
  }
  const find = (name: string): BoundFunction => {
    const found = functions.get(name);
    if (found === undefined) throw new RangeError(`there is no function '${name}'`);
    return found;
  };
  return {
    memory,
    buffers: (name) => {
      const { signature, places } = find(name);
      return signature.parameters.map((parameter, i) =>
        parameter.kind === 'buffer' && places[i] !== undefined
          ? viewOf(memory, parameter, places[i], parameter.length)
          : undefined,
      );
    },
    callBy: (name, values, runner) => callFunctionBy(bound, find(name), values, runner),
    call: (name, ...values) => callFunction(bound, find(name), values),
    run: (name, ...values) => unwrap(callFunction(bound, find(name), values)),
  };
};
