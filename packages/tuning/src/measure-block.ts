/** Measures candidates between two measurements of the untuned plan, again if the machine's speed has changed. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { MachineLock } from './machine-lock.ts';
import type { Outcome } from './measuring-process.ts';
import { runsOf } from './protocol.ts';
import type { Configuration, Measurement, Stage, TuningRecord } from './record.ts';
import { untuned } from './record.ts';
import { median } from './statistics.ts';
import { batchSeconds, warmUpSeconds } from './subject.ts';
import type { Candidate, Tuning } from './tune-workload.ts';
import { now } from './work-clock.ts';

/** Code that a process can be given to load. */
export interface CompiledCode {
  /** Plain data. */
  readonly emitted: unknown;
  /** Equal for equal code. */
  readonly digest: string;
  readonly seconds: number;
}

/** A candidate with its code. */
export interface Entry {
  readonly candidate: Candidate;
  readonly code: CompiledCode;
}

/** What measuring takes: the tuning, and the code of the untuned plan. */
export interface Measuring extends Pick<
  Tuning,
  'key' | 'measurer' | 'temperature' | 'operations' | 'signal'
> {
  readonly reference: CompiledCode;
  readonly lock: MachineLock;
}

/** Seconds that are left to measure in; may be negative. */
export type SecondsLeft = () => number;

/** The machine before or after a block. */
interface Surroundings {
  /** Of a call of the untuned plan. */
  readonly seconds: number;
  readonly peak: number | undefined;
  /** Seconds of the whole measurement but its calls. */
  readonly overhead: number;
}

/** Beyond this the machine has changed its speed. */
const driftUpTo = 0.03;

/** How often a block is measured at most. */
const attempts = 3;

/** A process is ended once its calls take so many times as long as those of the best plan. */
const patience = 5;

/** Longer than any untuned plan takes. */
const referenceLimit = 600;

/**
 * No code computes faster than the peak; what is measured of that, or reached by the untuned plan, may be short of it
 * by this factor.
 */
const peakMargin = 1.5;

/**
 * The records of the candidates; of several attempts those of the one with the least drift. None if the signal came;
 * without time for all, those of the first ones, of one at least. Fails with `tuning/untuned` if the untuned plan
 * cannot be measured.
 */
export const measureBlock = async (
  measuring: Measuring,
  stage: Stage,
  entries: readonly Entry[],
  bestRatio: number,
  left: SecondsLeft,
  onDone: (done: number) => void,
): Promise<Diagnosed<readonly TuningRecord[]>> => {
  if (entries.length === 0) return success([]);
  const outcomes = new Map<Entry, Outcome>();
  let kept: readonly TuningRecord[] = [];
  let least = Infinity;
  let took = 0;
  const { lock } = measuring;
  for (let attempt = 0; attempt < attempts && least > driftUpTo; attempt += 1) {
    if (attempt > 0 && took > left()) break;
    const chosen = attempt === 0 ? entries : entries.filter((entry) => outcomes.has(entry));
    const between = await lock.measuring(async () => {
      const start = now();
      const measured = await measureOnce(measuring, stage, chosen, bestRatio, outcomes, left, onDone);
      took = now() - start;
      return measured;
    });
    if (isStopped(measuring)) return success([]);
    if (between.status !== 'success') return between;
    const { drift } = between.value;
    if (drift >= least) continue;
    least = drift;
    kept = entries.flatMap((entry) => {
      const outcome = outcomes.get(entry);
      const { candidate, code } = entry;
      return outcome === undefined
        ? []
        : [recordOf(measuring, stage, candidate, code.seconds, outcome, between.value)];
    });
  }
  return success(kept);
};

/** One attempt: sets the outcomes of the candidates, but of those that had failed before. */
const measureOnce = async (
  measuring: Measuring,
  stage: Stage,
  entries: readonly Entry[],
  bestRatio: number,
  outcomes: Map<Entry, Outcome>,
  left: SecondsLeft,
  onDone: (done: number) => void,
): Promise<Diagnosed<Between & { readonly drift: number }>> => {
  const before = await surroundings(measuring, stage);
  if (before.status !== 'success') return before;
  const limit = limitOf(measuring, stage, before.value, bestRatio);
  for (const [i, entry] of entries.entries()) {
    if (i > 0 && left() <= 0 && !outcomes.has(entry)) break;
    onDone(i);
    const known = outcomes.get(entry);
    if (known === undefined || known.kind === 'measured')
      outcomes.set(entry, await measureCode(measuring, stage, entry.code, limit));
    if (isStopped(measuring)) break;
  }
  const after = await surroundings(measuring, stage);
  if (after.status !== 'success') return after;
  const drift = driftOf(before.value, after.value);
  return success({
    seconds: (before.value.seconds + after.value.seconds) / 2,
    peak: meanPeak(before.value, after.value),
    isNoisy: drift > driftUpTo,
    drift,
  });
};

const isStopped = ({ signal }: Pick<Measuring, 'signal'>): boolean => signal?.aborted === true;

/** A process may be ended by others, as by a system without memory: a plan is asked for again, the untuned one more. */
const tries = 2;
const referenceTries = 5;

/** Asks for the times of code in a stage. */
export const measureCode = async (
  measuring: Measuring,
  stage: Stage,
  code: CompiledCode,
  limit: number,
): Promise<Outcome> => {
  const { measurer, temperature, reference } = measuring;
  const question = { kind: 'measure', emitted: code.emitted, temperature, runs: runsOf[stage] } as const;
  const most = code === reference ? referenceTries : tries;
  let outcome = await measurer.ask(question, limit);
  for (let tried = 1; outcome.kind === 'ended' && tried < most && !isStopped(measuring); tried += 1)
    outcome = await measurer.ask(question, limit);
  return outcome;
};

