/**
 * The only way from a payload to running code: schedule, bufferize, emit by the target's backend, load. The caller
 * says which registry to use by default: that of everything, or of no more than the target's own schedule needs.
 */
import type { Artifact, Backend, Emitted, LoadOptions } from '@sconv/backend';
import { backendFor } from '@sconv/backend';
import { bufferizeModule, sinkFills } from '@sconv/bufferization';
import type { CostModelName, EdgeChoice, KernelChoice } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import { edit } from '@sconv/ir';
import type { Planner } from '@sconv/plans';
import type { Target } from '@sconv/targets';
import { wasm } from '@sconv/targets';
import type { RunOptions } from '@sconv/transform';
import { aborted } from './aborted.ts';
import {
  backendsProblem,
  checkedWorkers,
  heapProblem,
  layoutsNames,
  sharingProblem,
  namesProblem,
  payloadProblem,
  schedulingProblem,
  signalProblem,
  targetProblem,
  threadsProblem,
  toolsProblem,
  workersProblem,
} from './check-options.ts';
import { defaultBackends } from './default-backends.ts';
import { onlyFunctions } from './only-functions.ts';
import type { ScheduleChoice, Scheduling } from './schedule-payload.ts';
import { schedulePayload } from './schedule-payload.ts';
import type { Scheduler } from './scheduler.ts';
import { slowTiles } from './slow-tiles.ts';
import type { PlannedConvolution } from './target-schedule.ts';
import type { TunedPlans } from './tuned-plan.ts';
import { unscheduledConvolutions } from './unscheduled-convolutions.ts';

/** A step of `compileModule`, as `onStep` is told before it begins. */
export type CompileStep = 'schedule' | 'bufferize' | 'emit' | 'load';

/**
 * How to compile and load a payload. The target's own schedule distributes each convolution over the load's `threads`.
 */
export interface CompileOptions extends LoadOptions {
  /** The target of code generation and planning; default `wasm`. */
  readonly target?: Target;
  /**
   * A recorded schedule, a script as a module, or what makes one for the payload (`implicitGemm`). Default: the
   * target's own, which slices each convolution in `convolutionsOf` by the plan that suits it, and leaves everything
   * else unchanged; `is` or `ws`: the same with the input or the filters stationary.
   */
  readonly schedule?: ScheduleChoice;
  /** The cost model of the target's schedule; default `sc`. */
  readonly costModel?: CostModelName;
  /** How the target's schedule handles windows and filters that fill no tile; default `best`. */
  readonly edges?: EdgeChoice;
  /** Plans the convolutions in place of Convolution Slicing Analysis, for the target's schedule. */
  readonly planner?: Planner<KernelChoice>;
  /**
   * `chosen`: convolutions are computed in blocks of channels (NCHWc) where that costs less in all, changes of layouts
   * included, by a model; only for the target's own schedule. Default `as-given`.
   */
  readonly layouts?: LayoutsName;
  /** Plans that were measured before, for the target's schedule; others are made as without them. */
  readonly tuned?: TunedPlans;
  /** The functions to compile, with their callees; default: all. The schedule applies to all of them. */
  readonly functions?: readonly string[];
  /** The first one that serves the target is used; default `defaultBackends`. */
  readonly backends?: readonly Backend[];
  /** Must know the ops of payload and schedule; default `defaultRegistry`. */
  readonly registry?: Registry;
  /** Called before each step with the current module. */
  readonly onStep?: (step: CompileStep, module: Module) => void;
}

/** In which layouts convolutions are computed. */
export type LayoutsName = (typeof layoutsNames)[number];

/** A payload's loaded code, and how it was made. */
export interface CompiledModule extends Artifact {
  /** The payload as given, after its schedule, and on buffers. */
  readonly stages: { readonly payload: Module; readonly scheduled: Module; readonly bufferized: Module };
  /** The convolutions that were sliced. */
  readonly plans: readonly PlannedConvolution[];
  readonly target: Target;
  readonly backend: Backend;
  /** For caching, or loading again: `backend.load(emitted)`. */
  readonly emitted: Emitted;
}

