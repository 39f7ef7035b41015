/** Native code as a backend. */
import type { Backend } from '@sconv/backend';
import { emitNative } from './emit.ts';
import { loadNative } from './load.ts';
import type { NativeModule } from './native-module.ts';
import { backendName } from './native-module.ts';
import { processorOf } from './processor.ts';

/**
 * Serves targets of x86-64 and aarch64 with vectors; whether this machine is one, and has the extension, `load` finds out. Takes the tools of LLVM 19. Code runs in this process, as trusted as the payload: nothing checks its indices.
 */
export const nativeBackend: Backend<NativeModule> = {
  name: backendName,
  serves: ({ machine }) => processorOf(machine) !== undefined,
  emit: emitNative,
  load: loadNative,
};
