/**
 * Tunes a contraction by a protocol whose figures hold (TT §7): plans are compiled in blocks and then timed, never both
 * at once; each block stands between two measurements of the untuned plan and of the machine's peak; the best are
 * measured again, and only what is measured last, in turns and in fresh processes, counts.
 */
import type { Diagnosed, Diagnostic, Failed } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { MachineLock } from './machine-lock.ts';
import { noLock } from './machine-lock.ts';
import type { Measurer, TuningSignal } from './measuring-process.ts';
import type { CompiledCode, SecondsLeft } from './measure-block.ts';
import { measureBlock } from './measure-block.ts';
import { measureFinals } from './measure-finals.ts';
import { blockSize } from './protocol.ts';
import type { Configuration, RecordKey, TuningRecord } from './record.ts';
import { choiceKey, gainOf, keyText, measured, untuned } from './record.ts';
import type { RecordWriter } from './record-files.ts';
import type { Temperature } from './subject.ts';
import { now, workClock } from './work-clock.ts';

/** A plan to try, and what a model says of it; only for the report. */
export interface Candidate extends Configuration {
  readonly predicted?: number;
}

/** How much to measure. */
export type Budget =
  | { readonly kind: 'candidates'; readonly count: number }
  | { readonly kind: 'seconds'; readonly seconds: number };

/** What is known of a plan that was measured. */
export interface Scored {
  readonly candidate: Candidate;
  /** Its time over that of the untuned plan next to it; infinite for a failure. */
  readonly ratio: number;
}

/** The next candidates, at most `count`, given those that were measured; none ends the search. */
export type Propose = (scored: readonly Scored[], count: number) => readonly Candidate[];

export interface Progress {
  readonly stage: 'compile' | TuningRecord['stage'];
  /** Candidates that are done with. */
  readonly done: number;
  readonly of: number | undefined;
  /** Least ratio so far. */
  readonly best: number;
  /** Estimated; undefined before there is anything to estimate by. */
  readonly secondsLeft: number | undefined;
}

/** What tuning a workload takes. */
export interface Tuning {
  /** Without `stage` and `configuration`. */
  readonly key: Omit<RecordKey, 'stage' | 'configuration'>;
  /** The code of a plan; of null, the untuned one. A silenceable failure refuses the plan, a definite one its code. */
  readonly compile: (configuration: Configuration) => Promise<Diagnosed<CompiledCode>>;
  readonly propose: Propose;
  readonly measurer: Measurer;
  readonly temperature: Temperature;
  /** Operations of a call, as the measurer's peak counts them; undefined if they are unknown. */
  readonly operations: number | undefined;
  /** Of seconds, those in which others have the machine do not count. */
  readonly budget: Budget;
  /** What compiles and measures takes it before; default none, for a machine without others. */
  readonly lock?: MachineLock;
  /** How many plans are compiled at once; default 1. */
  readonly jobs?: number;
  /** What is known already, by `keyText`. */
  readonly known: ReadonlyMap<string, TuningRecord>;
  readonly writer: RecordWriter;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: TuningSignal | undefined;
}

/** What tuning came to. */
export interface TuningResult {
  /** `untuned` where nothing was faster. */
  readonly best: Configuration;
  /** Of the last comparison, the untuned plan's first; empty if it was interrupted before. */
  readonly finals: readonly TuningRecord[];
  /** One per candidate, of its latest stage, but the finals. */
  readonly records: readonly TuningRecord[];
  /** Candidates whose code is that of another one. */
  readonly duplicates: number;
  readonly seconds: number;
}

/** How many are measured again, and how many of these in the end. */
const confirmed = 10;
const finalists = 5;

/** Which share of the time goes by until the candidates are found, and until they are confirmed. */
const searchShare = 0.55;
const confirmShare = 0.7;

/** So many candidates of a block are compiled, whatever the time. */
const fewest = 3;

/**
 * Tunes one workload. Fails with `tuning/untuned` where the plan that candidates are compared with does not compile or
 * run, and as `RecordWriter.add` does. An interrupted search is a success without finals.
 */
