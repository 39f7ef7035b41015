/** What is there in Node alone: `sconv/node`. */
import { Worker } from 'node:worker_threads';
import type { WorkerLike } from '@sconv/backend';

/** Makes workers of Node for `LoadOptions.workers`, which run the threads of WebAssembly artifacts. */
export const nodeWorkers = (): WorkerLike => {
  // What the options of this process say of how modules are found, the worker's own file does not need.
  const worker = new Worker(new URL('../bin/worker.js', import.meta.url), { execArgv: [] });
  return {
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
          listener(problem);
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
  };
};
