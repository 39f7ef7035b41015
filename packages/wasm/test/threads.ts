/** Node workers that run this package's worker, bundled from source. */
import { Worker } from 'node:worker_threads';
import type { WorkerLike } from '@sconv/backend';
import { rolldown } from 'rolldown';

const entry = `import { parentPort } from 'node:worker_threads';
import { serveWorker } from '${new URL('../src/worker.ts', import.meta.url).pathname}';
serveWorker(parentPort);`;

const bundled = async (text: string): Promise<string> => {
  const build = await rolldown({
    input: 'entry',
    platform: 'node',
    resolve: { conditionNames: ['@sconv/source'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : undefined),
        load: (id) => (id === 'entry' ? text : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'cjs' });
  return output[0].code;
};

const code = await bundled(entry);

/** A worker as a page has them. */
export const workerOf = (text: string): WorkerLike => {
  const worker = new Worker(text, { eval: true, execArgv: [] });
  return {
    postMessage: (message) => {
      worker.postMessage(message);
    },
    addEventListener: (type, listener) => {
      if (type === 'message') worker.on('message', (data: unknown) => listener({ data }));
      else {
        worker.on('error', ({ message }) => listener({ message }));
        worker.on('exit', (exitCode) => listener({ message: `exit code ${exitCode}` }));
      }
    },
    terminate: () => worker.terminate(),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  };
};

export const workers = (): WorkerLike => workerOf(code);
