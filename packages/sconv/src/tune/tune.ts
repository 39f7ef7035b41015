/** `tune`: measures plans for the convolutions of a payload, and keeps the fastest. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import type { Backend, Emitted, RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import {
  andThen,
  definite,
  error,
  mapSuccess,
  silenceable,
  success,
  unknownLocation,
} from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { children, symbolNameOf } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import { cacheNames, wasm } from '@sconv/targets';
import type {
  Budget,
  CompiledCode,
  Configuration,
  MachineLock,
  Measurer,
  Progress,
  Propose,
  RecordWriter,
  Temperature,
  TuningRecord,
  TuningResult,
  TuningSignal,
} from '@sconv/tuning';
import {
  machineLock,
  noRecords,
  openRecords,
  protocolText,
  readRecords,
  startMeasurer,
  tunedPlans,
  tuneWorkload,
  untuned,
  workloadText,
} from '@sconv/tuning';
import type { ClockName } from '../bench/clock.ts';
import { emitPayload } from '../compile-module.ts';
import type { CompileOptions } from '../compile-module.ts';
import { defaultRegistry } from '../default-registry.ts';
import { detectHost } from '../host-machine.ts';
import { countMultiplyAdds } from '../multiply-adds.ts';
import { nodeBackends } from '../node-backends.ts';
import { packageFile } from '../package-file.ts';
import { checkResult } from '../run/check-result.ts';
import { fillArguments } from '../run/fill-arguments.ts';
import type { TunedPlans } from '../tuned-plan.ts';
import { fingerprintFor, generatorHash } from './fingerprint.ts';
import { scheduleSubject } from './schedule-subject.ts';
import type { Setup } from './setup.ts';
import type { Strategy } from './strategies.ts';
import { candidatesBy } from './strategies.ts';

/** How to tune. */
export interface TuneOptions {
  /** Default `wasm`. */
  readonly target?: Target;
  /** How much to measure for each contraction; default 100 candidates. */
  readonly budget?: Budget;
  /** How candidates are found; default `evolve`. */
  readonly strategy?: Strategy;
  /** Default `cold`: every run on other tensors, with the caches flushed before (TT §7). */
  readonly temperature?: Temperature;
  /** Whether filters are arguments of every call, or bound beforehand; default `arguments`. */
  readonly filters?: 'arguments' | 'bound';
  /** Default `wall`. */
  readonly clock?: ClockName;
  /**
   * How many plans are compiled at once, which only native code gains from; default 1. Nothing is compiled while times
   * are taken, by no process on this machine that tunes.
   */
  readonly jobs?: number;
  /** Of the search; default 1. */
  readonly seed?: number;
  /** The function to tune, if there are several. */
  readonly functionName?: string;
  /**
   * A script that leaves choices open (`transform.tune.knob`, `transform.tune.alternatives`): these are explored, in
   * place of plans, and compared with what it selects itself, or with the first options.
   */
  readonly schedule?: Module;
  /** Where records go. */
  readonly records?: RecordsOption;
  readonly backends?: readonly Backend[];
  /** Ends the search; what was measured stays in the records. */
  readonly signal?: TuningSignal;
  readonly onProgress?: (progress: Progress & { readonly workload: string }) => void;
}

/** A file that records are added to. */
export interface RecordsOption {
  readonly path: string;
  /** Whether it may have some: what they know is not measured again. */
  readonly isResumed: boolean;
  /** Files of other writers, whose records are known too; what is wrong with their lines is not reported. */
  readonly others?: readonly string[];
}

/** What a choice changes in how a payload is compiled. */
type ChosenCode = Pick<CompileOptions, 'tuned' | 'schedule'>;

/** What is tuned by itself: a contraction, or a schedule. */
export interface TuningSubject {
  readonly workload: string;
  readonly propose: Propose;
  /** The code of a choice, `untuned` for that without tuning, after others of the payload have been tuned. */
  readonly code: (choice: Configuration, before: readonly TunedWorkload[]) => Diagnosed<ChosenCode>;
}

