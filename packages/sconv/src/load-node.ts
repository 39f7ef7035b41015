/** What loads programs in Node only, without the compiler: `sconv/load-node`. */
import type { CodeLoader } from '@sconv/backend';
import { nativeLoader } from '@sconv/native/load';
import { wasmLoader } from '@sconv/wasm/load';

/** For `loadModel`: programs for WebAssembly, and native code. */
export const nodeLoaders: readonly CodeLoader[] = [wasmLoader, nativeLoader];

export { asWorker, nodeWorkers } from './node-workers.ts';
export type { NodeWorker } from './node-workers.ts';
