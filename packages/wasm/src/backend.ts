/** WebAssembly as a backend. */
import type { Backend } from '@sconv/backend';
import { emitModule } from './emit-module.ts';
import { loadModule, loadModuleSync } from './load.ts';
import type { WasmModule } from './wasm-module.ts';
import { backendName } from './wasm-module.ts';

/**
 * Serves targets of the instruction set `wasm32`; uses relaxed SIMD if the target's vector unit fuses multiply and add,
 * and divides tiles into register tiles by the target's speeds.
 * Can also load synchronously; the threads then start in the background. Asynchronous calls run the iterations of
 * `scf.forall` on the threads of the load; `allocate` takes arrays from a heap that cannot grow.
 */
export const wasmBackend: Backend<WasmModule> & Required<Pick<Backend<WasmModule>, 'loadSync'>> = {
  name: backendName,
  serves: ({ machine }) => machine.isa === 'wasm32',
  emit: (module, { target, registry }) =>
    emitModule(module, {
      registry,
      relaxed: target.machine.vector?.fused ?? false,
      speeds: target.speeds,
    }),
  load: loadModule,
  loadSync: loadModuleSync,
};
