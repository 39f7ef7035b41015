/**
 * A function as it is written, for checks of large ones: no schedule, a loop nest of scalars for each structured op.
 */
import type { FunctionSignature, RunValue } from '@sconv/backend';
import { bufferizeModule } from '@sconv/bufferization';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import { structured } from '@sconv/dialects/linalg';
import type { Module } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { convertToLoopsOp } from '@sconv/loops';
import { wasm } from '@sconv/targets';
import { wasmBackend } from '@sconv/wasm';
import { decomposeAggregates } from '../decompose-aggregates.ts';
import { defaultRegistry } from '../default-registry.ts';
import { onlyFunctions } from '../only-functions.ts';
import { indicesIn } from './index-values.ts';
import { limitWork } from './limit-work.ts';
import { poisonAllocations } from './poison-allocations.ts';

const registry = defaultRegistry;
const options = { registry, dropEquivalentBufferResults: false } as const;

/** What a call returned, and its arguments afterwards, with what it wrote into buffers. */
export interface PlainCall {
  readonly results: readonly RunValue[];
  readonly values: readonly RunValue[];
}

/**
 * Calls a function of a payload compiled for WebAssembly without its backend's kernels; the arguments are copied. Fails
 * where bufferization or the backend does; with `maxOperations`, which is asserted, floats are NaN until written.
 */
export const callPlainly = (
  payload: Module,
  name: string,
  given: readonly RunValue[],
  maxOperations?: number,
): Diagnosed<PlainCall> => {
  const codeOf = (module: Module): Module =>
    maxOperations === undefined ? scalarLoops(module) : guarded(module, maxOperations);
  return andThen(onlyFunctions(payload, { module: payload, plans: [] }, [name], registry), ({ module }) =>
    andThen(bufferizeModule(decomposeAggregates(module, registry), options), (buffers) =>
      andThen(wasmBackend.emit(codeOf(buffers), { target: wasm, registry }), (emitted) =>
        andThen(wasmBackend.loadSync(emitted, {}), (artifact) => {
          const converted = argumentsOf(
            emitted.functions.find((each) => each.name === name),
            given,
          );
          const called = andThen(converted, (values) =>
            mapSuccess(artifact.call(name, ...values), (results) => ({
              results: results.map(copyOf),
              values,
            })),
          );
          artifact.dispose();
          return called;
        }),
      ),
    ),
  );
};

/** With what an interpreter has besides: a limit of work, and elements that are no numbers until they are written. */
const guarded = (module: Module, maxOperations: number): Module =>
  limitWork(scalarLoops(poisonAllocations(module, registry)), maxOperations, registry);

const copyOf = (value: RunValue): RunValue => (typeof value === 'object' ? value.slice() : value);

/** Copies of arguments; indices as WebAssembly has them. */
const argumentsOf = (
  signature: FunctionSignature | undefined,
  given: readonly RunValue[],
): Diagnosed<readonly RunValue[]> =>
  collect([...given.entries()], ([i, value]): Diagnosed<RunValue> => {
    const parameter = signature?.parameters[i];
    const isIndex =
      parameter?.kind === 'buffer'
        ? parameter.element === 'index'
        : parameter?.type === 'i32' && typeof value === 'bigint';
    const copy = isIndex ? indicesIn(Int32Array, value) : copyOf(value);
    return copy === undefined
      ? definite(error('run/inputs', `an index of argument ${i} has more than 32 bits`, signature!.location))
      : success(copy);
  });

/** With loops in place of structured ops. What stays structured, as a copy does, is the backend's. */
const scalarLoops = (module: Module): Module =>
  edit(module, { registry }, (rewriter) => {
    const operations = [...rewriter.walk(rewriter.root)].filter(
      (operation) => structured(registry, operation)?.body !== undefined,
    );
    for (const operation of operations) convertToLoopsOp(rewriter, operation);
  }).module;
