/** Where work is collected from: a folder, or queues; and the records of all that worked. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, success } from '@sconv/diagnostics';
import type {
  Collecting,
  TuningRecord,
  TuningSignal,
  WorkFolder,
  WorkOutcome,
  WorkUnit,
} from '@sconv/tuning';
import { collectWork, keyText, openRecords, openWorkFolder, readRecords } from '@sconv/tuning';
import { isQueueUrl, openQueues } from './open-queues.ts';

/** A file of records of the user. */
export interface RecordsFile {
  readonly path: string;
  readonly isResumed: boolean;
}

export interface Collection {
  /** Adds units, and waits until they are done, or the signal comes. */
  readonly collect: (
    units: readonly WorkUnit[],
    onProgress: (progress: Collecting) => void,
    signal: TuningSignal,
  ) => Promise<Diagnosed<readonly (WorkOutcome | undefined)[]>>;
  /** Adds the records of all workers to the file of the user. */
  readonly end: () => Diagnosed<unknown>;
}

/** Opens a folder of work, or queues at a URL. Fails as these do, and as the file of records does, before any work. */
export const openCollection = async (
  work: string,
  output: RecordsFile | undefined,
): Promise<Diagnosed<Collection>> => {
  if (output !== undefined) {
    const opened = openRecords(output.path, output.isResumed);
    if (opened.status !== 'success') return opened;
    opened.value.close();
  }
  return isQueueUrl(work) ? queueCollection(work, output) : folderCollection(work, output);
};

const folderCollection = (path: string, output: RecordsFile | undefined): Diagnosed<Collection> =>
  andThen(openWorkFolder(path), (folder) =>
    mapSuccess(shareRecords(folder, output), () => ({
      collect: (units, onProgress, signal) => collectWork(folder, units, onProgress, { signal }),
      end: () =>
        output === undefined
          ? success(undefined)
          : andThen(folder.recordFiles(), (files) => addRecords(readRecords(files), output.path)),
    })),
  );

/** Gives the workers the records that there are. */
const shareRecords = (folder: WorkFolder, output: RecordsFile | undefined): Diagnosed<unknown> =>
  output === undefined
    ? success(undefined)
    : addRecords(readRecords([output.path]), join(folder.path, 'records', 'given.jsonl'));

const queueCollection = async (
  url: string,
  output: RecordsFile | undefined,
): Promise<Diagnosed<Collection>> =>
  mapSuccess(await openQueues(url), (queues) => {
    let records: readonly string[] = [];
    return {
      collect: async (units, onProgress, signal) =>
        mapSuccess(await queues.collect(units, onProgress, { signal }), (collected) => {
          ({ records } = collected);
          return collected.outcomes;
        }),
      end: () => {
        queues.close();
        return output === undefined ? success(undefined) : addRecords(readLines(records), output.path);
      },
    };
  });

const readLines = (lines: readonly string[]): ReturnType<typeof readRecords> => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-records-'));
  try {
    const path = join(folder, 'records.jsonl');
    writeFileSync(path, lines.join(''));
    return readRecords([path]);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

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