export const tuneWorkload = async (tuning: Tuning): Promise<Diagnosed<TuningResult>> => {
  const { key, propose, budget, known, writer, jobs = 1, signal, onProgress } = tuning;
  const { lock, elapsed } = workClock(tuning.lock ?? noLock);
  const isStopped = (): boolean => signal?.aborted === true;
  const compile = (configuration: Configuration): Promise<Diagnosed<CompiledCode>> =>
    lock.compiling(() => tuning.compile(configuration));
  const leftOf =
    (share: number): SecondsLeft =>
    () =>
      budget.kind === 'seconds' ? share * budget.seconds - elapsed() : Infinity;
  const isOver = (share: number): boolean => isStopped() || leftOf(share)() < 0;
  const searchEnd = budget.kind === 'seconds' ? searchShare * budget.seconds : Infinity;
  const reference = await compile(untuned);
  if (reference.status !== 'success') return noReference(reference.diagnostics);
  const base = { ...tuning, lock, reference: reference.value };

  const codes = new Map<string, CompiledCode>();
  const digests = new Map([[reference.value.digest, untuned.name]]);
  const records = new Map<string, TuningRecord>();
  const candidates = new Map<string, Candidate>();
  let duplicates = 0;
  const scored = (): readonly Scored[] =>
    [...records].map(([plan, record]) => ({ candidate: candidates.get(plan)!, ratio: ratioOf(record) }));
  const best = (): number => scored().reduce((least, { ratio }) => Math.min(least, ratio), 1);
  const say = (stage: Progress['stage'], done: number, of: number | undefined): void => {
    const secondsLeft =
      budget.kind === 'seconds'
        ? Math.max(0, budget.seconds - elapsed())
        : done === 0
          ? undefined
          : (elapsed() / done) * (budget.count - done);
    onProgress?.({ stage, done, of, best: best(), secondsLeft });
  };
  const keep = (made: readonly TuningRecord[]): Diagnosed<undefined> => {
    for (const record of made) records.set(choiceKey(record.configuration), record);
    return writer.add(made);
  };
  const compiled = async (candidate: Candidate): Promise<CompiledCode | undefined> => {
    const plan = choiceKey(candidate);
    const kept = codes.get(plan);
    if (kept !== undefined) return kept;
    const from = now();
    const code = await compile(candidate);
    if (code.status === 'success') {
      codes.set(plan, code.value);
      return code.value;
    }
    const failure = keep([compileFailure(key, candidate, now() - from, code)]);
    return failure.status === 'success' ? undefined : Promise.reject(new WriteProblem(failure.diagnostics));
  };

  try {
    // 1. Blocks of candidates, as long as there are any and the budget lasts.
    while (!isStopped() && (candidates.size === 0 || !isOver(searchShare))) {
      // Half of the time that is left is for measuring.
      const until = (elapsed() + searchEnd) / 2;
      const left = budget.kind === 'candidates' ? budget.count - candidates.size : Infinity;
      const asked = Math.min(blockSize, left);
      const proposed = asked === 0 ? [] : propose(scored(), asked);
      const fresh = proposed.filter((candidate) => !candidates.has(choiceKey(candidate)));
      if (fresh.length === 0) break;
      const block: Candidate[] = [];
      for (const candidate of fresh) {
        const plan = choiceKey(candidate);
        candidates.set(plan, candidate);
        const record = known.get(keyText({ ...key, stage: 'screen', configuration: candidate }));
        if (record === undefined) block.push(candidate);
        else records.set(plan, record);
      }
      const entries: { candidate: Candidate; code: CompiledCode }[] = [];
      await inParallel(block, jobs, async (candidate) => {
        if (entries.length >= fewest && elapsed() > until) return;
        say('compile', candidates.size - block.length + entries.length, countOf(budget));
        const code = await compiled(candidate);
        if (code === undefined) return;
        if (digests.has(code.digest)) duplicates += 1;
        else {
          digests.set(code.digest, candidate.name);
          entries.push({ candidate, code });
        }
      });
      if (isStopped()) break;
      const screened = await measureBlock(base, 'screen', entries, best(), leftOf(searchShare), (done) => {
        say('screen', candidates.size - entries.length + done, countOf(budget));
      });
      if (screened.status !== 'success') return screened;
      const written = keep(screened.value);
      if (written.status !== 'success') return written;
    }

    // 2. The best of them, with more runs.
    const promising = leastRatios(scored(), confirmed);
    const chosen = promising.length > finalists ? promising : [];
    const entries: { candidate: Candidate; code: CompiledCode }[] = [];
    for (const candidate of chosen) {
      const record = known.get(keyText({ ...key, stage: 'confirm', configuration: candidate }));
      if (record !== undefined) records.set(choiceKey(candidate), record);
      else if (!isOver(confirmShare)) {
        const code = await compiled(candidate);
        if (code !== undefined) entries.push({ candidate, code });
      }
    }
    if (entries.length > 0 && !isStopped()) {
      const again = await measureBlock(base, 'confirm', entries, best(), leftOf(confirmShare), (done) => {
        say('confirm', done, entries.length);
      });
      if (again.status !== 'success') return again;
      const written = keep(again.value);
      if (written.status !== 'success') return written;
    }

    // 3. Those that are left, beside the untuned plan.
    const last: { candidate: Candidate; code: CompiledCode }[] = [];
    for (const candidate of leastRatios(scored(), finalists)) {
      const code = isStopped() ? undefined : await compiled(candidate);
      if (code !== undefined) last.push({ candidate, code });
    }
    const ended = (finals: readonly TuningRecord[]): Diagnosed<TuningResult> =>
      success({
        best: bestOf(finals),
        finals,
        records: [...records.values()],
        duplicates,
        seconds: elapsed(),
      });
    if (isStopped()) return ended([]);
    const remembered = [untuned, ...last.map(({ candidate }) => candidate)].map((configuration) =>
      known.get(keyText({ ...key, stage: 'final', configuration })),
    );
    const [first] = remembered;
    // They are written at once, so that those of one comparison have the same time.
    if (first !== undefined && remembered.every((each) => each?.timestamp === first.timestamp))
      return ended(remembered as readonly TuningRecord[]);
    const finals = await measureFinals(base, last, leftOf(1), (done, of) => {
      say('final', done, of);
    });
    if (finals.status !== 'success') return finals;
    const written = writer.add(finals.value);
    return written.status === 'success' ? ended(finals.value) : written;
  } catch (problem) {
    if (problem instanceof WriteProblem) return definite(...problem.diagnostics);
    throw problem;
  }
};

