/** The work of `sconv run`: compiles a payload (`compileModule`), runs and checks it. */
import type { Elements, FunctionSignature, MemoryUse, RunValue, WorkerLike } from '@sconv/backend';
import type { EdgeChoice, KernelChoice } from '@sconv/csa';
import type { Planner } from '@sconv/plans';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, fileLocation, mapSuccess, success, unknownName } from '@sconv/diagnostics';
import type { Module, Operation, Registry } from '@sconv/ir';
import { children, parseModule, symbolNameOf } from '@sconv/ir';
import type { ExternalData, ImportedModel, InputSizes, OnnxTensor } from '@sconv/onnx';
import { importOnnx } from '@sconv/onnx';
import type { Target } from '@sconv/targets';
import { clocks } from '../bench/clock.ts';
import type { CompiledModule, CompileStep } from '../compile-module.ts';
import { compileModuleWithPauses } from '../compile-module.ts';
import type { LayoutsName } from '../compile-payload.ts';
import type { SourceFile } from '../console.ts';
import { defaultRegistry } from '../default-registry.ts';
import { emulatedBackends, nodeBackends } from '../node-backends.ts';
import type { MultiplyAdds } from '../multiply-adds.ts';
import { countMultiplyAdds } from '../multiply-adds.ts';
import { parseSchedule } from '../parse-schedule.ts';
import type { Scheduler } from '../scheduler.ts';
import type { PlannedConvolution } from '../target-schedule.ts';
import type { TunedPlans } from '../tuned-plan.ts';
import type { ComparedModel, ModelComparison, ModelSide } from '../model/compare-model.ts';
import { compareModel } from '../model/compare-model.ts';
import type { GivenTensor, ModelPeer, ModelStart } from '../model/model-peer.ts';
import { packWeights } from '../model/pack-weights.ts';
import { layoutsFor } from '../model/layouts-for.ts';
import type { PartTime } from '../model/profile-model.ts';
import { profileModel } from '../model/profile-model.ts';
import type { Comparison, Output } from './check-result.ts';
import { checkResult } from './check-result.ts';
import { fillArguments } from './fill-arguments.ts';
import type { Timed } from './measure.ts';
import { measure } from './measure.ts';
import { outputsOf } from './outputs.ts';
import { untilFailure } from './until-failure.ts';

/** An ONNX model as a payload. */
export interface ModelFile extends SourceBytes {
  /** Sizes of inputs that the model leaves open. */
  readonly sizes: InputSizes;
  /** The files beside it that its weights lie in. */
  readonly externalData: ExternalData;
}

export interface RunRequest {
  readonly payload: SourceFile | ModelFile;
  /** Undefined: the target's own. */
  readonly schedule: SourceFile | Scheduler | undefined;
  readonly target: Target;
  /** How to handle remainders, if neither a schedule nor a planner is given. */
  readonly edges: EdgeChoice;
  /** Plans in place of Convolution Slicing Analysis, if no schedule is given. */
  readonly planner?: Planner<KernelChoice> | undefined;
  /** In which layouts convolutions are computed, if no schedule is given; default: as given, of models `layoutsFor`. */
  readonly layouts?: LayoutsName | undefined;
  /** Plans that were measured before, if no schedule is given. */
  readonly tuned?: TunedPlans | undefined;
  /** The function to run; undefined: the only one. */
  readonly functionName: string | undefined;
  /** Raw little-endian elements for the function's first buffers. */
  readonly inputs: readonly SourceBytes[];
  readonly check: boolean;
  /** Whether to time the parts of the function as well. */
  readonly profile?: boolean;
  /** Of the check, relative to an output's largest element; undefined: integers exactly, others within rounding. */
  readonly tolerance?: number | undefined;
  /** The runtime that a model is compared with, within `tolerance`. */
  readonly peer?: ModelPeer | undefined;
  readonly repeat: number;
  /** Whether to run native code in an emulator, even if this processor could. */
  readonly emulate?: boolean;
  /** Number of threads, and how to create their workers; default 1. */
  readonly threads?: number;
  readonly workers?: () => WorkerLike;
  /** Runs the parts that wait for other programs, LLVM's tools and emulators, with a signal that ends these. */
  readonly stoppable?: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Called with what is done next. */
  readonly onProgress?: (what: string) => void;
}

