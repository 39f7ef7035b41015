/** What is there in Node alone: `sconv/node`. */
import { Worker } from 'node:worker_threads';
import type { Backend, WorkerLike } from '@sconv/backend';
import { emulatedBackend, nativeBackend } from '@sconv/native';
import { defaultBackends } from './default-backends.ts';

/** What of a `Worker` of `node:worker_threads` is used. */
export interface NodeWorker {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (data: unknown) => void): unknown;
  on(event: 'error', listener: (problem: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): unknown;
  ref(): void;
  unref(): void;
}

/** A worker of Node as `LoadOptions.workers` makes them: for one that runs a file of your own. */
export const asWorker = (worker: NodeWorker): WorkerLike => ({
  postMessage: (message) => {
    worker.postMessage(message);
  },
  addEventListener: (type, listener) => {
    if (type === 'message') {
      worker.on('message', (data: unknown) => {
        listener({ data });
      });
    } else {
      worker.on('error', (problem: Error) => {
        listener({ message: problem.message });
      });
      worker.on('exit', (code) => {
        listener({ message: `exit code ${code}` });
      });
    }
  },
  terminate: () => worker.terminate(),
  ref: () => {
    worker.ref();
  },
  unref: () => {
    worker.unref();
  },
});

/** Makes workers for `LoadOptions.workers`, which run the threads of WebAssembly artifacts. */
export const nodeWorkers = (): WorkerLike =>
  // What the options of this process say of how modules are found, the worker's own file does not need.
  asWorker(new Worker(new URL('../bin/worker.js', import.meta.url), { execArgv: [] }));

/**
 * `defaultBackends`, and native code through LLVM 19, which has to be installed. What this processor cannot run, an emulator runs
 * where one is installed.
 */
export const nodeBackends: readonly Backend[] = [...defaultBackends, nativeBackend];

/** `nodeBackends` whose native code an emulator runs, also where this processor could. */
export const emulatedBackends: readonly Backend[] = [...defaultBackends, emulatedBackend];