/** A failure of the writer within parallel work. */
class WriteProblem extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super('a record cannot be written');
    this.diagnostics = diagnostics;
  }
}

const countOf = (budget: Budget): number | undefined =>
  budget.kind === 'candidates' ? budget.count : undefined;

/** The time of a record over the untuned plan's; infinite if it has none. */
const ratioOf = (record: TuningRecord): number =>
  record.invalidity === 'correct' ? (measured(record, 'ratio') ?? Infinity) : Infinity;

/** The candidates with the least ratios, those without any left out. */
const leastRatios = (scored: readonly Scored[], count: number): readonly Candidate[] =>
  scored
    .filter(({ ratio }) => ratio < Infinity)
    .sort((a, b) => a.ratio - b.ratio)
    .slice(0, count)
    .map(({ candidate }) => candidate);

/** The plan that gained most in a last comparison; the untuned one if none did. */
const bestOf = (finals: readonly TuningRecord[]): Configuration => {
  const gain = (record: TuningRecord): number => gainOf(record) ?? Infinity;
  const [fastest] = finals.filter((record) => gain(record) < Infinity).sort((a, b) => gain(a) - gain(b));
  return fastest?.configuration ?? untuned;
};

const noReference = (diagnostics: readonly Diagnostic[]): Diagnosed<never> => {
  const why = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'it failed';
  return definite(
    error('tuning/untuned', `the plan without tuning does not compile: ${why}`, unknownLocation),
  );
};

/** A plan without code. */
const compileFailure = (
  key: Tuning['key'],
  { name, plan, selection }: Candidate,
  seconds: number,
  { status, diagnostics }: Failed,
): TuningRecord => {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  return {
    schema_version: '1.0.0',
    timestamp: new Date().toISOString(),
    ...key,
    stage: 'screen',
    configuration: { name, plan, ...(selection && { selection }) },
    objectives: ['seconds'],
    times: { compilation_time: seconds, runtimes: [], framework: 0, search_algorithm: 0, validation: 0 },
    invalidity: status === 'silenceable' ? 'constraints' : 'compile',
    correctness: 1,
    measurements: [],
    reason: first?.message ?? 'it does not compile',
  };
};

/** Works on all items, `jobs` of them at once. */
const inParallel = async <T>(
  items: readonly T[],
  jobs: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker));
};