/** What became of a contraction. */
export interface TunedWorkload extends TuningResult {
  readonly workload: string;
}

/** The outcome of `tune`. */
export interface TuneOutcome {
  readonly workloads: readonly TunedWorkload[];
  /** For the option `tuned` of `compileModule` and `compileConvolution`. */
  readonly tuned: TunedPlans;
  readonly fingerprint: string;
  readonly protocol: string;
  /** The core that the processes ran on; undefined if they were not bound to one. */
  readonly core: number | undefined;
}

/** The longest that the first call of untuned code takes. */
const firstCallLimit = 600;

/** What is common to all contractions of a payload. */
interface Session {
  readonly payload: Module;
  readonly definition: Operation;
  readonly options: TuneOptions;
  readonly target: Target;
  readonly setup: Setup;
  readonly writer: RecordWriter;
  readonly known: ReadonlyMap<string, TuningRecord>;
  readonly fingerprint: string;
  readonly protocol: string;
  readonly lock: MachineLock;
}

/**
 * Tunes the contractions of a function, one after the other: each is compiled and timed within the function, on small
 * integers, whose result every plan has to give exactly. Fails as `compileModule` does without a plan that is tuned;
 * with `tune/function` if it is not clear which function to tune, `tune/nothing` for one without contractions that the
 * target's schedule slices, `tune/no-choices` for a schedule that leaves nothing open, `tune/emulated` for code that
 * this machine cannot run, `tune/wrong` if the code without tuning computes something else than it should, and as
 * records are read and written.
 */
export const tune = async (payload: Module, options: TuneOptions = {}): Promise<Diagnosed<TuneOutcome>> => {
  const target = options.target ?? wasm;
  const found = functionToTune(payload, options.functionName);
  if (found.status !== 'success') return found;
  const definition = found.value;
  const functionName = symbolNameOf(definition)!;
  const { schedule } = options;
  const subjects: Diagnosed<readonly TuningSubject[]> =
    schedule === undefined
      ? contractionsOf(payload, functionName, target, options)
      : mapSuccess(scheduleSubject(schedule, definition, options.seed), (subject) => [subject]);
  if (subjects.status !== 'success') return subjects;
  if (subjects.value.length === 0) {
    const message = `@${functionName} has no contraction that the schedule of '${target.name}' slices`;
    return definite(error('tune/nothing', message, definition.location));
  }
  const fingerprint = await fingerprintFor(target, 1);
  const { temperature = 'cold', filters = 'arguments', clock = 'wall', records } = options;
  const protocol = protocolText(temperature, clock, filters);
  const current = { fingerprint, generator: generatorHash() };
  const ofOthers = readRecords(records?.others ?? [], current);
  if (ofOthers.status !== 'success') return ofOthers;
  const own = records?.isResumed === true && existsSync(records.path) ? [records.path] : [];
  const read = mapSuccess(readRecords(own, current), (found) => new Map([...ofOthers.value, ...found]));
  const opened = andThen(read, (known) =>
    mapSuccess(
      records === undefined ? success(noRecords) : openRecords(records.path, records.isResumed),
      (writer) => ({ known, writer }),
    ),
  );
  if (opened.status !== 'success') return opened;
  const { known, writer } = opened.value;
  const setup: Setup = {
    functionName,
    target,
    expected: undefined,
    bound: filters === 'bound' ? [1] : [],
    clock,
    cacheBytes: lastCacheBytes(),
  };
  const lock = machineLock({ signal: options.signal });
  const session = { payload, definition, options, target, setup, writer, known, fingerprint, protocol, lock };
  try {
    const outcome = await tuneAll(session, subjects.value);
    return andThen(opened, () => outcome);
  } finally {
    writer.close();
  }
};

