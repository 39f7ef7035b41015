/** The workers of a threaded artifact, and the calls that they run. */
import type { FunctionSignature, WorkerLike } from '@sconv/backend';
import { whenDropped } from '@sconv/backend/runtime';
import type { Diagnosed, Diagnostic, Location } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { EngineMemory, EngineModule } from './engine-types.ts';
import type { Fault, FromWorker, StartMessage } from './thread-protocol.ts';
import { controlBytes, readFault, readValues, word, wordsOf, writeValues } from './thread-protocol.ts';
import { trapDiagnostic } from './trap-diagnostic.ts';
import type { WasmModule } from './wasm-module.ts';

/** How long workers may be silent while they start. */
const startSeconds = 7;

export interface PoolOptions {
  readonly module: WasmModule;
  readonly compiled: EngineModule;
  /** Shared. */
  readonly memory: EngineMemory;
  readonly threads: number;
  readonly createWorker: () => WorkerLike;
  /** The scratch memory of the caller's instance, which the first worker shares. */
  readonly scratch: number;
  /** Where the helpers have `WasmModule.threadScratch`. */
  readonly helperPlaces: readonly number[];
}

export interface ThreadPool {
  /** Resolves when the workers have started: undefined, or why they have not. */
  readonly started: Promise<Diagnostic | undefined>;
  /** Why the workers are gone; undefined while they run. */
  failure(): Diagnostic | undefined;
  /** Runs an export; one call at a time. Fails if a worker ends. */
  call(signature: FunctionSignature, values: readonly (number | bigint)[]): Promise<Diagnosed<unknown>>;
  /** Terminates the workers and their work. */
  terminate(): void;
}

/**
 * Creates and starts the workers of an artifact, which end when they are terminated, or nobody refers to the pool any
 * more.
 */