const surroundings = async (measuring: Measuring, stage: Stage): Promise<Diagnosed<Surroundings>> => {
  const probed = await measuring.measurer.ask({ kind: 'peak' }, referenceLimit);
  const outcome = await measureCode(measuring, stage, measuring.reference, referenceLimit);
  if (outcome.kind !== 'measured') {
    const message = `the plan without tuning cannot be measured: ${whyNot(outcome)}`;
    return definite(error('tuning/untuned', message, unknownLocation));
  }
  const inCalls = outcome.calls * outcome.seconds.reduce((sum, each) => sum + each, 0);
  return success({
    seconds: median(outcome.seconds),
    peak: probed.kind === 'peak' ? probed.peak : undefined,
    overhead: Math.max(0, outcome.elapsed - inCalls),
  });
};

/** After how many seconds a candidate is given up, derived from the best so far. */
const limitOf = (
  { temperature }: Measuring,
  stage: Stage,
  { seconds, overhead }: Surroundings,
  bestRatio: number,
): number => {
  const slow = patience * bestRatio * seconds;
  const ofRun = temperature === 'warm' ? Math.max(batchSeconds, slow) : slow;
  return 2 + 5 * overhead + warmUpSeconds + 3 * slow + runsOf[stage] * ofRun;
};

const driftOf = (before: Surroundings, after: Surroundings): number => {
  const change = (a: number | undefined, b: number | undefined): number =>
    a === undefined || b === undefined ? 0 : Math.abs(b / a - 1);
  return Math.max(change(before.seconds, after.seconds), change(before.peak, after.peak));
};

const meanPeak = (a: Surroundings, b: Surroundings): number | undefined =>
  a.peak === undefined || b.peak === undefined ? undefined : (a.peak + b.peak) / 2;

/** What candidates are compared with. */
export interface Between {
  readonly seconds: number;
  readonly peak: number | undefined;
  readonly isNoisy: boolean;
}

/** The record of a candidate, from what its process answered. */
export const recordOf = (
  { key, operations }: Pick<Measuring, 'key' | 'operations'>,
  stage: Stage,
  { name, plan, selection, predicted }: Configuration & Pick<Candidate, 'predicted'>,
  compileSeconds: number,
  outcome: Outcome,
  between: Between,
): TuningRecord => {
  const claim = outcome.kind === 'measured' ? impossibleClaim(outcome, operations, between) : undefined;
  const times = outcome.kind === 'measured' ? outcome : undefined;
  const runtimes = times?.seconds ?? [];
  const isRight = times !== undefined && claim === undefined;
  const seconds = median(runtimes);
  const measurements: readonly Measurement[] = isRight
    ? [
        { name: 'seconds', value: seconds, unit: 's' },
        { name: 'ratio', value: seconds / between.seconds, unit: '' },
        ...(between.peak === undefined || operations === undefined
          ? []
          : [{ name: 'peak_share', value: operations / seconds / between.peak, unit: '' }]),
      ]
    : [];
  return {
    schema_version: '1.0.0',
    timestamp: new Date().toISOString(),
    ...key,
    stage,
    configuration: { name, plan, ...(selection && { selection }) },
    objectives: ['seconds'],
    times: {
      compilation_time: compileSeconds,
      runtimes,
      framework: times?.framework ?? 0,
      search_algorithm: 0,
      validation: times?.validation ?? 0,
    },
    invalidity: claim === undefined ? invalidityOf(outcome) : 'runtime',
    correctness: outcome.kind === 'wrong' ? 1 - outcome.wrong / outcome.elements : 1,
    measurements:
      predicted === undefined
        ? measurements
        : [...measurements, { name: 'predicted', value: predicted, unit: '' }],
    ...(isRight ? {} : { reason: claim ?? whyNot(outcome) }),
    ...(between.isNoisy ? { noisy: true as const } : {}),
  };
};

/** Why times cannot be true, if they cannot. */
const impossibleClaim = (
  { seconds, calls, elapsed }: Extract<Outcome, { readonly kind: 'measured' }>,
  operations: number | undefined,
  { peak, seconds: untunedSeconds }: Between,
): string | undefined => {
  if (seconds.length === 0 || !seconds.every((each) => each > 0)) return 'it claims to take no time';
  if (calls * seconds.reduce((sum, each) => sum + each, 0) > elapsed)
    return 'it claims more time than has passed';
  if (operations === undefined || peak === undefined) return undefined;
  const fastest = Math.max(peak, operations / untunedSeconds);
  return operations / median(seconds) > peakMargin * fastest
    ? 'it claims to be faster than this machine can compute'
    : undefined;
};

const invalidityOf = ({ kind }: Outcome): TuningRecord['invalidity'] => {
  switch (kind) {
    case 'measured':
      return 'correct';
    case 'wrong':
      return 'correctness';
    case 'late':
      return 'timeout';
    default:
      return 'runtime';
  }
};

/** Why there are no times. */
export const whyNot = (outcome: Outcome): string => {
  switch (outcome.kind) {
    case 'wrong': {
      const whose = outcome.when === 'first' ? '' : ' of the calls that were timed';
      return `${outcome.wrong} of ${outcome.elements} elements${whose} are wrong`;
    }
    case 'late':
      return `it takes more than ${outcome.limit.toFixed(1)} s`;
    case 'ended':
    case 'failed':
      return outcome.reason;
    default:
      return `an answer to another question: ${outcome.kind}`;
  }
};

/** The record of the untuned plan. */
export const untunedRecord = (measuring: Measuring, outcome: Outcome, between: Between): TuningRecord =>
  recordOf(measuring, 'final', untuned, measuring.reference.seconds, outcome, between);
