/** The backends of Node. */
import type { Backend } from '@sconv/backend';
import { emulatedBackend, nativeBackend } from '@sconv/native';
import { defaultBackends } from './default-backends.ts';

/**
 * `defaultBackends`, and native code through LLVM 19, which has to be installed. What this processor cannot run is run
 * by an emulator, if installed.
 */
export const nodeBackends: readonly Backend[] = [...defaultBackends, nativeBackend];

/** `nodeBackends` with native code always run by an emulator. */
export const emulatedBackends: readonly Backend[] = [...defaultBackends, emulatedBackend];
