/** Native code as a backend. */
import type { Backend } from '@sconv/backend';
import { emitNative } from './emit.ts';
import { loadEmulated, loadNative } from './load.ts';
import type { NativeModule } from './native-module.ts';
import { backendName } from './native-module.ts';
import { processorOf } from './processor.ts';
import { saveNative } from './save.ts';

/**
 * Serves targets of x86-64 and aarch64 with vectors, and POWER10's MMA and Arm's SME. If this machine supports the
 * target, `load` runs the code in this process, without bounds checks, so it is as trusted as the payload. Otherwise
 * it builds a program for an emulator. Needs LLVM 19's tools.
 */
export const nativeBackend: Backend<NativeModule> = {
  name: backendName,
  serves: ({ machine }) => processorOf(machine) !== undefined,
  emit: emitNative,
  load: loadNative,
  save: saveNative,
};

/** `nativeBackend`, but always under an emulator, even if the processor supports the code. */
export const emulatedBackend: Backend<NativeModule> = { ...nativeBackend, load: loadEmulated };