const tuneAll = async (
  session: Session,
  subjects: readonly TuningSubject[],
): Promise<Diagnosed<TuneOutcome>> => {
  const { target, fingerprint, protocol, options } = session;
  const expected = await expectedOutput(session, subjects[0]!);
  if (expected.status !== 'success') return expected;
  const setup = { ...session.setup, expected: expected.value };
  const measurer = measurerFor(setup, options.signal);
  const workloads: TunedWorkload[] = [];
  try {
    for (const subject of subjects) {
      if (options.signal?.aborted === true) break;
      const tuned = await tuneOne(session, measurer, subject, workloads);
      if (tuned.status !== 'success') return tuned;
      workloads.push({ workload: subject.workload, ...tuned.value });
    }
  } finally {
    measurer.close();
  }
  const tuned = tunedPlans(
    workloads.flatMap(({ finals }) => finals),
    target.name,
  );
  return success({ workloads, tuned, fingerprint, protocol, core: measurer.core }, expected.diagnostics);
};

const measurerFor = (setup: Setup, signal: TuningSignal | undefined): Measurer =>
  startMeasurer({ file: fileURLToPath(packageFile('bin/tuning-worker.js')), setup, signal });

const tuneOne = (
  session: Session,
  measurer: Measurer,
  { workload, propose, code }: TuningSubject,
  before: readonly TunedWorkload[],
): Promise<Diagnosed<TuningResult>> => {
  const { options, definition, fingerprint, protocol, known, writer, lock } = session;
  const { temperature = 'cold', jobs = 1, signal, onProgress } = options;
  const { budget = { kind: 'candidates', count: 100 } } = options;
  const multiplyAdds = countMultiplyAdds(defaultRegistry, definition)?.total;
  return tuneWorkload({
    key: { workload, fingerprint, generator: generatorHash(), protocol },
    compile: (choice) => compiled(session, code(choice, before)),
    propose,
    measurer,
    temperature,
    operations: multiplyAdds === undefined ? undefined : 2 * multiplyAdds,
    budget,
    lock,
    jobs,
    known,
    writer,
    signal,
    ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress({ ...progress, workload }) }),
  });
};

/** The requested function, or the only one with a body. */
const functionToTune = (payload: Module, name: string | undefined): Diagnosed<Operation> => {
  const functions: readonly Operation[] = children(payload.root).filter(
    ({ name: kind, regions }) => kind === 'func.func' && (regions[0]?.blocks.length ?? 0) > 0,
  );
  const [only, ...others] = functions.filter(
    (operation) => name === undefined || symbolNameOf(operation) === name,
  );
  if (only !== undefined && others.length === 0) return success(only);
  const known = functions.map((operation) => `@${symbolNameOf(operation) ?? ''}`).join(', ') || 'no function';
  const message = `which function? the payload has ${known}`;
  return definite(error('tune/function', message, payload.root.location));
};

/** Bytes of the last cache of this machine, as far as it is known. */
const lastCacheBytes = (): number => {
  const { cache } = detectHost().target.machine;
  return Math.max(...cacheNames.map((name) => cache[name]?.bytes ?? 0));
};

/** The contractions of a function that the target's schedule plans, each once. */
const contractionsOf = (
  payload: Module,
  functionName: string,
  target: Target,
  { backends = nodeBackends, strategy = 'evolve', seed = 1 }: TuneOptions,
): Diagnosed<readonly TuningSubject[]> => {
  const subjects = new Map<string, TuningSubject>();
  const plansOf = (planOf: TunedPlans['planOf']): TunedPlans => ({
    kind: 'tuned-plans',
    target: target.name,
    planOf,
  });
  const tuned = plansOf((problem, kernels) => {
    const workload = workloadText(problem);
    subjects.set(workload, {
      workload,
      propose: candidatesBy(strategy, problem, kernels, target, seed),
      code: ({ plan }, before) => {
        const earlier = before.map(({ workload: name, best }) => [name, best.plan] as const);
        const plans = new Map([...earlier, [workload, plan]]);
        return success({
          tuned: plansOf((asked) => success(plans.get(workloadText(asked)) ?? undefined)),
        });
      },
    });
    return success(undefined);
  });
  return mapSuccess(emitPayload(payload, { target, backends, functions: [functionName], tuned }), () => [
    ...subjects.values(),
  ]);
};

