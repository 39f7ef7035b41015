/** What is known of each row, as lines of JSON: the first says how they were made. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, fileLocation, success } from '@sconv/diagnostics';

/** How the records of a file were made. */
export interface Header {
  readonly kind: 'sconv convbench';
  readonly version: string;
  readonly target: string;
  /** Timed samples of each convolution; 0 where nothing was timed. */
  readonly samples: number;
  readonly cpu: string;
}

/** What became of a convolution. */
export interface Outcome {
  /** `failed`: it has no code, or its code did not come to an end. */
  readonly check: 'right' | 'wrong' | 'failed';
  /** Why not. */
  readonly reason?: string;
  /** `WS 16x4 Nc32 K2 4 K3 8`: dataflow, microkernel, and the sizes of ST's tiles. */
  readonly plan?: string;
  /** The microkernels used, windows x filters, the one with most work first; `scalar` for code outside of them. */
  readonly kernels?: readonly string[];
  readonly predictedCycles?: number;
  readonly compileSeconds?: number;
  /** Of one call with bound filters: the median. */
  readonly seconds?: number;
  readonly gflops?: number;
  /** Of the peak measured beside it, where there is one for the target. */
  readonly peakShare?: number;
}

/** A row and what became of it. */
export interface Entry extends Outcome {
  readonly row: string;
  readonly shape: string;
}

export interface Records {
  readonly header: Header;
  readonly entries: readonly Entry[];
  /** Bytes of the file up to the end of its last complete line. */
  readonly bytes: number;
}

export const printHeader = (header: Header): string => `${JSON.stringify(header)}\n`;

export const printEntry = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

/** Reads a file of records. A last line without an end, which a process that was killed may leave, is not counted. */
export const parseRecords = (path: string, text: string): Diagnosed<Records> => {
  const end = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, end).split('\n').slice(0, -1);
  const parsed: unknown[] = [];
  for (const [i, line] of lines.entries()) {
    const value = parseLine(line);
    if (value === undefined || (i === 0 ? !isHeader(value) : !isEntry(value))) return noRecords(path, i + 1);
    parsed.push(value);
  }
  const [header, ...entries] = parsed;
  if (header === undefined) return noRecords(path, 1);
  return success({
    header: header as Header,
    entries: entries as readonly Entry[],
    bytes: Buffer.byteLength(text.slice(0, end)),
  });
};

const noRecords = (path: string, line: number) =>
  definite(
    error('convbench/records', 'expected a line of records of sconv convbench', fileLocation(path, line, 1)),
  );

const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isHeader = (value: unknown): boolean =>
  isRecord(value) &&
  value['kind'] === 'sconv convbench' &&
  ['version', 'target', 'cpu'].every((key) => typeof value[key] === 'string') &&
  typeof value['samples'] === 'number';

const isEntry = (value: unknown): boolean =>
  isRecord(value) &&
  ['row', 'shape'].every((key) => typeof value[key] === 'string') &&
  ['right', 'wrong', 'failed'].includes(String(value['check']));

/** Why records that were made in different ways cannot stand together; undefined where they can. */
export const headerConflict = (a: Header, b: Header): string | undefined => {
  const keys = ['version', 'target', 'samples'] as const;
  const differing = keys.find((key) => a[key] !== b[key]);
  return differing && `their ${differing} is ${String(b[differing])}, not ${String(a[differing])}`;
};
