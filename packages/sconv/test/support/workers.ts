/** Node workers running the same file as `nodeWorkers`, bundled from the sources. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { WorkerLike } from '@sconv/backend';
import { rolldown } from 'rolldown';
import { asWorker } from '../../src/node.ts';

const build = await rolldown({
  input: fileURLToPath(new URL('../../bin/worker.js', import.meta.url)),
  platform: 'node',
  resolve: { conditionNames: ['@sconv/source'] },
});
const { output } = await build.generate({ format: 'cjs' });
const [{ code }] = output;

export const workers = (): WorkerLike => asWorker(new Worker(code, { eval: true, execArgv: [] }));
