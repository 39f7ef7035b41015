/** What only Node has: `sconv/node`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Backend, WorkerLike } from '@sconv/backend';
import { DiagnosticError, error } from '@sconv/diagnostics';
import { emulatedBackend, nativeBackend } from '@sconv/native';
import { defaultBackends } from './default-backends.ts';
import { packageFile } from './package-file.ts';

export { detectHost } from './host-machine.ts';
export type { Host, HostSystem } from './host-machine.ts';

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
 * For `LoadOptions.workers`: creates workers that run the threads of WebAssembly artifacts. In a bundled program it takes
 * the worker's file from the installed package. Throws a `DiagnosticError` (`sconv/no-worker-file`) where there is none.
 */
export const nodeWorkers = (): WorkerLike =>
  // The worker's own file does not need this process's module resolution options.
  asWorker(new Worker(workerFile(), { execArgv: [] }));

/** The manifest of the installed package, found from a file. */
const manifestFrom = (file: string): URL =>
  pathToFileURL(createRequire(resolve(file)).resolve('sconv/package.json'));

/** The manifest, if this is the package's: a bundled program has others around it, or does not even know its own address. */
const ownManifest = (find: () => URL): readonly URL[] => {
  try {
    const manifest = find();
    const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: string };
    return name === 'sconv' ? [manifest] : [];
  } catch {
    return [];
  }
};

/** The file of Node's workers: of this package, or of the one that is installed for the program or its working folder. */
const workerFile = (): URL => {
  const [manifest] = [
    () => packageFile('package.json'),
    () => manifestFrom(process.argv[1] ?? ''),
    () => manifestFrom('package.json'),
  ].flatMap(ownManifest);
  if (manifest !== undefined) return new URL('bin/worker.js', manifest);
  const message =
    'this program is bundled, and sconv is not installed next to it: install it, or pass as workers' +
    ' () => asWorker(new Worker(file)), with a file of yours that calls serveWorker(parentPort) of @sconv/wasm/worker';
  throw new DiagnosticError([
    error('sconv/no-worker-file', message, { kind: 'name', name: 'nodeWorkers', child: { kind: 'unknown' } }),
  ]);
};

/**
 * `defaultBackends`, and native code through LLVM 19, which has to be installed. What this processor cannot run is run
 * by an emulator, if installed.
 */
export const nodeBackends: readonly Backend[] = [...defaultBackends, nativeBackend];

/** `nodeBackends` with native code always run by an emulator. */
export const emulatedBackends: readonly Backend[] = [...defaultBackends, emulatedBackend];
