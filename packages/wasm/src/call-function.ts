/** Calls of exported functions on typed arrays. */
import type { BufferSignature, FunctionSignature, RunValue, ScalarSignature } from '@sconv/backend';
import { checkArguments } from '@sconv/backend/runtime';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, success } from '@sconv/diagnostics';
import { viewOf } from './elements.ts';
import type { EngineInstance, EngineMemory } from './engine-types.ts';
import type { BufferArgument, Places } from './place-arguments.ts';
import { copyBack, placeArguments, standsIn } from './place-arguments.ts';
import type { StreamedConstants } from './streamed-constants.ts';
import { trapDiagnostic } from './trap-diagnostic.ts';
import type { WasmModule } from './wasm-module.ts';
import { trapGlobal } from './wasm-module.ts';

/** An exported function, and the address reserved for each of its parameters: none for constants. */
export interface BoundFunction {
  readonly signature: FunctionSignature;
  readonly code: (...values: readonly (number | bigint)[]) => unknown;
  readonly places: readonly (number | undefined)[];
  /** The last call whose arguments were used in place. */
  last?: CallInPlace;
}

/** An instance and its memory. */
export interface BoundModule {
  readonly module: WasmModule;
  readonly instance: EngineInstance;
  readonly memory: EngineMemory;
  /** The range of allocations and constants. */
  readonly scratch: Places;
  readonly streamed: Pick<StreamedConstants, 'addressOf'>;
}

/** A call whose arguments are in memory. */
interface PreparedCall {
  readonly passed: readonly (number | bigint)[];
  /** The array for a returned buffer. */
  readonly bufferAt: (result: BufferSignature, address: number) => RunValue;
  /** Runs after the results are read: copies what the function has written back to the caller's arrays. */
  readonly copyBack?: () => void;
}

/** A checked call whose arguments are used in place. */
export interface CallInPlace extends PreparedCall {
  /** The memory's buffer at that time: a grown memory has another one, which invalidates this record. */
  readonly buffer: ArrayBufferLike;
  readonly values: readonly RunValue[];
}

/** Runs code elsewhere: gives the engine's raw result, or why execution ended. */
export type Runner = (
  signature: FunctionSignature,
  passed: readonly (number | bigint)[],
) => Promise<Diagnosed<unknown>>;

/** `WasmInstance.call`. */
export const callFunction = (
  bound: BoundModule,
  called: BoundFunction,
  values: readonly RunValue[],
): Diagnosed<readonly RunValue[]> => {
  const call = prepareCall(bound, called, values);
  return finished(called, call, execute(bound, called, call.passed));
};

/** `WasmInstance.callBy`. */
export const callFunctionBy = async (
  bound: BoundModule,
  called: BoundFunction,
  values: readonly RunValue[],
  runner: Runner,
): Promise<Diagnosed<readonly RunValue[]>> => {
  const call = prepareCall(bound, called, values);
  return finished(called, call, await runner(called.signature, call.passed));
};

const prepareCall = (
  bound: BoundModule,
  called: BoundFunction,
  values: readonly RunValue[],
): PreparedCall => {
  const { buffer } = bound.memory;
  // Checking arrays takes longer than a small function runs, and most calls repeat the previous call's arrays.
  if (called.last !== undefined && isSame(called.last, values, buffer)) return called.last;
  checkArguments(called.signature, values);
  if (!values.every((value) => typeof value !== 'object' || standsIn(value, buffer, bound.scratch))) {
    return callOnCopies(bound, called, values);
  }
  called.last = callInPlace(bound, called, values, buffer);
  return called.last;
};

/** Whether the arguments are those of another call. An array cannot move or be resized unless the memory grows. */
const isSame = (last: CallInPlace, values: readonly RunValue[], buffer: ArrayBufferLike): boolean => {
  if (last.buffer !== buffer || last.values.length !== values.length) return false;
  for (let i = 0; i < values.length; i++) if (!Object.is(values[i], last.values[i])) return false;
  return true;
};

