/** What loads saved libraries, and no more: `@sconv/native/load`. */
export { nativeLoader } from './load-saved.ts';
