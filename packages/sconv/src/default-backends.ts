/** The backends that the facade and the commands use. */
import type { Backend } from '@sconv/backend';
import { wasmBackend } from '@sconv/wasm';

/** Every backend that runs in a browser too; of several that serve a target the first is taken. */
export const defaultBackends: readonly Backend[] = [wasmBackend];