/** Nothing is copied, so no argument can overwrite another. */
const callInPlace = (
  { memory }: BoundModule,
  { signature }: BoundFunction,
  values: readonly RunValue[],
  buffer: ArrayBufferLike,
): CallInPlace => {
  // An i32 takes the address as a signed number.
  const passed = values.map((value) => (typeof value === 'object' ? value.byteOffset | 0 : value));
  return {
    buffer,
    values,
    passed,
    bufferAt: (result, address) => {
      const argument = signature.parameters.findIndex(
        (parameter, i) => isSameBuffer(parameter, result) && passed[i] === (address | 0),
      );
      return values[argument] ?? viewOf(memory, result, address, result.length);
    },
  };
};

const callOnCopies = (
  bound: BoundModule,
  called: BoundFunction,
  values: readonly RunValue[],
): PreparedCall => {
  const { memory, scratch, streamed } = bound;
  const { name, parameters } = called.signature;
  const buffers = parameters.flatMap((parameter, position): readonly BufferArgument[] => {
    const elements = values[position]!;
    if (parameter.kind === 'scalar' || typeof elements !== 'object') return [];
    if (streamed.addressOf(elements) !== undefined) return [];
    const place = called.places[position];
    if (place === undefined && !standsIn(elements, memory.buffer, scratch))
      throw new RangeError(`argument ${position} of '${name}' is a constant, which has to be in the memory`);
    return [{ position, parameter, elements, place: place ?? elements.byteOffset }];
  });
  const placed = placeArguments(memory, name, buffers, scratch);
  // An i32 takes the address as a signed number.
  const addresses = new Map(placed.map(({ position, address }) => [position, address | 0]));
  const addressOf = (value: RunValue, i: number): number | bigint =>
    typeof value === 'object' ? (addresses.get(i) ?? streamed.addressOf(value)! | 0) : value;
  const passed = values.map(addressOf);
  // Copying back may overwrite a result.
  const movesInMemory = placed.some(
    ({ parameter, view, elements }) =>
      parameter.written && view !== elements && elements.buffer === memory.buffer,
  );
  return {
    passed,
    bufferAt: (buffer, address) => {
      const argument = placed.find(
        (each) => each.address === address && isSameBuffer(each.parameter, buffer),
      );
      if (argument !== undefined) return argument.elements;
      const view = viewOf(memory, buffer, address, buffer.length);
      return movesInMemory ? view.slice() : view;
    },
    copyBack: () => {
      copyBack(placed);
    },
  };
};

const isSameBuffer = (a: BufferSignature | ScalarSignature, b: BufferSignature): boolean =>
  a.kind === 'buffer' && a.element === b.element && a.length === b.length;

const execute = (
  { module, instance }: BoundModule,
  { signature, code }: BoundFunction,
  passed: readonly (number | bigint)[],
): Diagnosed<unknown> => {
  try {
    return success(code(...passed));
  } catch (thrown) {
    const diagnostic = module.traps[takeReason(instance) - 1] ?? trapDiagnostic(thrown, signature);
    if (diagnostic === undefined) throw thrown;
    return definite(diagnostic);
  }
};

/** The results of a call; copies back what it has written. */
const finished = (
  { signature: { results } }: BoundFunction,
  { bufferAt, copyBack: finish }: PreparedCall,
  outcome: Diagnosed<unknown>,
): Diagnosed<readonly RunValue[]> => {
  if (outcome.status !== 'success') return outcome;
  const { value } = outcome;
  const returned = (results.length === 0 ? [] : results.length === 1 ? [value] : value) as readonly (
    number | bigint
  )[];
  const given = results.map((result, i) => {
    const each = returned[i]!;
    return result.kind === 'scalar' ? each : bufferAt(result, Number(each) >>> 0);
  });
  finish?.();
  return success(given);
};

/** The number, from 1, of the check in the code that ended the last call; 0 if none did. */
const takeReason = (instance: EngineInstance): number => {
  const reason = instance.exports[trapGlobal] as WebAssembly.Global<'i32'> | undefined;
  if (reason === undefined) return 0;
  const { value } = reason;
  reason.value = 0;
  return value;
};
