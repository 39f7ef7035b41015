/** From a payload with any of the project's operations, and any schedule, to running code. */
import { computePartsInPlace } from '@sconv/bufferization';
import type { Diagnosed } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { inChosenLayouts, withChosenLayouts } from './choose-layouts.ts';
import type { CompiledModule, CompileOptions, EmittedPayload, OtherSteps } from './compile-payload.ts';
import { compilePayload, compilePayloadSync, emitPausing, emitPayloadBy } from './compile-payload.ts';
import { decomposeAggregates } from './decompose-aggregates.ts';
import { defaultRegistry } from './default-registry.ts';
import { outlinePayload } from './outline-payload.ts';
import { withPackedPlanes } from './packed-planes.ts';
import { pause } from './pause.ts';

/** The steps of all payloads. */
const otherSteps: OtherSteps = {
  chooseLayouts: { apply: withChosenLayouts, schedule: inChosenLayouts },
  outline: outlinePayload,
  packPlanes: withPackedPlanes,
  decompose: decomposeAggregates,
  placeParts: (module, registry) =>
    edit(module, { registry }, (rewriter) => {
      computePartsInPlace(rewriter, rewriter.root);
    }).module,
};

export type { CompiledModule, CompileOptions, CompileStep } from './compile-payload.ts';

/**
 * Compiles a payload: its public functions with bodies become those of the artifact. Functions with tensor results
 * return buffers, namely the arguments that they write in place, where possible. `linalg.softmax` of tensors that the
 * schedule leaves is decomposed.
 *
 * Fails as the schedule, bufferization and the backend do; with `backend/no-backend` for a target that none serves,
 * with `sconv/option` and `sconv/unknown-option` for invalid options, and with `sconv/aborted` if `signal` is aborted
 * before a step. Warnings of all steps are kept: `sconv/unscheduled` for a convolution that no transform has touched,
 * `sconv/slow-tile` for a microkernel of a given schedule that the target computes slowly, `sconv/unfused` for an
 * elementwise op that the target's schedule leaves after an op that it does not slice.
 */
export const compileModule = (
  payload: Module,
  options: CompileOptions = {},
): Promise<Diagnosed<CompiledModule>> => compilePayload(payload, options, defaultRegistry, otherSteps);

/** `compileModule` that leaves the thread to others before each step, so that a signal can be aborted meanwhile. */
export const compileModuleWithPauses = (
  payload: Module,
  options: CompileOptions,
): Promise<Diagnosed<CompiledModule>> => compilePayload(payload, options, defaultRegistry, withPauses);

/** `compileModuleWithPauses` up to the code, without loading it. */
export const emitWithPauses = (
  payload: Module,
  options: CompileOptions,
): Promise<Diagnosed<EmittedPayload>> => emitPausing(payload, options, defaultRegistry, withPauses);

/** The steps, each of them in a turn of the event loop of its own. */
const withPauses: OtherSteps = { ...otherSteps, pause };

/**
 * Synchronous `compileModule`: in Node, in workers, and for small modules on a page. Fails with `sconv/no-sync-load` if
 * the backend cannot.
 */
export const compileModuleSync = (payload: Module, options: CompileOptions = {}): Diagnosed<CompiledModule> =>
  compilePayloadSync(payload, options, defaultRegistry, otherSteps);

/** `compileModule` up to the code, without loading it. */
export const emitPayload = (payload: Module, options: CompileOptions): Diagnosed<EmittedPayload> =>
  emitPayloadBy(payload, options, defaultRegistry, otherSteps);
