/** What turns bufferized IR into code and runs it, for a family of targets. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import type { Artifact } from './artifact.ts';
import type { FunctionSignature } from './signature.ts';

/**
 * Code that is not loaded: plain data, which `structuredClone` copies. It may be kept, sent to a worker or written to a
 * file, and loaded any number of times. What is in it besides is the backend's own.
 */
export interface Emitted {
  /** The name of the backend, which loads it. */
  readonly backend: string;
  readonly functions: readonly FunctionSignature[];
}

export interface EmitOptions {
  /** A target that the backend serves. */
  readonly target: Target;
  /** Knows the operations of the module; how they become code is attached to them, as an interface of the backend's. */
  readonly registry: Registry;
}

/** A thread: a `Worker` of a page, or what is as one. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  /** `message`: what the worker has posted. `error`: it has failed, or ended by itself. */
  addEventListener(
    type: 'message' | 'error',
    listener: (event: { readonly data?: unknown; readonly message?: string }) => void,
  ): void;
  terminate(): unknown;
  /** Lets the process end although there is the worker; undone by `ref`. */
  unref?(): unknown;
  ref?(): unknown;
}

/** What of an `AbortSignal` a load looks at. */
export interface LoadSignal {
  readonly aborted: boolean;
  addEventListener?(type: 'abort', listener: () => void): void;
  removeEventListener?(type: 'abort', listener: () => void): void;
}

export interface LoadOptions {
  /**
   * How many threads `callAsync` may take; default 1. Results are those of one thread, bit for bit. A backend that has
   * fewer takes those, and warns.
   */
  readonly threads?: number;
  /**
   * Makes a worker for each thread, which runs what the backend says. Without it a backend that cannot begin threads by itself, as
   * native code can, has one.
   */
  readonly workers?: () => WorkerLike;
  /**
   * Ends the load as a failure: an `AbortSignal`, or anything else that says whether it is `aborted`. Asked before and
   * after each step that takes time; one that tells its listeners ends the wait for workers, too.
   */
  readonly signal?: LoadSignal;
  /**
   * Bytes that `allocate` and `bind` can give out, where code runs on a memory of its own whose size is fixed when it is
   * loaded. Default: twice what the arguments of all functions take. A backend that takes memory from the process
   * needs none.
   */
  readonly heapBytes?: number;
}

/** A backend, as a value. */
export interface Backend<Code extends Emitted = Emitted> {
  readonly name: string;
  /** Whether it makes code for the target; not whether this machine or engine can run it, which `load` finds out. */
  serves(target: Target): boolean;
  /**
   * Compiles a bufferized module. Synchronous and pure: equal modules and options give equal code, so that what is
   * emitted may be kept under them. Fails at the operation that it has no code for.
   */
  emit(module: Module, options: EmitOptions): Diagnosed<Code>;
  /**
   * Makes emitted code ready to run, without blocking the thread longer than it has to. Fails where this machine or
   * engine cannot run it, where there is no memory for it, and where `signal` says so. Throws a TypeError (the promise is
   * rejected) for code of another backend.
   */
  load(emitted: Code, options?: LoadOptions): Promise<Diagnosed<Artifact>>;
  /** `load` at once; absent where the backend cannot. */
  loadSync?(emitted: Code, options?: LoadOptions): Diagnosed<Artifact>;
}
