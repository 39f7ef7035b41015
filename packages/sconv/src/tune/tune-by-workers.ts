/** Tuning by the processes that work on a folder, of this machine and of others: writes the units, and collects. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess, success, unknownLocation } from '@sconv/diagnostics';
import type { Collecting, TuningRecord, WorkFolder, WorkOutcome, WorkUnit } from '@sconv/tuning';
import { collectWork, keyText, openRecords, openWorkFolder, readRecords } from '@sconv/tuning';
import { isTuneTaskResult } from './work-units.ts';
import type { TuneTask, TuneTaskResult } from './work-units.ts';
import type { WorkerProcesses } from './worker-processes.ts';
import { startWorkers } from './worker-processes.ts';

export interface WorkersOptions {
  /** The folder of work; without one, a temporary one. */
  readonly folder: string | undefined;
  /** How many processes of this machine work on it; none leaves it to others. */
  readonly workers: number;
  /** The file that all records go to. */
  readonly output: { readonly path: string; readonly isResumed: boolean } | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Collecting) => void;
}

/**
 * Has units of `TuneTask` done; returns what came of each, undefined for those that the signal left. Fails as the
 * folder and the file of records do, and with `tune/workers` where the processes of this machine keep failing.
 */
export const tuneByWorkers = async (
  units: readonly WorkUnit[],
  { folder: given, workers, output, signal, onProgress }: WorkersOptions,
): Promise<Diagnosed<readonly (TuneTaskResult | undefined)[]>> => {
  const path = given ?? mkdtempSync(join(tmpdir(), 'sconv-tune-'));
  try {
    const opened = andThen(openWorkFolder(path), (folder) =>
      mapSuccess(shareRecords(folder, output), () => folder),
    );
    if (opened.status !== 'success') return opened;
    const folder = opened.value;
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
    const collected = await collectWork(folder, units, onLook, { signal: until });
    await processes?.end();
    if (failing.signal.aborted && !signal.aborted) {
      const message =
        'the processes that work on the folder fail one after the other' +
        (given === undefined ? '' : `; what they say: sconv tune work ${given}`);
      return definite(error('tune/workers', message, unknownLocation));
    }
    return andThen(collected, (outcomes) =>
      andThen(keepRecords(folder, output), () =>
        success(outcomes.map((each, i) => resultOf(each, units[i]!))),
      ),
    );
  } finally {
    if (given === undefined) rmSync(path, { recursive: true, force: true });
  }
};

/** Gives the workers the records that there are. */
const shareRecords = (folder: WorkFolder, output: WorkersOptions['output']): Diagnosed<unknown> => {
  if (output === undefined) return success(undefined);
  // Also refuses a file that is not to be added to, before any work.
  const opened = openRecords(output.path, output.isResumed);
  if (opened.status !== 'success') return opened;
  opened.value.close();
  return addRecords(readRecords([output.path]), join(folder.path, 'records', 'given.jsonl'));
};

/** Adds the records of all workers to the file of the user. */
const keepRecords = (folder: WorkFolder, output: WorkersOptions['output']): Diagnosed<unknown> =>
  output === undefined
    ? success(undefined)
    : andThen(folder.recordFiles(), (files) => addRecords(readRecords(files), output.path));

/** Adds the records to a file that it does not have. */
const addRecords = (read: Diagnosed<ReadonlyMap<string, TuningRecord>>, path: string): Diagnosed<unknown> =>
  // Whatever is wrong with lines is the rule in files of workers that were killed.
  andThen(read.status === 'success' ? success(read.value) : read, (records) =>
    andThen(openRecords(path, true), (writer) => {
      const known = readRecords([path]);
      const added =
        known.status === 'success'
          ? writer.add([...records.values()].filter((record) => !known.value.has(keyText(record))))
          : known;
      writer.close();
      return added.status === 'success' ? success(undefined) : added;
    }),
  );

const resultOf = (outcome: WorkOutcome | undefined, { task }: WorkUnit): TuneTaskResult | undefined => {
  if (outcome === undefined) return undefined;
  if (outcome.kind === 'done' && isTuneTaskResult(outcome.result)) return outcome.result;
  const { name } = task as TuneTask;
  const why = outcome.kind === 'done' ? 'its outcome is damaged' : `${outcome.attempts} workers died of it`;
  const message = `${name} was not tuned: ${why}`;
  return { diagnostics: [error('tune/unit', message, unknownLocation)] };
};
