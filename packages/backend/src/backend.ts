/** The interface of backends, which compile bufferized IR for a family of targets and run it. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import type { Artifact } from './artifact.ts';
import type { ConstantArgument } from './constant-arguments.ts';
import type { SavedCode, SaveOptions } from './saved-code.ts';
import type { FunctionSignature } from './signature.ts';

/**
 * Unloaded code: plain data that `structuredClone` can copy. It can be cached, sent to a worker or written to a file,
 * and loaded any number of times. Further fields are the backend's own.
 */
export interface Emitted {
  /** Name of the backend that loads it. */
  readonly backend: string;
  /** The functions of the code; `constants` are among their parameters. */
  readonly functions: readonly FunctionSignature[];
  /**
   * The arguments that an artifact passes itself, which callers see nothing of: bytes beside the code, which does not
   * depend on them. None by default.
   */
  readonly constants?: readonly ConstantArgument[];
}

/** What a backend emits for, and with which definitions of operations. */
export interface EmitOptions {
  /** A target that the backend serves. */
  readonly target: Target;
  /** Must know the module's operations, with the backend's lowering interface attached to them. */
  readonly registry: Registry;
}

/** A thread: a page's `Worker` or equivalent. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  /** `message`: the worker has posted. `error`: it has failed or died. */
  addEventListener(
    type: 'message' | 'error',
    listener: (event: { readonly data?: unknown; readonly message?: string }) => void,
  ): void;
  terminate(): unknown;
  /** Lets the process exit despite the worker; undone by `ref`. */
  unref?(): unknown;
  ref?(): unknown;
}

/** The part of an `AbortSignal` that loading uses. */
export interface LoadSignal {
  readonly aborted: boolean;
  addEventListener?(type: 'abort', listener: () => void): void;
  removeEventListener?(type: 'abort', listener: () => void): void;
}

/** How emitted code is loaded: threads, memory, a signal to stop. */
export interface LoadOptions {
  /**
   * Number of threads for `callAsync`; default 1. Results are bit-identical to those of one thread. A backend that
   * supports fewer uses those and warns.
   */
  readonly threads?: number;
  /**
   * Creates a worker per thread, running the backend's worker code. Without it only backends that start threads
   * themselves, such as native code, have more than one.
   */
  readonly workers?: () => WorkerLike;
  /**
   * Aborts the load, which then fails: an `AbortSignal`, or anything with an `aborted` flag. Checked before and after
   * each long step; a signal with listeners also ends the wait for workers.
   */
  readonly signal?: LoadSignal;
  /**
   * Bytes available to `allocate` and `bind`, for code with its own memory of fixed size. Default: twice the size of
   * all functions' arguments, and what a few bindings keep. Ignored by backends that allocate from the process.
   */
  readonly heapBytes?: number;
  /**
   * Whether code of one thread that needs little memory may share it with others that allow it, as what
   * `compileConvolution` compiles does: an engine reserves gigabytes of address space for each memory, and a page has
   * room for about a hundred. Code that writes outside of its buffers then writes into theirs. Default: false.
   * Ignored by backends that allocate from the process.
   */
  readonly sharesMemory?: boolean;
}

/** A backend, as a value. */
export interface Backend<Code extends Emitted = Emitted> {
  readonly name: string;
  /** Whether it generates code for the target; whether this machine or engine can run it is up to `load`. */
  serves(target: Target): boolean;
  /**
   * Compiles a bufferized module. Synchronous and pure: equal modules and options give equal code, so the result can be
   * cached by them. Fails at an operation without a lowering.
   */
  emit(module: Module, options: EmitOptions): Diagnosed<Code>;
  /**
   * Makes emitted code ready to run, blocking the thread as little as possible. Fails if this machine or engine cannot
   * run it, if memory is short, or if `signal` is aborted. Rejects with a TypeError for another backend's code.
   */
  load(emitted: Code, options?: LoadOptions): Promise<Diagnosed<Artifact>>;
  /** Synchronous `load`; absent if unsupported. */
  loadSync?(emitted: Code, options?: LoadOptions): Diagnosed<Artifact>;
  /**
   * The code as files, for a `CodeLoader`; absent if unsupported. It is called once, with zeros, to have its constants
   * in the form in which calls read them. Fails as `load` and that call do.
   */
  save?(emitted: Code, options?: SaveOptions): Promise<Diagnosed<SavedCode>>;
}
