/** The two sides of a folder of work: those that do its units, and the one that collects what came of them. */
import { setTimeout } from 'node:timers/promises';
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { TuningSignal } from './measuring-process.ts';
import type { WorkClaim, WorkFolder, WorkOutcome, WorkStatus, WorkUnit } from './work-folder.ts';

/** How both look at the work. */
export interface WorkOptions {
  /** Ends the work; units go back, undone. */
  readonly signal?: TuningSignal | undefined;
  /** Seconds between two looks; default 1. */
  readonly pause?: number;
}

/**
 * Does the units of a folder that suit, one after the other, and waits for those of others: they may have to be done
 * again. Returns how many it did. A unit whose work the signal has ended, or of which others hold this worker for dead,
 * has no outcome by it; both set the signal that it is given. Fails as the folder does.
 */
export const doWork = async (
  folder: WorkFolder,
  suits: (unit: WorkUnit) => boolean,
  work: (claim: WorkClaim, signal: TuningSignal) => Promise<unknown>,
  { signal, pause = 1 }: WorkOptions = {},
): Promise<Diagnosed<number>> => {
  let done = 0;
  const isStopped = (): boolean => signal?.aborted === true;
  while (!isStopped()) {
    const found = folder.claim(suits);
    if (found.status !== 'success') return found;
    const claim = found.value;
    if (claim === undefined) {
      const status = folder.look(suits);
      if (status.status !== 'success') return status;
      if (status.value.waiting + status.value.claimed === 0) break;
      if (status.value.waiting === 0) await setTimeout(pause * 1000);
      continue;
    }
    const result = await work(claim, eitherOf(claim.signal, signal));
    const isOurs = !isStopped() && !claim.signal.aborted;
    const ended = isOurs ? claim.finish(result) : claim.release();
    if (ended.status !== 'success') return ended;
    if (isOurs && ended.value === true) done += 1;
  }
  return success(done);
};

/** A signal that is set with either. */
const eitherOf = (first: TuningSignal, second: TuningSignal | undefined): TuningSignal => ({
  get aborted() {
    return first.aborted || second?.aborted === true;
  },
  addEventListener: (type, listener) => {
    for (const signal of [first, second]) signal?.addEventListener?.(type, listener);
  },
  removeEventListener: (type, listener) => {
    for (const signal of [first, second]) signal?.removeEventListener?.(type, listener);
  },
});

/** What is known while work is collected. */
export interface Collecting extends WorkStatus {
  readonly done: number;
  readonly of: number;
}

/**
 * Adds units to a folder, and waits until workers have done them; returns what came of each, in their order, undefined
 * for those that are open when the signal comes. Fails as the folder does.
 */
export const collectWork = async (
  folder: WorkFolder,
  units: readonly WorkUnit[],
  onProgress: (progress: Collecting) => void,
  { signal, pause = 1 }: WorkOptions = {},
): Promise<Diagnosed<readonly (WorkOutcome | undefined)[]>> => {
  const added = folder.add(units);
  if (added.status !== 'success') return added;
  const names = added.value;
  const outcomes = new Map<string, WorkOutcome>();
  for (;;) {
    const status = folder.look(() => true);
    if (status.status !== 'success') return status;
    for (const name of names) {
      if (outcomes.has(name)) continue;
      const outcome = folder.outcome(name);
      if (outcome.status !== 'success') return outcome;
      if (outcome.value !== undefined) outcomes.set(name, outcome.value);
    }
    onProgress({ ...status.value, done: outcomes.size, of: names.length });
    if (signal?.aborted === true || names.every((name) => outcomes.has(name)))
      return success(names.map((name) => outcomes.get(name)));
    await setTimeout(pause * 1000);
  }
};
