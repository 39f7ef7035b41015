/** Options of possibly untyped callers. */
import type { WorkerLike } from '@sconv/backend';
import { costModelNames, edgeChoices } from '@sconv/csa';
import type { Diagnostic } from '@sconv/diagnostics';
import { describeValue, DiagnosticError, error, unknownName } from '@sconv/diagnostics';
import { isRegistry, moduleProblem } from '@sconv/ir';
import { findTarget } from '@sconv/targets';

/** Codes of option problems. */
export type OptionCode = 'sconv/unknown-option' | 'sconv/option' | 'sconv/channels' | 'sconv/groups';

/** A problem with a function's options. */
export const optionProblem = (functionName: string, code: OptionCode, message: string): Diagnostic =>
  error(code, message, { kind: 'name', name: functionName, child: { kind: 'unknown' } });

/** Options must be an object without unknown names; undefined values count as absent. */
export const namesProblem = (
  functionName: string,
  given: unknown,
  names: readonly string[],
): Diagnostic | undefined => {
  if (typeof given !== 'object' || given === null) {
    const message = `expected an object of options, not ${describeValue(given)}`;
    return optionProblem(functionName, 'sconv/option', message);
  }
  const unknown = Object.entries(given).find(([name, value]) => value !== undefined && !names.includes(name));
  return unknown === undefined
    ? undefined
    : optionProblem(functionName, 'sconv/unknown-option', unknownName('option', unknown[0], names));
};

/** A payload has to be a module: not its text, nor what `parseModule` returns before `unwrap`. */
export const payloadProblem = (functionName: string, payload: unknown): Diagnostic | undefined => {
  const problem = moduleProblem(payload);
  if (problem === undefined) return undefined;
  return optionProblem(functionName, 'sconv/option', `expected a module as payload, ${problem}`);
};

/** Schedule choices other than schedules. */
const dataflows = ['is', 'ws'];

/** In which layouts convolutions are computed: as they are given, or as chosen. */
export const layoutsNames = ['as-given', 'chosen'] as const;

type SchedulingOption = 'schedule' | 'costModel' | 'edges' | 'planner' | 'tuned' | 'layouts';

/** Checks the scheduling options: known names, and none that a given schedule or planner makes void. */
export const schedulingProblem = (
  functionName: string,
  { schedule, costModel, edges, planner, tuned, layouts }: Partial<Record<SchedulingOption, unknown>>,
): Diagnostic | undefined => {
  const nameProblem = (option: string, what: string, value: unknown, names: readonly string[]) => {
    if (value === undefined || names.some((name) => name === value)) return undefined;
    const message =
      typeof value === 'string' ? unknownName(what, value, names) : `no ${what} ${describeValue(value)}`;
    return optionProblem(functionName, 'sconv/option', `'${option}': ${message}`);
  };
  const isSchedule =
    typeof schedule === 'object' && schedule !== null && ('root' in schedule || 'toMlir' in schedule);
  const isMade = typeof schedule === 'function';
  const wrong =
    (isSchedule || isMade ? undefined : nameProblem('schedule', 'schedule', schedule, dataflows)) ??
    nameProblem('costModel', 'cost model', costModel, costModelNames) ??
    nameProblem('edges', 'kind of edges', edges, edgeChoices) ??
    nameProblem('layouts', 'layouts', layouts, layoutsNames);
  if (wrong !== undefined) return wrong;
  const surplus = (given: Readonly<Record<string, unknown>>, why: string): Diagnostic | undefined => {
    const name = Object.keys(given).find((each) => given[each] !== undefined);
    return name === undefined
      ? undefined
      : optionProblem(functionName, 'sconv/option', `'${name}' is for ${why}`);
  };
  if (isSchedule) {
    const why = 'the schedule that a target asks for; a given one says it itself';
    return surplus({ costModel, edges, planner, tuned, layouts }, why);
  }
  if (schedule !== undefined && layouts === 'chosen')
    return surplus({ layouts }, "the target's own schedule; another one chooses layouts itself");
  if (tuned !== undefined && !isTuned(tuned)) {
    const message = `'tuned' is what readTuned or tune of sconv/node gives, not ${describeValue(tuned)}`;
    return optionProblem(functionName, 'sconv/option', message);
  }
  if (planner === undefined) return undefined;
  if (typeof planner !== 'function') {
    const message = `'planner': expected a function of a problem and a target, not ${describeValue(planner)}`;
    return optionProblem(functionName, 'sconv/option', message);
  }
  return surplus(
    { ...(isMade ? {} : { schedule }), costModel, edges },
    'Convolution Slicing Analysis; a planner decides itself',
  );
};

const isTuned = (value: unknown): boolean =>
  hasFunctions(value, ['planOf']) && (value as { readonly kind?: unknown }).kind === 'tuned-plans';

