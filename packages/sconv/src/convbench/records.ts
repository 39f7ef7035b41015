/** The results of each row, as JSON lines: the first tells how they were made. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, fileLocation, success } from '@sconv/diagnostics';

/** How the records of a file were made. */
export interface Header {
  readonly kind: 'sconv convbench';
  readonly version: string;
  readonly target: string;
  /** Timed samples per convolution; 0 if nothing was timed. */
  readonly samples: number;
  readonly cpu: string;
}

/** The outcome of a convolution. */
export interface Outcome {
  /** `failed`: it does not compile, or its execution did not complete. */
  readonly check: 'right' | 'wrong' | 'failed';
  /** Why it is not right. */
  readonly reason?: string;
  /** `WS 16x4 Nc32 K2 4 K3 8`: dataflow, microkernel, and ST's tile sizes. */
  readonly plan?: string;
  /** The microkernels used, windows x filters, by descending work; `scalar` for code outside them. */
  readonly kernels?: readonly string[];
  readonly predictedCycles?: number;
  readonly compileSeconds?: number;
  /** Median of one call with bound filters. */
  readonly seconds?: number;
  readonly gflops?: number;
  /** Share of the peak measured next to it, if the target has one. */
  readonly peakShare?: number;
}

/** A row with its outcome. */
export interface Entry extends Outcome {
  readonly row: string;
  readonly shape: string;
  /** The processor, in merged records, if it is not that of the header. */
  readonly cpu?: string;
}

export interface Records {
  readonly header: Header;
  readonly entries: readonly Entry[];
  /** Bytes of the file up to the end of its last complete line. */
  readonly bytes: number;
}

export const printHeader = (header: Header): string => `${JSON.stringify(header)}\n`;

export const printEntry = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

/** Parses a file of records. Ignores an incomplete last line, which a killed process may leave. */
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

/** What records have in common if they are merged: each of them may be of another machine. */
export const mergedConditions = ['version', 'target', 'samples'] as const;

/** Why records that differ in one of these conditions cannot be combined; undefined if they can. */
export const headerConflict = (
  a: Header,
  b: Header,
  keys: readonly ((typeof mergedConditions)[number] | 'cpu')[],
): string | undefined => {
  const differing = keys.find((key) => a[key] !== b[key]);
  return differing && `their ${differing} is ${String(b[differing])}, not ${String(a[differing])}`;
};