/** A file of bytes. */
export interface SourceBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The results of a run. */
export interface RunOutcome extends ModelStart {
  readonly functionName: string;
  readonly plans: readonly PlannedConvolution[];
  /** What ran the code instead of the processor, as a command line. */
  readonly emulator: string | undefined;
  /** Number of threads of the runs. */
  readonly threads: number;
  /** Multiply-adds of one run, and those in microkernels; undefined for dynamic sizes. */
  readonly multiplyAdds: number | undefined;
  readonly microkernelMacShare: number | undefined;
  /** Of the calls after the first. */
  readonly time: Timed;
  /** The model beside another runtime, if that was requested. */
  readonly peer?: ModelComparison;
  /** What a run takes for the buffers that the code allocates; undefined if the backend does not say. */
  readonly memory?: MemoryUse;
  /** Elements of all results or, without results, of the written buffers. */
  readonly elements: number;
  /** The times of the function's parts, if they were requested. */
  readonly profile?: readonly PartTime[];
  /** Whether a check was requested. */
  readonly isChecked: boolean;
  /** Undefined if no check was requested or there is no oracle. */
  readonly comparison: Comparison | undefined;
}

/** A payload with its function compiled and arguments for it. */
export interface PreparedPayload {
  readonly compiled: CompiledModule;
  readonly signature: FunctionSignature;
  readonly values: readonly RunValue[];
  /** Of one run; undefined for dynamic sizes. */
  readonly multiplyAdds: MultiplyAdds | undefined;
  /** Seconds from the payload's text or bytes to the code. */
  readonly loadSeconds: number;
  /** What a model takes and returns. */
  readonly tensors: ModelTensors | undefined;
}

type ModelTensors = Pick<ImportedModel, 'inputs' | 'outputs'>;

/** A schedule of text as a module. */
const scheduleIn = (
  schedule: RunRequest['schedule'],
  registry: Registry,
): Diagnosed<Module | Scheduler | undefined> =>
  typeof schedule === 'object' ? parseSchedule(schedule, registry) : success(schedule);

/** Compiles a payload and creates its arguments. On success the diagnostics are warnings of its transforms. */
export const preparePayload = async (request: RunRequest): Promise<Diagnosed<PreparedPayload>> => {
  const { payload, schedule, onProgress } = request;
  const registry = defaultRegistry;
  onProgress?.('text' in payload ? 'parsing' : 'importing');
  const begin = clocks.wall();
  const parsed = andThen(moduleOf(payload, registry), ({ module, tensors }) =>
    andThen(functionToRun(module, request), (functionName) =>
      mapSuccess(scheduleIn(schedule, registry), (script) => ({ module, tensors, functionName, script })),
    ),
  );
  if (parsed.status !== 'success') return parsed;
  const { module, tensors, functionName, script } = parsed.value;
  const compiled = await compile(module, functionName, script, request);
  const loadSeconds = clocks.wall() - begin;
  return andThen(parsed, () =>
    andThen(compiled, (value) =>
      mapSuccess(withArguments(value, functionName, request), (prepared) => ({
        ...prepared,
        loadSeconds,
        tensors,
      })),
    ),
  );
};

interface ReadPayload {
  readonly module: Module;
  readonly tensors: ModelTensors | undefined;
}

const moduleOf = (payload: SourceFile | ModelFile, registry: Registry): Diagnosed<ReadPayload> =>
  'text' in payload
    ? mapSuccess(parseModule(payload.text, { registry, fileName: payload.name }), (module) => ({
        module,
        tensors: undefined,
      }))
    : mapSuccess(
        importOnnx(payload.bytes, {
          inputs: payload.sizes,
          fileName: payload.name,
          externalData: payload.externalData,
        }),
        ({ module, inputs, outputs }) => ({ module, tensors: { inputs, outputs } }),
      );

/** Peers are given the bytes of a model, and do not know its folder. */
const asPeersLoad = ({ payload, peer }: RunRequest): Diagnosed<undefined> => {
  if (peer === undefined || 'text' in payload || Object.keys(payload.externalData).length === 0)
    return success(undefined);
  const message = `no comparison with ${peer.name}: it is given the model alone, which has weights in other files`;
  return definite(error('run/external-data', message, fileLocation(payload.name, 1, 1)));
};

/** Runs a payload. On success the diagnostics are warnings of its transforms. */
export const runPayload = async (request: RunRequest): Promise<Diagnosed<RunOutcome>> => {
  const fits = asPeersLoad(request);
  if (fits.status !== 'success') return fits;
  const prepared = await preparePayload(request);
  if (prepared.status !== 'success') return prepared;
  try {
    const outcome =
      prepared.value.compiled.emulator !== undefined && isTimed(request)
        ? emulatedTimes(prepared.value.compiled.emulator, request)
        : await execute(prepared.value, request);
    return andThen(prepared, () => outcome);
  } finally {
    prepared.value.compiled.dispose();
  }
};

/** Whether times are compared, with each other or with others'. */
const isTimed = ({ profile = false, peer }: RunRequest): boolean => profile || peer !== undefined;