export const createThreadPool = (options: PoolOptions): ThreadPool => {
  const { module, compiled, memory, threads, createWorker, scratch, helperPlaces } = options;
  const location = module.functions[0]!.location;
  const values = module.functions.flatMap(({ parameters, results }) => [parameters.length, results.length]);
  const control = new SharedArrayBuffer(controlBytes(Math.max(0, ...values)));
  const words = wordsOf(control);
  const { waitAsync } = Atomics as Waiting;
  const workers: WorkerLike[] = [];
  let failure: Diagnostic | undefined;
  let settle: ((outcome: Diagnosed<unknown>) => void) | undefined;
  let settleStart: (problem: Diagnostic | undefined) => void;
  const started = new Promise<Diagnostic | undefined>((resolve) => {
    settleStart = resolve;
  });
  let running: FunctionSignature | undefined;

  const end = (problem: Diagnostic): void => {
    failure ??= problem;
    for (const worker of workers) worker.terminate();
    // Nobody else does, and a promise of `waitAsync` keeps its memory.
    Atomics.notify(words, word.ended);
    settleStart(failure);
    settle?.(definite(failure));
    settle = undefined;
  };
  const failed = (reason: string): void => {
    end(workerEnded(reason, location));
  };

  // A script that serves something else, or nothing, never answers.
  const waitForNext = () =>
    setTimeout(() => {
      failed(
        `it has not started within ${startSeconds} s: does its script call serveWorker of @sconv/wasm/worker?`,
      );
    }, 1000 * startSeconds);
  let limit = waitForNext();
  void started.then(() => {
    clearTimeout(limit);
  });
  let ready = 0;
  const receive = ({ kind }: FromWorker): void => {
    if (kind === 'ended') {
      finish();
      return;
    }
    ready += 1;
    clearTimeout(limit);
    if (ready < threads) {
      limit = waitForNext();
      return;
    }
    // From now on only a pending call keeps the process alive.
    for (const worker of workers) worker.unref?.();
    settleStart(undefined);
  };
  const finish = (): void => {
    if (failure !== undefined) return;
    workers[0]!.unref?.();
    const fault = readFault(control);
    settle?.(fault === undefined ? success(outcomeOf(control)) : faultOutcome(module, running!, fault));
    settle = undefined;
  };

  try {
    for (let position = 0; position < threads; position++) {
      const worker = createWorker();
      workers.push(worker);
      worker.addEventListener('message', ({ data }) => {
        // Workers of this pool send nothing else.
        receive(data as FromWorker);
      });
      worker.addEventListener('error', ({ message }) => {
        // A script that is not found gives an event without a message.
        failed(message ?? notLoaded());
      });
      const start: StartMessage = {
        kind: 'start',
        module: compiled,
        memory,
        control,
        position,
        threads,
        scratch: position === 0 ? scratch : helperPlaces[position - 1]! - module.threadScratch.at,
        data: helperPlaces[Math.max(0, position - 1)]!,
        parallel: module.parallel,
        functions: module.functions.map(({ name }) => name),
        messages: waitAsync === undefined,
      };
      worker.postMessage(start);
    }
  } catch (problem) {
    // A function that checks what it returns says what is wrong.
    const [own] = (problem as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? [];
    if (own !== undefined) end(own);
    else failed(problem instanceof Error ? problem.message : String(problem));
  }

  const pool: ThreadPool = {
    started,
    failure: () => failure,
    call: async (signature, values) => {
      await started;
      if (failure !== undefined) return definite(failure);
      running = signature;
      workers[0]!.ref?.();
      const outcome = new Promise<Diagnosed<unknown>>((resolve) => {
        settle = resolve;
      });
      Atomics.store(words, word.function, module.functions.indexOf(signature));
      writeValues(control, values);
      Atomics.store(words, word.fault, 0);
      const before = Atomics.add(words, word.call, 1);
      Atomics.notify(words, word.call);
      // Wakes the helpers together with the first worker: they are ready when it forks.
      Atomics.notify(words, word.generation);
      if (waitAsync !== undefined) void ended(waitAsync(words, word.ended, before)).then(finish);
      return outcome;
    },
    terminate: () => {
      end(error('wasm/worker', 'the artifact was disposed of', location));
    },
  };
  // The workers refer to `end`, but not to the pool.
  whenDropped(pool, () => {
    end(error('wasm/worker', 'nobody refers to the artifact', location));
  });
  return pool;
};

/** What `Atomics.waitAsync` returns. */
type Wait = { readonly async: false } | { readonly async: true; readonly value: Promise<unknown> };

/** `Atomics`, in engines that wait on memory without blocking too. */
interface Waiting {
  readonly waitAsync?: (words: Int32Array, position: number, value: number) => Wait;
}

const ended = async (wait: Wait): Promise<void> => {
  if (wait.async) await wait.value;
};

/** As an export returns it: nothing, a value, or an array of them. */
const outcomeOf = (control: SharedArrayBuffer): unknown => {
  const values = readValues(control);
  return values.length > 1 ? values : values[0];
};

/** The part of a resource's timing that tells a failed request. */
interface Request {
  readonly name: string;
  readonly responseStatus?: number;
}

/**
 * Why a worker has failed without a message: its script is missing. A failed request of the page may be that for it, or
 * for anything else.
 */
const notLoaded = (): string => {
  const requests = performance.getEntriesByType('resource') as readonly Request[];
  const address = requests.findLast(({ responseStatus = 0 }) => responseStatus >= 400)?.name;
  const perhaps = address === undefined ? '' : ` (perhaps ${address})`;
  return `its script cannot be loaded${perhaps}: is the address that it was created with right?`;
};

const workerEnded = (reason: string, location: Location): Diagnostic =>
  error('wasm/worker', `a worker has ended: ${reason}`, location);

/** The failure for a fault; rethrows what an execution of the code cannot cause. */
const faultOutcome = (
  module: WasmModule,
  signature: FunctionSignature,
  { reason, name, message }: Fault,
): Diagnosed<never> => {
  const thrown = new (name === 'RuntimeError' ? WebAssembly.RuntimeError : Error)(message);
  const diagnostic = module.traps[reason - 1] ?? trapDiagnostic(thrown, signature);
  return definite(diagnostic ?? workerEnded(message, signature.location));
};
