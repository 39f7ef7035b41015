/** Native code as a backend. */
import type { Backend } from '@sconv/backend';
import { emitNative } from './emit.ts';
import { loadEmulated, loadNative } from './load.ts';
import type { NativeModule } from './native-module.ts';
import { backendName } from './native-module.ts';
import { processorOf } from './processor.ts';

/**
 * Serves targets of x86-64 and aarch64 with vectors, and POWER10's MMA and Arm's SME. `load` finds out whether this machine is one,
 * and has the extension: then code runs in this process, as trusted as the payload, and nothing checks its indices. Else it is a
 * program that an emulator runs. Takes the tools of LLVM 19.
 */
export const nativeBackend: Backend<NativeModule> = {
  name: backendName,
  serves: ({ machine }) => processorOf(machine) !== undefined,
  emit: emitNative,
  load: loadNative,
};

/** `nativeBackend` whose code an emulator runs, also where the processor could. */
export const emulatedBackend: Backend<NativeModule> = { ...nativeBackend, load: loadEmulated };