const emulatedTimes = (emulator: string, { payload }: RunRequest): Diagnosed<never> => {
  const message = `${emulator} would run it, whose time says nothing: without a profile and a comparison it can be run`;
  return definite(error('run/emulated', message, fileLocation(payload.name, 1, 1)));
};

/** Progress messages. */
const progress: Readonly<Record<CompileStep, string>> = {
  schedule: 'scheduling',
  bufferize: 'compiling',
  emit: 'compiling',
  load: 'compiling',
};

const compile = (
  module: Module,
  functionName: string,
  script: Module | Scheduler | undefined,
  request: RunRequest,
): Promise<Diagnosed<CompiledModule>> => {
  const { payload, target, edges, planner, tuned, threads, workers, emulate, onProgress } = request;
  const { layouts = defaultLayouts(request), stoppable = withoutStop } = request;
  return stoppable(async (signal) => {
    const compiled = await compileModuleWithPauses(module, {
      target,
      signal,
      functions: [functionName],
      backends: emulate === true ? emulatedBackends : nodeBackends,
      ...(threads === undefined ? {} : { threads }),
      ...(workers === undefined ? {} : { workers }),
      ...(script !== undefined ? { schedule: script } : planner === undefined ? { edges } : { planner }),
      ...(script !== undefined || tuned === undefined ? {} : { tuned }),
      ...(script !== undefined ? {} : { layouts }),
      onStep: (step) => onProgress?.(progress[step]),
    });
    if (compiled.status !== 'success') return compiled;
    if (!signal.aborted && !('text' in payload)) {
      onProgress?.('packing weights');
      await packWeights(compiled.value, functionName);
    }
    if (!signal.aborted) return compiled;
    // It came after the last step.
    compiled.value.dispose();
    return stoppedRun(payload);
  });
};

const stoppedRun = ({ name }: { readonly name: string }): Diagnosed<never> =>
  definite(error('sconv/aborted', 'the caller stopped the run', fileLocation(name, 1, 1)));

const withoutStop = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  work(new AbortController().signal);

/** Calls code in an emulator, which a signal ends. */
const callEmulated = (
  { compiled, signature, values }: PreparedPayload,
  { payload, stoppable = withoutStop }: RunRequest,
): Promise<Diagnosed<readonly RunValue[]>> =>
  stoppable(async (signal) => {
    signal.addEventListener('abort', () => compiled.dispose());
    try {
      return await compiled.callAsync(signature.name, ...values);
    } catch (problem) {
      if (!signal.aborted) throw problem;
      return stoppedRun(payload);
    }
  });

/** The requested function, or the only one. */
const functionToRun = (module: Module, { payload, functionName }: RunRequest): Diagnosed<string> => {
  const functions = children(module.root)
    .filter(({ name, regions }) => name === 'func.func' && (regions[0]?.blocks.length ?? 0) > 0)
    .map((operation) => symbolNameOf(operation) ?? '');
  const [only, ...others] = functions;
  const location = fileLocation(payload.name, 1, 1);
  if (only === undefined) {
    return definite(error('run/no-function', 'the payload has no function to run', location));
  }
  const known = functions.map((name) => `@${name}`).join(', ');
  if (functionName === undefined) {
    if (others.length === 0) return success(only);
    return definite(error('run/which-function', `which function? there are ${known}`, location));
  }
  if (functions.includes(functionName)) return success(functionName);
  return definite(error('run/no-function', unknownName('function', functionName, functions), location));
};

const functionOf = (module: Module, functionName: string): Operation =>
  children(module.root).find((operation) => symbolNameOf(operation) === functionName)!;

const withArguments = (
  compiled: CompiledModule,
  functionName: string,
  request: RunRequest,
): Diagnosed<Omit<PreparedPayload, 'loadSeconds' | 'tensors'>> => {
  const signature = compiled.functions.find(({ name }) => name === functionName)!;
  return mapSuccess(fillArguments(signature, compiled, request), (values) => ({
    compiled,
    signature,
    values,
    multiplyAdds: countMultiplyAdds(
      defaultRegistry,
      functionOf(compiled.stages.scheduled, functionName),
      compiled.stages.scheduled,
    ),
  }));
};

/** Calls a payload; returns copies of its outputs. */
export const firstOutputs = (payload: PreparedPayload): Diagnosed<readonly Output[]> => {
  const { compiled, signature, values } = payload;
  return copiedOutputs(payload, compiled.call(signature.name, ...values));
};

const copiedOutputs = (
  { signature, values }: PreparedPayload,
  called: Diagnosed<readonly RunValue[]>,
): Diagnosed<readonly Output[]> =>
  mapSuccess(called, (results) =>
    outputsOf(signature, values, results).map(({ value, argument }) => ({ value: copied(value), argument })),
  );

