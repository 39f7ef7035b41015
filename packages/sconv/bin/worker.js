import { parentPort } from 'node:worker_threads';
import { serveWorker } from '@sconv/wasm/worker';

serveWorker(parentPort);
