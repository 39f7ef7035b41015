/** Units of work for tuning: what is tuned as plain data, which any process on a machine of the fingerprint can do. */
import type { Diagnostic } from '@sconv/diagnostics';
import { error, unknownLocation } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule, printModule } from '@sconv/ir';
import type { TuningSignal, WorkQueueKey, WorkUnit } from '@sconv/tuning';
import { temperatures } from '@sconv/tuning';
import { clockNames } from '../bench/clock.ts';
import { targetOf, targetChoices } from '../commands/target-option.ts';
import { progressText } from '../commands/tune-progress.ts';
import { defaultRegistry } from '../default-registry.ts';
import { fingerprintFor, generatorHash } from './fingerprint.ts';
import { strategyNames } from './strategies.ts';
import type { RecordsOption, TuneOptions, TuneOutcome } from './tune.ts';
import { tune } from './tune.ts';

/** The options of `tune` that are plain data. */
export type TuneSettings = Pick<
  TuneOptions,
  'budget' | 'strategy' | 'temperature' | 'filters' | 'clock' | 'jobs' | 'seed' | 'functionName'
>;

/** A payload to tune. */
export interface TuneTask {
  /** What the user calls it. */
  readonly name: string;
  /** MLIR. */
  readonly payload: string;
  /** A target's name, or `host`. */
  readonly target: string;
  readonly settings: TuneSettings;
}

/** The outcome of `tune` without what is no data. */
export interface TuneTaskOutcome extends Pick<TuneOutcome, 'workloads' | 'fingerprint' | 'protocol'> {
  readonly core?: number | undefined;
}

/** What came of a task, as plain data. */
export interface TuneTaskResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined where it failed. */
  readonly outcome?: TuneTaskOutcome;
}

/** The unit of a payload, for machines like this one. */
export const tuneUnit = async (
  name: string,
  payload: Module,
  target: string,
  settings: TuneSettings,
): Promise<WorkUnit> => {
  const text = printModule(payload, { registry: defaultRegistry });
  const task: TuneTask = { name, payload: text, target, settings };
  return { ...(await currentOf(target)), task };
};

/** What units are of that this machine can do with this program, by target. */
const keysByTarget = async (): Promise<ReadonlyMap<string, WorkQueueKey>> =>
  new Map(await Promise.all(targetChoices.map(async (name) => [name, await currentOf(name)] as const)));

/** What queues have units for this machine with this program. */
export const keysOfThisMachine = async (): Promise<readonly WorkQueueKey[]> => {
  const keys = [...(await keysByTarget()).values()];
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
};

/** Whether this machine, with this program, can do a unit. */
export const suitsThisMachine = async (): Promise<(unit: WorkUnit) => boolean> => {
  const known = await keysByTarget();
  return ({ task, fingerprint, generator }) => {
    const here = isTuneTask(task) ? known.get(task.target) : undefined;
    return fingerprint === here?.fingerprint && generator === here.generator;
  };
};

const currentOf = async (target: string): Promise<WorkQueueKey> => ({
  fingerprint: await fingerprintFor(targetOf(target), 1),
  generator: generatorHash(),
});

/** Whether a value is a task: it comes from a file or a server, which other programs may have written to. */
export const isTuneTask = (value: unknown): value is TuneTask =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  typeof value['payload'] === 'string' &&
  isOneOf(targetChoices)(value['target']) &&
  isObject(value['settings']) &&
  Object.entries(value['settings']).every(
    ([name, setting]) =>
      setting === undefined || settingTests[name as keyof TuneSettings]?.(setting) === true,
  );

type Test = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isOneOf =
  (words: readonly string[]): Test =>
  (value) =>
    words.some((word) => word === value);

const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) > 0;

const settingTests: Readonly<Partial<Record<keyof TuneSettings, Test>>> = {
  budget: (value) =>
    isObject(value) &&
    ((value['kind'] === 'seconds' && isCount(value['seconds'])) ||
      (value['kind'] === 'candidates' && isCount(value['count']))),
  strategy: isOneOf(strategyNames),
  temperature: isOneOf(temperatures),
  filters: isOneOf(['arguments', 'bound']),
  clock: isOneOf(clockNames),
  jobs: isCount,
  seed: isCount,
  functionName: (value) => typeof value === 'string',
};

/** Does a task; with `tune/task` where it is none, as a queue has what anybody has put there. */
export const doTuneTask = async (
  task: unknown,
  records: RecordsOption,
  signal: TuningSignal,
  say: (what: string) => void,
): Promise<TuneTaskResult> => {
  if (!isTuneTask(task)) {
    const message = 'a unit of work is no task for this program';
    return { diagnostics: [error('tune/task', message, unknownLocation)] };
  }
  const { name, payload, target, settings } = task;
  const parsed = parseModule(payload, { registry: defaultRegistry, fileName: name });
  if (parsed.status !== 'success') return { diagnostics: parsed.diagnostics };
  const onProgress: TuneOptions['onProgress'] = (step) => {
    say(progressText(name, step));
  };
  const options = { ...settings, signal, onProgress, target: targetOf(target), records };
  const tuned = await tune(parsed.value, options);
  if (tuned.status !== 'success') return { diagnostics: tuned.diagnostics };
  const { workloads, fingerprint, protocol, core } = tuned.value;
  const outcome = { workloads, fingerprint, protocol, ...(core === undefined ? {} : { core }) };
  return { diagnostics: tuned.diagnostics, outcome };
};

/** Whether this is what came of a task. */
export const isTuneTaskResult = (value: unknown): value is TuneTaskResult =>
  isObject(value) &&
  Array.isArray(value['diagnostics']) &&
  (value['outcome'] === undefined ||
    (isObject(value['outcome']) && Array.isArray(value['outcome']['workloads'])));