const execute = async (prepared: PreparedPayload, request: RunRequest): Promise<Diagnosed<RunOutcome>> => {
  const { compiled, signature, values, multiplyAdds: done, loadSeconds } = prepared;
  const { check, tolerance, repeat, threads = 1, onProgress } = request;
  const { payload } = compiled.stages;
  const functionName = signature.name;
  onProgress?.('running');
  const given = check || request.peer !== undefined ? values.map(copied) : [];
  const isEmulated = compiled.emulator !== undefined;
  const begin = clocks.wall();
  const called = isEmulated
    ? await callEmulated(prepared, request)
    : await compiled.callAsync(functionName, ...values);
  const firstCallSeconds = clocks.wall() - begin;
  const first = copiedOutputs(prepared, called);
  if (first.status !== 'success') return first;
  const outputs = first.value;
  const call = isEmulated
    ? () => callEmulated(prepared, request)
    : threads > 1
      ? () => compiled.callAsync(functionName, ...values)
      : () => compiled.call(functionName, ...values);
  const compared = await comparisonOf(prepared, given, outputs, request);
  if (compared.status !== 'success') return compared;
  const time =
    compared.value === undefined
      ? await untilFailure((calling) => measure(calling(call), repeat))
      : success(compared.value.time);
  if (time.status !== 'success') return time;
  const profile = request.profile === true ? await profileOf(prepared, request) : undefined;
  if (profile !== undefined && profile.status !== 'success') return profile;
  const outcome = {
    functionName,
    loadSeconds,
    firstCallSeconds,
    ...(compared.value === undefined ? {} : { peer: compared.value.comparison }),
    ...(profile === undefined ? {} : { profile: profile.value }),
    ...(signature.memory === undefined ? {} : { memory: signature.memory }),
    isChecked: check,
    plans: compiled.plans,
    emulator: compiled.emulator,
    threads,
    multiplyAdds: done?.total,
    microkernelMacShare:
      done === undefined || done.total === 0 ? undefined : done.inMicrokernels / done.total,
    time: time.value,
    elements: outputs.reduce((sum, { value }) => sum + (typeof value === 'object' ? value.length : 1), 0),
  };
  if (!check) return success({ ...outcome, comparison: undefined });
  onProgress?.('checking');
  const isExact = tolerance === undefined ? request.inputs.length === 0 : tolerance === 0;
  const execution = { given, outputs, isExact, tolerance };
  return andThen(checkResult(payload, functionOf(payload, functionName), execution), (comparison) =>
    success({ ...outcome, comparison }),
  );
};

/** Compares a model with the runtime that is asked for, and times both; undefined where none is. */
const comparisonOf = async (
  { compiled, signature, tensors }: PreparedPayload,
  given: readonly RunValue[],
  outputs: readonly Output[],
  { payload, peer, repeat, tolerance, onProgress }: RunRequest,
): Promise<Diagnosed<ComparedModel | undefined>> => {
  if (peer === undefined || tensors === undefined || 'text' in payload) return success(undefined);
  onProgress?.(`comparing with ${peer.name}`);
  const withElements = (each: readonly OnnxTensor[], values: readonly RunValue[]): readonly GivenTensor[] =>
    each.map((tensor, i) => ({ tensor, elements: values[i] as Elements }));
  const side: ModelSide = {
    path: payload.name,
    file: payload.bytes,
    inputs: withElements(tensors.inputs, given),
    outputs: withElements(
      tensors.outputs,
      outputs.map(({ value }) => value),
    ),
    call: () => mapSuccess(compiled.call(signature.name, ...given), (results) => results.map(copied)),
  };
  return compareModel(peer, side, { samples: repeat, tolerance });
};

/** Those of a model; a module is computed as it is given. */
const defaultLayouts = ({ payload, target, threads, planner, tuned }: RunRequest): LayoutsName =>
  'text' in payload ? 'as-given' : layoutsFor(target, { threads, planner, tuned });

const profileOf = (
  { compiled, signature, values }: PreparedPayload,
  request: RunRequest,
): Promise<Diagnosed<readonly PartTime[]>> => {
  const { target, planner, tuned, edges, repeat, onProgress } = request;
  const { layouts = defaultLayouts(request) } = request;
  onProgress?.('timing its parts');
  return profileModel(compiled.stages.payload, signature.name, values, repeat, {
    target,
    backends: nodeBackends,
    ...(planner === undefined ? { edges } : { planner }),
    ...(tuned === undefined ? {} : { tuned }),
    layouts,
  });
};

const copied = (value: RunValue): RunValue => (typeof value === 'object' ? value.slice() : value);
