/** The workers of a threaded artifact, and the calls that they run. */
import type { FunctionSignature, WorkerLike } from '@sconv/backend';
import type { Diagnosed, Diagnostic, Location } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { CallMessage, Fault, FromWorker, StartMessage } from './thread-protocol.ts';
import { controlBytes, word, wordsOf } from './thread-protocol.ts';
import { trapDiagnostic } from './trap-diagnostic.ts';
import type { WasmModule } from './wasm-module.ts';

export interface PoolOptions {
  readonly module: WasmModule;
  readonly compiled: WebAssembly.Module;
  /** Shared. */
  readonly memory: WebAssembly.Memory;
  readonly threads: number;
  readonly createWorker: () => WorkerLike;
  /** The scratch memory of the caller's instance, which the first worker shares. */
  readonly scratch: number;
  /** The helpers' scratch memories. */
  readonly helperScratch: readonly number[];
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

/** Creates and starts the workers of an artifact. */
export const createThreadPool = (options: PoolOptions): ThreadPool => {
  const { module, compiled, memory, threads, createWorker, scratch, helperScratch } = options;
  const location = module.functions[0]!.location;
  const control = new SharedArrayBuffer(controlBytes);
  const words = wordsOf(control);
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
    settleStart(failure);
    settle?.(definite(failure));
    settle = undefined;
  };
  const failed = (reason: string): void => {
    end(workerEnded(reason, location));
  };

  let ready = 0;
  const receive = (message: FromWorker): void => {
    switch (message.kind) {
      case 'ready':
        ready += 1;
        if (ready < threads) return;
        // From now on only a pending call keeps the process alive.
        for (const worker of workers) worker.unref?.();
        settleStart(undefined);
        return;
      case 'returned':
        finish(success(message.outcome));
        return;
      case 'faulted':
        finish(faultOutcome(module, running!, message.fault));
        return;
    }
  };
  const finish = (outcome: Diagnosed<unknown>): void => {
    workers[0]!.unref?.();
    settle?.(outcome);
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
        failed(message ?? 'for a reason that it does not tell');
      });
      const start: StartMessage = {
        kind: 'start',
        module: compiled,
        memory,
        control,
        position,
        threads,
        scratch: position === 0 ? scratch : helperScratch[position - 1]!,
        data: helperScratch[Math.max(0, position - 1)]!,
        parallel: module.parallel,
      };
      worker.postMessage(start);
    }
  } catch (problem) {
    failed(problem instanceof Error ? problem.message : String(problem));
  }

  return {
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
      const message: CallMessage = { kind: 'call', name: signature.name, values };
      workers[0]!.postMessage(message);
      // Wakes the helpers while the first worker gets the message: they are ready when it forks.
      Atomics.notify(words, word.generation);
      return outcome;
    },
    terminate: () => {
      end(error('wasm/worker', 'the artifact was disposed of', location));
    },
  };
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
