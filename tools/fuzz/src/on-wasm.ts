/** Runs a program of the native generator on WebAssembly. */
import { DiagnosticError, render } from '@sconv/diagnostics';
import { wasm } from '@sconv/targets';
import { wasmBackend } from '@sconv/wasm';
import { defaultRegistry as registry } from 'sconv';
import type { Fault } from './fault.ts';
import type { Sample } from './native-sample.ts';
import { difference, operationOf } from './native-sample.ts';
import { thrownText } from './run-text.ts';

/** Refusals by name, and executions that end where WebAssembly's indices, of 32 bits, do. */
const declined = new Set(['wasm/unsupported', 'wasm/dynamic-shape', 'wasm/overflow', 'wasm/index-overflow']);

/** What a program does on WebAssembly: nothing else than in the interpreter, it is refused, or it is wrong. */
export interface WasmOutcome {
  readonly refused?: string;
  readonly fault?: Fault;
}

export const onWasm = (sample: Sample): WasmOutcome => {
  const fault = (kind: Fault['kind'], message: string): WasmOutcome => ({
    fault: { kind, transform: `on wasm: ${operationOf(sample)}`, message },
  });
  try {
    const emitted = wasmBackend.emit(sample.module, { target: wasm, registry });
    if (emitted.status !== 'success') {
      const [diagnostic] = emitted.diagnostics;
      return declined.has(diagnostic!.code)
        ? { refused: diagnostic!.message }
        : fault('native', render(diagnostic!));
    }
    const loaded = wasmBackend.loadSync(emitted.value);
    if (loaded.status !== 'success') return fault('native', render(loaded.diagnostics[0]!));
    const message = difference(loaded.value, 'f', sample);
    loaded.value.dispose();
    return message === undefined ? {} : fault('result', message);
  } catch (thrown) {
    if (thrown instanceof DiagnosticError && declined.has(thrown.diagnostics[0]!.code)) {
      return { refused: thrown.diagnostics[0]!.message };
    }
    return fault('throw', thrownText(thrown));
  }
};
