/** Tuning by processes that share work, of this machine and of others: adds the units, and collects. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { Collecting, WorkOutcome, WorkUnit } from '@sconv/tuning';
import type { RecordsFile } from './collection.ts';
import { openCollection } from './collection.ts';
import { isTuneTaskResult } from './work-units.ts';
import type { TuneTask, TuneTaskResult } from './work-units.ts';
import type { WorkerProcesses } from './worker-processes.ts';
import { startWorkers } from './worker-processes.ts';

export interface WorkersOptions {
  /** The folder of work, or the URL of a server with queues; without one, a temporary folder. */
  readonly work: string | undefined;
  /** How many processes of this machine work on it; none leaves it to others. */
  readonly workers: number;
  /** The file that all records go to. */
  readonly output: RecordsFile | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Collecting) => void;
}

/**
 * Has units of `TuneTask` done; returns what came of each, undefined for those that the signal left. Fails as the
 * place of work and the file of records do, and with `tune/workers` where the processes of this machine keep failing.
 */
export const tuneByWorkers = async (
  units: readonly WorkUnit[],
  { work: given, workers, output, signal, onProgress }: WorkersOptions,
): Promise<Diagnosed<readonly (TuneTaskResult | undefined)[]>> => {
  const path = given ?? mkdtempSync(join(tmpdir(), 'sconv-tune-'));
  try {
    const opened = await openCollection(path, output);
    if (opened.status !== 'success') return opened;
    let processes: WorkerProcesses | undefined;
    let done = 0;
    const failing = new AbortController();
    const onFailing = (): void => {
      failing.abort();
    };
    const onLook = (progress: Collecting): void => {
      const open = progress.of - progress.done;
      if (open > 0) processes ??= startWorkers(path, Math.min(workers, open), onFailing);
      if (progress.done > done) processes?.progressed();
      done = progress.done;
      onProgress(progress);
    };
    const until = AbortSignal.any([signal, failing.signal]);
    const collected = await opened.value.collect(units, onLook, until);
    await processes?.end();
    const kept = opened.value.end();
    if (failing.signal.aborted && !signal.aborted) {
      const message =
        'the processes that work on it fail one after the other' +
        (given === undefined ? '' : `; what they say: sconv tune work ${given}`);
      return definite(error('tune/workers', message, unknownLocation));
    }
    return andThen(collected, (outcomes) =>
      andThen(kept, () =>
        success(
          outcomes.map((each, i) => resultOf(each, units[i]!)),
          opened.diagnostics,
        ),
      ),
    );
  } finally {
    if (given === undefined) rmSync(path, { recursive: true, force: true });
  }
};

const resultOf = (outcome: WorkOutcome | undefined, { task }: WorkUnit): TuneTaskResult | undefined => {
  if (outcome === undefined) return undefined;
  if (outcome.kind === 'done' && isTuneTaskResult(outcome.result)) return outcome.result;
  const { name } = task as TuneTask;
  const why = outcome.kind === 'done' ? 'its outcome is damaged' : `${outcome.attempts} workers died of it`;
  const message = `${name} was not tuned: ${why}`;
  return { diagnostics: [error('tune/unit', message, unknownLocation)] };
};
