/** Loaded code: functions on typed arrays. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { ElementArrays, ElementName } from './elements.ts';
import type { FunctionSignature, RunValue } from './signature.ts';

/** Something callable: a function, or what is left of one after binding constants. */
export interface Callable {
  /**
   * Calls it with one value per parameter. A failure is the payload's own, such as a division by zero; copied arguments
   * are then not copied back.
   *
   * Throws a TypeError or RangeError for values that do not fit, and an Error after `dispose`. Fails with
   * `backend/only-async` if calls are only asynchronous.
   */
  call(...values: readonly RunValue[]): Diagnosed<readonly RunValue[]>;
  /** The results of `call`; throws a `DiagnosticError` if it fails. */
  run(...values: readonly RunValue[]): readonly RunValue[];
  /**
   * `call` on the artifact's threads, without blocking the caller's; on the caller's thread if there are no others.
   * What `call` throws rejects the promise. Arrays must not be read or written until it settles.
   */
  callAsync(...values: readonly RunValue[]): Promise<Diagnosed<readonly RunValue[]>>;
  /** The results of `callAsync`; rejects with a `DiagnosticError` if it fails. */
  runAsync(...values: readonly RunValue[]): Promise<readonly RunValue[]>;
}

/** A function with some arguments bound. */
export interface BoundFunction extends Callable {
  /** The function's signature; `parameters` are the unbound ones, in order. */
  readonly signature: FunctionSignature;
  /** Frees the copies of the constants; calls throw afterwards. Idempotent. */
  dispose(): void;
}

/**
 * Loaded code and its memory, as a record of functions that need no `this`. Artifacts share no memory, even if loaded
 * from the same emitted module.
 *
 * **Which arrays may be passed.** Each argument has its contents from before the call, wherever it is. Arrays may
 * overlap or be identical if the function only reads them. An array that it may write must not overlap another
 * argument: otherwise the call throws a RangeError, and the caller has to pass a copy.
 *
 * **What is copied.** Arrays from `allocate` are used in place. If the code cannot access the caller's memory, others
 * are copied in, and back if the function writes them.
 *
 * **What is returned.** A returned buffer that is one of the arguments is that array. Any other is a view of the
 * artifact's memory, to be read or copied before the next call of any of its functions.
 *
 * **One call at a time.** Asynchronous calls run in order, each after the previous ones have settled; until then `call`
 * and `run` throw an Error. `dispose` rejects pending calls. If a thread dies, the current call and all later ones
 * fail.
 *
 * **Arrays of an artifact** belong to it: after `dispose` their contents are undefined.
 */
export interface Artifact {
  readonly functions: readonly FunctionSignature[];
  /**
   * What runs the code instead of this machine's processor, as a command line for people; absent for native execution.
   */
  readonly emulator?: string;
  /** Whether `call` and `run` fail, as the arrays are elsewhere, on a device say: then calls are only asynchronous. */
  readonly onlyAsync?: true;
  /**
   * A zeroed array that calls use without a copy, unless arrays are elsewhere; valid until `dispose`. Throws a
   * RangeError if there is no room (`LoadOptions.heapBytes`).
   */
  allocate<E extends ElementName>(element: E, length: number): ElementArrays[E];
  /**
   * Binds some arguments by position, e.g. weights. They are copied once, now, so later changes of the caller's arrays
   * have no effect, and values that the code computes from them alone may be computed only once. A function may have
   * several bindings at a time.
   *
   * Throws a TypeError or RangeError for a value that does not fit, a position that the function does not have, an
   * argument that it may write, and if there is no room.
   */
  bind(name: string, constants: Readonly<Record<number, RunValue>>): BoundFunction;
  /** `Callable.call` of the named function; throws a RangeError if there is none. */
  call(name: string, ...values: readonly RunValue[]): Diagnosed<readonly RunValue[]>;
  /** `Callable.run` of the named function. */
  run(name: string, ...values: readonly RunValue[]): readonly RunValue[];
  /** `Callable.callAsync` of the named function. */
  callAsync(name: string, ...values: readonly RunValue[]): Promise<Diagnosed<readonly RunValue[]>>;
  /** `Callable.runAsync` of the named function. */
  runAsync(name: string, ...values: readonly RunValue[]): Promise<readonly RunValue[]>;
  /** Frees the code and its memory. Idempotent; all other use throws afterwards. */
  dispose(): void;
}