const optionNames: readonly (keyof CompileOptions)[] = [
  'target',
  'schedule',
  'costModel',
  'edges',
  'planner',
  'layouts',
  'tuned',
  'functions',
  'backends',
  'registry',
  'threads',
  'workers',
  'signal',
  'heapBytes',
  'sharesMemory',
  'onStep',
];

/** A payload to be scheduled in place of another one, and the plans of that by those of its own ops. */
export interface OutlinedPayload {
  readonly module: Module;
  readonly plansOf: (plans: readonly PlannedConvolution[]) => readonly PlannedConvolution[];
}

/** Steps that only some payloads need; a page that compiles no others does not load them. And pauses. */
export interface OtherSteps {
  /** Chooses layouts, for `layouts: 'chosen'`, and schedules what is in these. */
  readonly chooseLayouts?: {
    readonly apply: (payload: Module, target: Target, registry: Registry) => Diagnosed<Module>;
    readonly schedule: Scheduler;
  };
  /** Makes equal ops calls of one function, before the target's own schedule. */
  readonly outline?: (payload: Module, registry: Registry) => OutlinedPayload;
  /** Computes poolings and depthwise convolutions plane by plane, after the target's own schedule. */
  readonly packPlanes?: (
    module: Module,
    scheduling: Pick<Scheduling, 'target' | 'threads'>,
    options: Pick<RunOptions, 'signal'> & { readonly registry: Registry },
  ) => Diagnosed<Module>;
  /** Takes apart ops of a scheduled module that have no code of their own. */
  readonly decompose?: (module: Module, registry: Registry) => Module;
  /** Computes parts of a tensor where they end up, in what is bufferized then. */
  readonly placeParts?: (module: Module, registry: Registry) => Module;
  /** Waited for before each step of an asynchronous compilation: in a turn of the event loop, a signal may end it. */
  readonly pause?: () => Promise<void>;
}

/** `compileModule` with another default for `registry`, and no other steps than these. */
export const compilePayload = async (
  payload: Module,
  options: CompileOptions,
  registry: Registry,
  others: OtherSteps = {},
): Promise<Diagnosed<CompiledModule>> => {
  const prepared = await emitPausing(payload, options, registry, others);
  if (prepared.status !== 'success') return prepared;
  const { backend, emitted, stages } = prepared.value;
  options.onStep?.('load', stages.bufferized);
  const artifact = await backend.load(emitted, loadOptions(options));
  return andThen(prepared, (code) => mapSuccess(artifact, (loaded) => ({ ...loaded, ...code })));
};

/** `compileModuleSync` with another default for `registry`, and no other steps than these. */
export const compilePayloadSync = (
  payload: Module,
  options: CompileOptions,
  registry: Registry,
  others: OtherSteps = {},
): Diagnosed<CompiledModule> =>
  andThen(emitPayloadBy(payload, options, registry, others), (code) => {
    const { backend, emitted, stages } = code;
    options.onStep?.('load', stages.bufferized);
    const artifact = backend.loadSync?.(emitted, loadOptions(options));
    if (artifact !== undefined) return mapSuccess(artifact, (loaded) => ({ ...loaded, ...code }));
    const message =
      `backend '${backend.name}' loads only asynchronously, with compileModule or ` +
      'compileConvolutionAsync';
    return definite(error('sconv/no-sync-load', message, payload.root.location));
  });

/** A compiled module before loading. */
export type EmittedPayload = Omit<CompiledModule, keyof Artifact>;

/** The steps up to the code, without loading it. */
export const emitPayloadBy = (
  payload: Module,
  options: CompileOptions,
  registry: Registry,
  others: OtherSteps,
): Diagnosed<EmittedPayload> => {
  const steps = emitSteps(payload, options, registry, others);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
};

/** The same, with the pause of the steps, if there is one, before each. */
export const emitPausing = async (
  payload: Module,
  options: CompileOptions,
  registry: Registry,
  others: OtherSteps,
): Promise<Diagnosed<EmittedPayload>> => {
  const steps = emitSteps(payload, options, registry, others);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await others.pause?.();
  }
};

