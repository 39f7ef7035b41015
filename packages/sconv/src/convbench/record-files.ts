/** Files of records: creating, resuming after a kill, and merging. */
import { closeSync, openSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { Diagnosed, Diagnostic, Failed } from '@sconv/diagnostics';
import {
  andThen,
  collect,
  definite,
  error,
  fileLocation,
  mapSuccess,
  success,
  warning,
} from '@sconv/diagnostics';
import { readSource } from '../console.ts';
import { reason } from '../reason.ts';
import { datasetNames } from './datasets.ts';
import type { Entry, Header, Records } from './records.ts';
import { headerConflict, mergedConditions, parseRecords, printEntry, printHeader } from './records.ts';
import { datasetOf } from './summary.ts';

/** The destination of entries. */
export interface RecordFile {
  /** Existing entries. */
  readonly before: readonly Entry[];
  /** Fails with `sconv/cannot-write`, e.g. on a full disk. */
  readonly write: (entry: Entry) => Diagnosed<undefined>;
  readonly close: () => void;
}

/** Discards entries. */
export const noFile: RecordFile = { before: [], write: () => success(undefined), close: () => undefined };

/** A new file. Fails with `convbench/exists` if it exists, and with `sconv/cannot-write`. */
export const newRecords = (path: string, header: Header): Diagnosed<RecordFile> => begin(path, 'wx', header);

/**
 * Resumes a file after its last complete line, or creates it. Fails with `convbench/mixed` for records made under other
 * conditions, with `convbench/records` for a file of anything else, and with `sconv/cannot-write`.
 */
export const resumedRecords = (path: string, header: Header): Diagnosed<RecordFile> => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return begin(path, 'w', header);
  return andThen(readRecords(path), ({ header: old, entries, bytes }) => {
    const conflict = headerConflict(header, old, [...mergedConditions, 'cpu']);
    if (conflict !== undefined) return mixed(path, conflict);
    return andThen(
      attempt(path, () => {
        truncateSync(path, bytes);
      }),
      () => open(path, 'a', entries),
    );
  });
};

/**
 * Merges the records of shards, in dataset order. Those of another processor than the first file's keep it, and a
 * warning (`convbench/machines`) says so, since their times cannot be compared. Fails with `convbench/mixed` and
 * `convbench/twice`.
 */
export const mergeRecords = (paths: readonly string[]): Diagnosed<Pick<Records, 'header' | 'entries'>> =>
  andThen(
    collect(paths, (path) => mapSuccess(readRecords(path), (records) => ({ path, ...records }))),
    (all) => {
      const [first] = all;
      if (first === undefined) throw new Error('no files to join');
      const entries = new Map<string, Entry>();
      const cpus = new Set<string>();
      for (const { path, header, entries: own } of all) {
        const conflict = headerConflict(first.header, header, mergedConditions);
        if (conflict !== undefined) return mixed(path, conflict);
        for (const entry of own) {
          if (entries.has(entry.row)) {
            const message = `row ${entry.row} is in another file too`;
            return definite(error('convbench/twice', message, fileLocation(path, 1, 1)));
          }
          const { cpu = header.cpu, ...outcome } = entry;
          cpus.add(cpu);
          entries.set(entry.row, cpu === first.header.cpu ? outcome : { ...outcome, cpu });
        }
      }
      return success(
        { header: first.header, entries: inOrder([...entries.values()]) },
        cpus.size > 1 ? [severalMachines(first.path, [...cpus])] : [],
      );
    },
  );

/** Entries sorted by dataset and ID. */
export const inOrder = (entries: readonly Entry[]): readonly Entry[] => {
  const rank = (dataset: string): number => (datasetNames as readonly string[]).indexOf(dataset);
  const idOf = ({ row }: Entry): number => Number(row.slice(row.lastIndexOf(':') + 1));
  return [...entries].sort((a, b) => {
    const [first, second] = [datasetOf(a), datasetOf(b)];
    if (first !== second) return rank(first) - rank(second) || (first < second ? -1 : 1);
    return idOf(a) - idOf(b);
  });
};

const severalMachines = (path: string, cpus: readonly string[]): Diagnostic =>
  warning(
    'convbench/machines',
    `the times are of several processors, and cannot be compared: ${cpus.join('; ')}`,
    fileLocation(path, 1, 1),
  );

const readRecords = (path: string): Diagnosed<Records> =>
  andThen(readSource(path), ({ text }) => parseRecords(path, text));

const mixed = (path: string, conflict: string): Failed =>
  definite(
    error(
      'convbench/mixed',
      `the records were made with other options: ${conflict}`,
      fileLocation(path, 1, 1),
    ),
  );

const begin = (path: string, flags: string, header: Header): Diagnosed<RecordFile> =>
  andThen(open(path, flags, []), (file) =>
    mapSuccess(file.writeText(printHeader(header)), (): RecordFile => file),
  );

interface OpenFile extends RecordFile {
  readonly writeText: (text: string) => Diagnosed<undefined>;
}

const open = (path: string, flags: string, before: readonly Entry[]): Diagnosed<OpenFile> =>
  mapSuccess(
    attempt(path, () => openSync(path, flags)),
    (file) => {
      const writeText = (text: string): Diagnosed<undefined> =>
        attempt(path, () => {
          writeFileSync(file, text);
          return undefined;
        });
      return {
        before,
        writeText,
        write: (entry) => writeText(printEntry(entry)),
        close: () => {
          closeSync(file);
        },
      };
    },
  );

const attempt = <T>(path: string, action: () => T): Diagnosed<T> => {
  try {
    return success(action());
  } catch (problem) {
    const location = fileLocation(path, 1, 1);
    if ((problem as NodeJS.ErrnoException).code === 'EEXIST')
      return definite(error('convbench/exists', 'the file exists: --resume continues it', location));
    return definite(error('sconv/cannot-write', `cannot write: ${reason(problem)}`, location));
  }
};
