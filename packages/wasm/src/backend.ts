/** WebAssembly as a backend. */
import type { Backend } from '@sconv/backend';
import { emitModule } from './emit-module.ts';
import { loadModule, loadModuleSync } from './load.ts';
import type { WasmModule } from './wasm-module.ts';
import { backendName } from './wasm-module.ts';

/**
 * Serves targets of the instruction set `wasm32`: with relaxed SIMD those whose vector unit fuses multiplication and
 * addition. Loads at once, too, its threads then beginning meanwhile. Promised
 * calls take the threads of the load for the iterations of `scf.forall`; `allocate` gives arrays of a heap that cannot grow.
 */
export const wasmBackend: Backend<WasmModule> & Required<Pick<Backend<WasmModule>, 'loadSync'>> = {
  name: backendName,
  serves: ({ machine }) => machine.isa === 'wasm32',
  emit: (module, { target, registry }) =>
    emitModule(module, { registry, relaxed: target.machine.vector?.fused ?? false }),
  load: loadModule,
  loadSync: loadModuleSync,
};
