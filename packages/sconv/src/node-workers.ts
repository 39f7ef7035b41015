/** Threads of WebAssembly artifacts in Node. */
import { Worker } from 'node:worker_threads';
import type { WorkerLike } from '@sconv/backend';
import { packageFile } from './package-file.ts';
import { installedManifests, workerFile } from './worker-file.ts';

/** The part of a `node:worker_threads` `Worker` that is used. */
export interface NodeWorker {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (data: unknown) => void): unknown;
  on(event: 'error', listener: (problem: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): unknown;
  ref(): void;
  unref(): void;
}

/** Wraps a Node worker, e.g. one that runs your own file, for `LoadOptions.workers`. */
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

/**
 * For `LoadOptions.workers`: creates workers that run the threads of WebAssembly artifacts. In a bundled program it
 * takes the worker's file from the installed package. Throws a `DiagnosticError` (`sconv/no-worker-file`) where there
 * is none.
 */
export const nodeWorkers = (): WorkerLike =>
  // The worker's own file does not need this process's module resolution options.
  asWorker(
    new Worker(
      workerFile([packageFile('package.json'), ...installedManifests(process.argv[1] ?? '', 'package.json')]),
      { execArgv: [] },
    ),
  );