/** The steps up to the code; stops before each. */
function* emitSteps(
  payload: Module,
  options: CompileOptions,
  byDefault: Registry,
  { chooseLayouts, outline, packPlanes, decompose, placeParts }: OtherSteps,
): Generator<undefined, Diagnosed<EmittedPayload>> {
  const unfit =
    payloadProblem('compileModule', payload) ?? namesProblem('compileModule', options, optionNames);
  if (unfit !== undefined) return definite(unfit);
  const { target = wasm, backends = defaultBackends, registry = byDefault, signal, onStep } = options;
  const wrong =
    targetProblem('compileModule', target) ??
    schedulingProblem('compileModule', options) ??
    threadsProblem('compileModule', options.threads) ??
    heapProblem('compileModule', options.heapBytes) ??
    signalProblem('compileModule', options.signal) ??
    sharingProblem('compileModule', options.sharesMemory) ??
    backendsProblem('compileModule', options.backends) ??
    workersProblem('compileModule', options.workers) ??
    toolsProblem('compileModule', options);
  if (wrong !== undefined) return definite(wrong);
  const isGiven = typeof options.schedule === 'object';
  const running = { registry, ...(signal === undefined ? {} : { signal }) };
  const step = <T>(name: CompileStep, module: Module, run: () => Diagnosed<T>): Diagnosed<T> => {
    onStep?.(name, module);
    if (signal?.aborted !== true) return run();
    return aborted(module.root.location);
  };
  const chosen = options.layouts === 'chosen' ? chooseLayouts : undefined;
  const scheduling = () =>
    andThen(chosen?.apply(payload, target, registry) ?? success(payload), scheduleLaidOut);
  const scheduleLaidOut = (laidOut: Module) => {
    const outlined = isGiven ? undefined : outline?.(laidOut, registry);
    const given = outlined?.module ?? laidOut;
    const schedule = chosen === undefined ? {} : { schedule: chosen.schedule };
    return andThen(
      schedulePayload(given, { ...options, ...schedule, target }, running),
      ({ module, plans }) => {
        const all = andThen(
          packPlanes !== undefined && !isGiven
            ? packPlanes(module, { ...options, target }, running)
            : success(module),
          (packed) => success({ module: packed, plans: outlined?.plansOf(plans) ?? plans }),
        );
        return andThen(
          andThen(all, (each) => onlyFunctions(payload, each, options.functions, registry)),
          (scheduled) =>
            success(scheduled, [
              ...unscheduledConvolutions(given, scheduled.module, isGiven, registry),
              ...(isGiven ? slowTiles(scheduled.plans, target) : []),
            ]),
        );
      },
    );
  };
  const served = backendFor(target, backends);
  yield;
  const scheduled = andThen(served, (backend) =>
    mapSuccess(step('schedule', payload, scheduling), (planned) => ({ backend, ...planned })),
  );
  yield;
  const bufferized = andThen(scheduled, (each) => {
    const { module } = each;
    const bufferizing = () => {
      const whole = decompose?.(module, registry) ?? module;
      // Keeps results as results, so that callers need not know which arguments a function writes.
      const options = { registry, dropEquivalentBufferResults: 'private' } as const;
      return mapSuccess(
        bufferizeModule(placeParts?.(whole, registry) ?? whole, options),
        // Sinks fills into the loops of the parts, where they then need not be read back.
        (buffers) => edit(buffers, { registry }, (rewriter) => sinkFills(rewriter, rewriter.root)).module,
      );
    };
    return mapSuccess(step('bufferize', module, bufferizing), (buffers) => ({ ...each, buffers }));
  });
  yield;
  return andThen(bufferized, ({ backend, plans, module, buffers }) => {
    const emitting = () => backend.emit(buffers, { target, registry });
    return mapSuccess(step('emit', buffers, emitting), (emitted) => ({
      stages: { payload, scheduled: module, bufferized: buffers },
      plans,
      target,
      backend,
      emitted,
    }));
  });
}

const loadOptions = ({ threads, workers, signal, heapBytes, sharesMemory }: CompileOptions): LoadOptions => ({
  ...(threads === undefined ? {} : { threads }),
  ...(workers === undefined ? {} : { workers: checkedWorkers('compileModule', workers) }),
  ...(signal === undefined ? {} : { signal }),
  ...(heapBytes === undefined ? {} : { heapBytes }),
  ...(sharesMemory === undefined ? {} : { sharesMemory }),
});
