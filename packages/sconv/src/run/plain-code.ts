/**
 * A function as it is written, for checks of large ones: no schedule, a loop nest of scalars for each structured op.
 */
import type { RunValue } from '@sconv/backend';
import { bufferizeModule } from '@sconv/bufferization';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess } from '@sconv/diagnostics';
import { structured } from '@sconv/dialects/linalg';
import type { Module } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { convertToLoopsOp } from '@sconv/loops';
import { wasm } from '@sconv/targets';
import { wasmBackend } from '@sconv/wasm';
import { defaultRegistry } from '../default-registry.ts';
import { onlyFunctions } from '../only-functions.ts';

const registry = defaultRegistry;

/** What a call returned, and its arguments afterwards, with what it wrote into buffers. */
export interface PlainCall {
  readonly results: readonly RunValue[];
  readonly values: readonly RunValue[];
}

/**
 * Calls a function of a payload compiled for WebAssembly without its backend's kernels; the arguments are copied. Fails
 * where bufferization or the backend does.
 */
export const callPlainly = (
  payload: Module,
  name: string,
  given: readonly RunValue[],
): Diagnosed<PlainCall> =>
  andThen(onlyFunctions(payload, { module: payload, plans: [] }, [name], registry), ({ module }) =>
    andThen(bufferizeModule(module, { registry, dropEquivalentBufferResults: false }), (buffers) =>
      andThen(wasmBackend.emit(scalarLoops(buffers), { target: wasm, registry }), (emitted) =>
        andThen(wasmBackend.loadSync(emitted, {}), (artifact) => {
          const values = given.map((value) => (typeof value === 'object' ? value.slice() : value));
          const called = mapSuccess(artifact.call(name, ...values), (results) => ({
            results: results.map((value) => (typeof value === 'object' ? value.slice() : value)),
            values,
          }));
          artifact.dispose();
          return called;
        }),
      ),
    ),
  );

/** With loops in place of structured ops. What stays structured, as a copy does, is the backend's. */
const scalarLoops = (module: Module): Module =>
  edit(module, { registry }, (rewriter) => {
    const operations = [...rewriter.walk(rewriter.root)].filter(
      (operation) => structured(registry, operation)?.body !== undefined,
    );
    for (const operation of operations) convertToLoopsOp(rewriter, operation);
  }).module;
