/** WebAssembly as a backend. */
import type { Backend } from '@sconv/backend';
import { tileUnit, wasm, wasmRelaxed } from '@sconv/targets';
import { emitModule } from './emit-module.ts';
import { loadModule, loadModuleSync } from './load.ts';
import { saveModule } from './save.ts';
import type { WasmModule } from './wasm-module.ts';
import { backendName } from './wasm-module.ts';

/**
 * Serves targets of the instruction set `wasm32`; uses relaxed SIMD if the target's vector unit fuses multiply and add,
 * and divides tiles into register tiles by the target's speeds, or those of the shipped one.
 * Can also load synchronously; the threads then start in the background. Asynchronous calls run the iterations of
 * `scf.forall` on the threads of the load; `allocate` takes arrays from a heap that cannot grow.
 */
export const wasmBackend: Backend<WasmModule> & Required<Pick<Backend<WasmModule>, 'loadSync' | 'save'>> = {
  name: backendName,
  serves: ({ machine }) => machine.isa === 'wasm32',
  emit: (module, { target: { machine, speeds }, registry }) => {
    const relaxed = machine.vector?.fused ?? false;
    const shipped = relaxed ? wasmRelaxed : wasm;
    const tiles = tileUnit({ machine, speeds: speeds ?? shipped.speeds! });
    return emitModule(module, { registry, relaxed, tiles });
  },
  load: loadModule,
  loadSync: loadModuleSync,
  save: saveModule,
};