/** A target has to be a target, not a name; whether a backend serves it is up to `backendFor`. */
export const targetProblem = (functionName: string, target: unknown): Diagnostic | undefined => {
  const isTarget =
    typeof target === 'object' && target !== null && 'kind' in target && target.kind === 'target';
  if (isTarget) return undefined;
  const isKnown = typeof target === 'string' && findTarget(target) !== undefined;
  const hint = isKnown ? `; target('${target}') gives it` : '';
  const message = `'target' is a target of @sconv/targets, not ${describeValue(target)}${hint}`;
  return optionProblem(functionName, 'sconv/option', message);
};

/** A thread count is at least 1; default 1. */
export const threadsProblem = (functionName: string, threads: unknown): Diagnostic | undefined => {
  if (threads === undefined || (Number.isSafeInteger(threads) && Number(threads) > 0)) return undefined;
  const message = `'threads' is a positive integer, not ${describeValue(threads)}`;
  return optionProblem(functionName, 'sconv/option', message);
};

/** The heap is a number of bytes; by default the backend's. */
export const heapProblem = (functionName: string, heapBytes: unknown): Diagnostic | undefined => {
  if (heapBytes === undefined || (Number.isSafeInteger(heapBytes) && Number(heapBytes) >= 0))
    return undefined;
  const message = `'heapBytes' is a number of bytes, not ${describeValue(heapBytes)}`;
  return optionProblem(functionName, 'sconv/option', message);
};

/** What ends the work: an `AbortSignal`, or another object that says whether it is aborted. */
export const signalProblem = (functionName: string, signal: unknown): Diagnostic | undefined => {
  const isSignal =
    typeof signal === 'object' &&
    signal !== null &&
    typeof (signal as { readonly aborted?: unknown }).aborted === 'boolean';
  if (signal === undefined || isSignal) return undefined;
  const message = `'signal' is an AbortSignal, not ${describeValue(signal)}`;
  return optionProblem(functionName, 'sconv/option', message);
};

/** Whether memory is shared is a boolean; default false. */
export const sharingProblem = (functionName: string, sharesMemory: unknown): Diagnostic | undefined => {
  if (sharesMemory === undefined || typeof sharesMemory === 'boolean') return undefined;
  const message = `'sharesMemory' is a boolean, not ${describeValue(sharesMemory)}`;
  return optionProblem(functionName, 'sconv/option', message);
};

const hasFunctions = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');

/** Backends are a list of them; default `defaultBackends`. */
export const backendsProblem = (functionName: string, backends: unknown): Diagnostic | undefined => {
  const isBackend = (value: unknown): boolean => hasFunctions(value, ['serves', 'emit', 'load']);
  if (backends === undefined || (Array.isArray(backends) && [...(backends as unknown[])].every(isBackend)))
    return undefined;
  const message = `'backends' is a list of backends, not ${describeValue(backends)}`;
  return optionProblem(functionName, 'sconv/option', message);
};

const workersHint =
  "a page's () => new Worker(url), nodeWorkers of sconv/node, or asWorker of it around a Node worker";

/** Workers come from a function. */
export const workersProblem = (functionName: string, workers: unknown): Diagnostic | undefined => {
  if (workers === undefined || typeof workers === 'function') return undefined;
  const message = `'workers' is a function that creates a worker: ${workersHint}; not ${describeValue(workers)}`;
  return optionProblem(functionName, 'sconv/option', message);
};

/**
 * The function, which throws a DiagnosticError where what it returns is no worker, and ends that if it is one of
 * Node's.
 */
export const checkedWorkers =
  (functionName: string, workers: () => WorkerLike): (() => WorkerLike) =>
  () => {
    const worker: unknown = workers();
    if (hasFunctions(worker, ['postMessage', 'addEventListener', 'terminate'])) return worker as WorkerLike;
    void endWorker(worker);
    const kind = worker instanceof Promise ? 'a promise' : describeValue(worker);
    const message = `'workers' creates a worker: ${workersHint}; not ${kind}`;
    throw new DiagnosticError([optionProblem(functionName, 'sconv/option', message)]);
  };

/** Ends what cannot be used, also if it is only promised: it would keep the process alive. */
const endWorker = async (given: unknown): Promise<void> => {
  try {
    const worker = await given;
    if (hasFunctions(worker, ['terminate'])) (worker as WorkerLike).terminate();
  } catch {
    // Nothing was created.
  }
};

/** The options of compilation that are neither text nor number: `registry` and `onStep`. */
export const toolsProblem = (
  functionName: string,
  { registry, onStep }: Partial<Record<'registry' | 'onStep', unknown>>,
): Diagnostic | undefined => {
  const isKnown = registry === undefined || isRegistry(registry);
  if (isKnown && (onStep === undefined || typeof onStep === 'function')) return undefined;
  const message = isKnown
    ? `'onStep' is a function, not ${describeValue(onStep)}`
    : `'registry' is a registry, as createRegistry() makes it, not ${describeValue(registry)}`;
  return optionProblem(functionName, 'sconv/option', message);
};
