/** A thread of the model's. */
import { serveWorker } from '@sconv/wasm/worker';

serveWorker(self);