/** The code of a choice. */
const compiled = async (
  { payload, target, options, setup }: Session,
  choice: Diagnosed<ChosenCode>,
): Promise<Diagnosed<CompiledCode>> => {
  const start = performance.now();
  const { backends = nodeBackends } = options;
  const functions = [setup.functionName];
  const emitted = andThen(choice, (chosen) =>
    emitPayload(payload, { target, backends, functions, ...chosen }),
  );
  if (emitted.status !== 'success') return { ...emitted, status: 'definite' };
  const refused = emitted.diagnostics.find(({ code }) => code === 'sconv/tuned-plan');
  if (refused !== undefined) return silenceable({ ...refused, severity: 'error' });
  const { backend, emitted: code } = emitted.value;
  const digest = digestOf(code);
  // Native code is built here and kept in the backend's cache: no tool runs while times are taken.
  if (target.machine.isa !== 'wasm32') {
    const built = await backend.load(code, {});
    if (built.status !== 'success') return { ...built, status: 'definite' };
    built.value.dispose();
  }
  return success({ emitted: code, digest, seconds: (performance.now() - start) / 1000 });
};

const digestOf = (code: Emitted): string => createHash('sha256').update(serialize(code)).digest('hex');

/** The output of the untuned code, which is compared with an oracle. */
const expectedOutput = async (
  session: Session,
  subject: TuningSubject,
): Promise<Diagnosed<readonly RunValue[]>> => {
  const { payload, definition, setup, options, target } = session;
  const code = await session.lock.compiling(() => compiled(session, subject.code(untuned, [])));
  if (code.status !== 'success') return code;
  const emitted = code.value.emitted as Emitted;
  const { backends = nodeBackends } = options;
  const loaded = await backends.find(({ name }) => name === emitted.backend)!.load(emitted, {});
  if (loaded.status !== 'success') return loaded;
  const signature = loaded.value.functions.find(({ name }) => name === setup.functionName)!;
  const filled = mapSuccess(fillArguments(signature, loaded.value, { inputs: [] }), (values) =>
    values.map((value) => (typeof value === 'object' ? value.slice() : value)),
  );
  const { emulator } = loaded.value;
  loaded.value.dispose();
  if (emulator !== undefined) {
    const message = `${emulator} would run code for '${target.name}' here, whose time says nothing`;
    return definite(error('tune/emulated', message, definition.location));
  }
  const measurer = measurerFor(setup, options.signal);
  const answer = await session.lock.compiling(() =>
    measurer.ask({ kind: 'output', emitted }, firstCallLimit),
  );
  measurer.close();
  if (answer.kind !== 'output') {
    const why = 'reason' in answer ? answer.reason : 'it gives no output';
    return definite(error('tuning/untuned', `the plan without tuning does not run: ${why}`, unknownLocation));
  }
  const outputs = answer.output as readonly RunValue[];
  return andThen(filled, (given) => {
    const written = signature.parameters.flatMap((parameter, i) =>
      parameter.kind === 'buffer' && parameter.written ? [i] : [],
    );
    const checked = checkResult(payload, definition, {
      given,
      outputs: outputs.map((value, i) => ({
        value,
        argument: signature.results.length > 0 ? undefined : written[i],
      })),
      isExact: true,
    });
    return andThen(checked, (comparison) => {
      if (comparison === undefined || comparison.mismatches === 0) return success(outputs);
      const message = `the code without tuning is wrong in ${comparison.mismatches} elements`;
      return definite(error('tune/wrong', message, definition.location));
    });
  });
};
