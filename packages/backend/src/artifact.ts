/** Code that is loaded: functions on typed arrays. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { ElementArrays, ElementName } from './elements.ts';
import type { FunctionSignature, RunValue } from './signature.ts';

/** What can be called: a function, or what is left of one whose constants are bound. */
export interface Callable {
  /**
   * Calls it with one value for each parameter. A failure is the payload's own, such as a division by zero; what was
   * copied in is then not copied back.
   *
   * Throws a TypeError or RangeError for values that do not fit, and an Error after `dispose`.
   */
  call(...values: readonly RunValue[]): Diagnosed<readonly RunValue[]>;
  /** The results of `call`; throws a `DiagnosticError` where that fails. */
  run(...values: readonly RunValue[]): readonly RunValue[];
  /**
   * `call` on the threads of the artifact, which does not block the thread of the caller; on that thread where there are
   * no others. What `call` throws rejects the promise. Arrays may not be read or written until it is settled.
   */
  callAsync(...values: readonly RunValue[]): Promise<Diagnosed<readonly RunValue[]>>;
  /** The results of `callAsync`; rejected with a `DiagnosticError` where that fails. */
  runAsync(...values: readonly RunValue[]): Promise<readonly RunValue[]>;
}

/** A function, some of whose arguments stay. */
export interface BoundFunction extends Callable {
  /** Of the function; `parameters` are those that are not bound, in their order. */
  readonly signature: FunctionSignature;
  /** Gives up the copies of the constants; it cannot be called any more. A second time does nothing. */
  dispose(): void;
}

/**
 * Loaded code and its memory, as a record of functions that need no `this`. Artifacts share no memory, also those that
 * were loaded from one emitted module.
 *
 * **Which arrays may be passed.** Each argument counts as it was before the call, wherever it stands. Arrays may share
 * memory, or be one and the same, where the function only reads them. An array that it may write shares memory with no
 * other argument: else the call throws a RangeError, and a copy has to be passed.
 *
 * **What is copied.** Arrays of `allocate` are used where they are. Others are copied in, and back where the function
 * writes them, if the code cannot reach the caller's memory.
 *
 * **What is returned.** A returned buffer that is one of the arguments is that array. Another one is a view of the
 * artifact's memory, to be read or copied before the next call of any of its functions.
 *
 * **One call at a time.** Promised calls are made in their order, each when those before it are settled; until then
 * `call` and `run` throw an Error. `dispose` ends them: their promises are rejected. Where a thread ends by itself, this call
 * and all later ones fail.
 *
 * **Arrays of an artifact** belong to it: after `dispose` their contents mean nothing.
 */
export interface Artifact {
  readonly functions: readonly FunctionSignature[];
  /** What runs the code in place of this machine's processor, as a command for people; absent where nothing does. */
  readonly emulator?: string;
  /**
   * An array of zeros that calls use without a copy; it stays until `dispose`. Throws a RangeError where there is no room
   * for it (`LoadOptions.heapBytes`).
   */
  allocate<E extends ElementName>(element: E, length: number): ElementArrays[E];
  /**
   * The function with some arguments, by position, that stay: weights, say. They are copied once, now, so a change of a
   * caller's array afterwards is not seen, and what the code makes of them alone it may make once. Several may be
   * bound to one function, beside each other.
   *
   * Throws a TypeError or RangeError for a value that does not fit, a position that the function does not have, an
   * argument that it may write, and where there is no room.
   */
  bind(name: string, constants: Readonly<Record<number, RunValue>>): BoundFunction;
  /** `Callable.call` of the function of that name; throws a RangeError where there is none. */
  call(name: string, ...values: readonly RunValue[]): Diagnosed<readonly RunValue[]>;
  /** `Callable.run` of the function of that name. */
  run(name: string, ...values: readonly RunValue[]): readonly RunValue[];
  /** `Callable.callAsync` of the function of that name. */
  callAsync(name: string, ...values: readonly RunValue[]): Promise<Diagnosed<readonly RunValue[]>>;
  /** `Callable.runAsync` of the function of that name. */
  runAsync(name: string, ...values: readonly RunValue[]): Promise<readonly RunValue[]>;
  /** Gives up the code and its memory. A second time does nothing; all other use throws. */
  dispose(): void;
}
