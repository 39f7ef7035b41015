/** The backends of the facade and the commands. */
import type { Backend } from '@sconv/backend';
import { wasmBackend } from '@sconv/wasm';

/** All backends that also run in a browser; the first that serves a target is used. */
export const defaultBackends: readonly Backend[] = [wasmBackend];
