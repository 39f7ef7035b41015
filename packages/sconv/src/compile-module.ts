/** The one way from a payload to code that runs: scheduled, bufferized, emitted by the target's backend, loaded. */
import type { Artifact, Backend, Emitted, LoadOptions } from '@sconv/backend';
import { backendFor } from '@sconv/backend';
import { oneShotBufferize, sinkFills } from '@sconv/bufferization';
import type { CostModelName, EdgeChoice } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import { edit } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import { wasm } from '@sconv/targets';
import { namesProblem, schedulingProblem, targetProblem, threadsProblem } from './check-options.ts';
import { defaultBackends } from './default-backends.ts';
import { defaultRegistry } from './default-registry.ts';
import { onlyFunctions } from './only-functions.ts';
import type { ScheduleChoice } from './schedule-payload.ts';
import { schedulePayload } from './schedule-payload.ts';
import type { PlannedConvolution } from './target-schedule.ts';
import { unscheduledConvolutions } from './unscheduled-convolutions.ts';

/** What is done next. */
export type CompileStep = 'schedule' | 'bufferize' | 'emit' | 'load';

/**
 * How a payload is compiled and loaded. Each convolution is shared out over the `threads` of the load in the schedule that the
 * target asks for.
 */
export interface CompileOptions extends LoadOptions {
  /** What to compile for, and to plan for; default `wasm`. */
  readonly target?: Target;
  /**
   * A recorded schedule, or a script as a module. Default: the one that the target asks for, which slices each
   * convolution on tensors that `convolutionsOf` names by the plan that suits it, and leaves all else as it is; `is` or `ws` for the
   * same with the input or the filters stationary.
   */
  readonly schedule?: ScheduleChoice;
  /** By which the target's schedule chooses a plan; default `sc`. */
  readonly costModel?: CostModelName;
  /** What becomes of windows and filters that fill no tile in the target's schedule; default `best`. */
  readonly edges?: EdgeChoice;
  /** The functions that are compiled, with those that they call; default: all. The schedule works on all of them. */
  readonly functions?: readonly string[];
  /** Of which the first that serves the target is taken; default `defaultBackends`. */
  readonly backends?: readonly Backend[];
  /** Knows the ops of payload and schedule; default `defaultRegistry`. */
  readonly registry?: Registry;
  /** Called before each step, with the module as it then is. */
  readonly onStep?: (step: CompileStep, module: Module) => void;
}

/** A payload's code, loaded, and how it came about. */
export interface CompiledModule extends Artifact {
  /** As it was given, after its schedule, and on buffers. */
  readonly stages: { readonly payload: Module; readonly scheduled: Module; readonly bufferized: Module };
  /** The convolutions that were sliced. */
  readonly plans: readonly PlannedConvolution[];
  readonly backend: Backend;
  /** To be kept, or loaded again: `backend.load(emitted)`. */
  readonly emitted: Emitted;
}

const optionNames: readonly (keyof CompileOptions)[] = [
  'target',
  'schedule',
  'costModel',
  'edges',
  'functions',
  'backends',
  'registry',
  'threads',
  'workers',
  'signal',
  'heapBytes',
  'onStep',
];

/**
 * Compiles a payload: its public functions with bodies become those of the artifact. Functions whose results are tensors
 * return buffers, those of the arguments that they write into where that is so.
 *
 * Fails as the schedule, bufferization and the backend do; with `backend/no-backend` for a target that none serves, with
 * `sconv/option` and `sconv/unknown-option` for options that are none, and with `sconv/aborted` where `signal` says so before
 * a step. Warnings of all steps are kept; a convolution that no transform has touched is one, `sconv/unscheduled`.
 */
export const compileModule = async (
  payload: Module,
  options: CompileOptions = {},
): Promise<Diagnosed<CompiledModule>> => {
  const prepared = emitPayload(payload, options);
  if (prepared.status !== 'success') return prepared;
  const { backend, emitted, stages } = prepared.value;
  options.onStep?.('load', stages.bufferized);
  const artifact = await backend.load(emitted, loadOptions(options));
  return andThen(prepared, (code) => mapSuccess(artifact, (loaded) => ({ ...loaded, ...code })));
};

/**
 * `compileModule` at once: in Node, in workers, and for small modules on a page. Fails with `sconv/no-sync-load` for a
 * backend that cannot.
 */
export const compileModuleSync = (payload: Module, options: CompileOptions = {}): Diagnosed<CompiledModule> =>
  andThen(emitPayload(payload, options), (code) => {
    const { backend, emitted, stages } = code;
    options.onStep?.('load', stages.bufferized);
    const artifact = backend.loadSync?.(emitted, loadOptions(options));
    if (artifact !== undefined) return mapSuccess(artifact, (loaded) => ({ ...loaded, ...code }));
    const message = `backend '${backend.name}' does not load at once: take compileModule`;
    return definite(error('sconv/no-sync-load', message, payload.root.location));
  });

/** All of a compiled module but what is loaded. */
export type EmittedPayload = Omit<CompiledModule, keyof Artifact>;

/** `compileModule` up to the code, which is not loaded. */
export const emitPayload = (payload: Module, options: CompileOptions): Diagnosed<EmittedPayload> => {
  const { target = wasm, backends = defaultBackends, registry = defaultRegistry, signal, onStep } = options;
  const wrong =
    namesProblem('compileModule', options, optionNames) ??
    targetProblem('compileModule', target) ??
    schedulingProblem('compileModule', options) ??
    threadsProblem('compileModule', options.threads);
  if (wrong !== undefined) return definite(wrong);
  const running = { registry, ...(signal === undefined ? {} : { signal }) };
  const step = <T>(name: CompileStep, module: Module, run: () => Diagnosed<T>): Diagnosed<T> => {
    onStep?.(name, module);
    if (signal?.aborted !== true) return run();
    return definite(error('sconv/aborted', 'the caller stopped the compilation', module.root.location));
  };
  const scheduling = () =>
    andThen(schedulePayload(payload, { ...options, target }, running), (all) =>
      andThen(onlyFunctions(payload, all, options.functions, registry), (scheduled) =>
        success(
          scheduled,
          unscheduledConvolutions(payload, scheduled.module, typeof options.schedule === 'object'),
        ),
      ),
    );
  return andThen(backendFor(target, backends), (backend) =>
    andThen(step('schedule', payload, scheduling), ({ module: scheduled, plans }) => {
      // A result stays one, so that nobody has to know which arguments a function writes into.
      const bufferizing = () =>
        mapSuccess(
          oneShotBufferize(scheduled, { registry, dropEquivalentBufferResults: false }),
          // Loops begin with the fill of each part, which need not be read again then.
          (module) => edit(module, { registry }, (rewriter) => sinkFills(rewriter, rewriter.root)).module,
        );
      return andThen(step('bufferize', scheduled, bufferizing), (bufferized) => {
        const emitting = () => backend.emit(bufferized, { target, registry });
        return mapSuccess(step('emit', bufferized, emitting), (emitted) => ({
          stages: { payload, scheduled, bufferized },
          plans,
          backend,
          emitted,
        }));
      });
    }),
  );
};

const loadOptions = ({ threads, workers, signal, heapBytes }: CompileOptions): LoadOptions => ({
  ...(threads === undefined ? {} : { threads }),
  ...(workers === undefined ? {} : { workers }),
  ...(signal === undefined ? {} : { signal }),
  ...(heapBytes === undefined ? {} : { heapBytes }),
});
