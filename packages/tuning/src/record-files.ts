/** Files of records: one line each, only ever added to, by one writer a file. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error, fileLocation, success, warning } from '@sconv/diagnostics';
import type { RecordKey, TuningRecord } from './record.ts';
import { isRecord, keyText, printRecord } from './record.ts';
import { whyOf } from './why-of.ts';

/** What records have to be of to be used. */
export type Current = Pick<RecordKey, 'fingerprint' | 'generator'>;

/**
 * The records of files by key, later ones in place of earlier ones. Skipped, with one warning a file and reason: lines
 * that are no records, as a process leaves that is killed (`tuning/cut-line`), and, if `current` is given, those of
 * another machine (`tuning/foreign`) or code generator (`tuning/old`). Fails with `tuning/cannot-read`.
 */
export const readRecords = (
  paths: readonly string[],
  current?: Current,
): Diagnosed<ReadonlyMap<string, TuningRecord>> => {
  const records = new Map<string, TuningRecord>();
  const warnings: Diagnostic[] = [];
  for (const path of paths) {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (problem) {
      return definite(
        error('tuning/cannot-read', `cannot read: ${whyOf(problem)}`, fileLocation(path, 1, 1)),
      );
    }
    const skipped: Skipped[] = [];
    for (const [i, line] of text.split('\n').entries()) {
      if (line === '') continue;
      const record = parsed(line);
      const code = record === undefined ? 'tuning/cut-line' : whyNotCurrent(record, current);
      if (code === undefined) records.set(keyText(record!), record!);
      else skipped.push({ code, line: i + 1 });
    }
    warnings.push(...warningsOf(path, skipped));
  }
  return success(records, warnings);
};

type SkipCode = keyof typeof whySkipped;

interface Skipped {
  readonly code: SkipCode;
  readonly line: number;
}

const whySkipped = {
  'tuning/cut-line': 'no record of a tuner, as a process leaves that is killed',
  'tuning/foreign': 'of another machine, target or compiler',
  'tuning/old': 'of another code generator: tune again with this one',
} as const;

const whyNotCurrent = (
  { fingerprint, generator }: TuningRecord,
  current: Current | undefined,
): SkipCode | undefined => {
  if (current === undefined) return undefined;
  if (fingerprint !== current.fingerprint) return 'tuning/foreign';
  return generator === current.generator ? undefined : 'tuning/old';
};

const warningsOf = (path: string, skipped: readonly Skipped[]): readonly Diagnostic[] =>
  (Object.keys(whySkipped) as SkipCode[]).flatMap((code) => {
    const lines = skipped.filter((each) => each.code === code);
    const [first] = lines;
    if (first === undefined) return [];
    const count = lines.length === 1 ? 'a line is' : `${lines.length} lines are`;
    return [warning(code, `${count} skipped: ${whySkipped[code]}`, fileLocation(path, first.line, 1))];
  });

const parsed = (line: string): TuningRecord | undefined => {
  try {
    const value = JSON.parse(line) as unknown;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Where records go. */
export interface RecordWriter {
  /** Adds records at once: all of them, or, on a full disk, less. Fails with `tuning/cannot-write`. */
  readonly add: (records: readonly TuningRecord[]) => Diagnosed<undefined>;
  readonly close: () => void;
}

/** Keeps no records. */
export const noRecords: RecordWriter = { add: () => success(undefined), close: () => undefined };

/**
 * Opens a file to add records to. A line that was cut off is ended, and stays. Fails with `tuning/exists` for a file
 * with something in it, unless it is resumed, and with `tuning/cannot-write`.
 */
export const openRecords = (path: string, isResumed: boolean): Diagnosed<RecordWriter> => {
  const location = fileLocation(path, 1, 1);
  const attempt = <T>(action: () => T): Diagnosed<T> => {
    try {
      return success(action());
    } catch (problem) {
      return definite(error('tuning/cannot-write', `cannot write: ${whyOf(problem)}`, location));
    }
  };
  if (!isResumed && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    const message = 'there are records in this file: --resume adds to them';
    return definite(error('tuning/exists', message, location));
  }
  const opened = attempt(() => {
    const file = openSync(path, 'a+');
    if (endsWithinLine(file)) writeAll(file, '\n');
    return file;
  });
  if (opened.status !== 'success') return opened;
  const file = opened.value;
  return success({
    add: (records) =>
      attempt(() => {
        // In one write, which a signal does not divide.
        writeAll(file, records.map(printRecord).join(''));
        return undefined;
      }),
    close: () => {
      closeSync(file);
    },
  });
};

const writeAll = (file: number, text: string): void => {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
};

const endsWithinLine = (file: number): boolean => {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() !== '\n';
};
