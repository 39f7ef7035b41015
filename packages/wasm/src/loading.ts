/** What loads saved modules, and no more: `@sconv/wasm/load`. */
export { wasmLoader } from './load-saved.ts';
