/** What both commands share: where they read and write, and how they end. */
import { readFileSync } from 'node:fs';
import type { Diagnostic } from '@sconv/diagnostics';
import {
  definite,
  error,
  fileLocation,
  mapSuccess,
  render,
  success,
  unknownLocation,
} from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import { decodeText } from '@sconv/ir';
import { bytesOf } from './write-file.ts';
import { reason } from './reason.ts';

/** Where a command writes; replaced in tests. */
export interface Console {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal, for a person to see progress. */
  readonly isTerminal: boolean;
  /** Told of each diagnostic that is written to `err`, and of what else ends the work. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

export const processConsole: Console = {
  out: (text) => process.stdout.write(bytesOf(text)),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
};

/** Says on a terminal what is being done, on one line that is gone afterwards. */
export const progressOf = (
  output: Console,
): { readonly say: (what: string) => void; readonly end: () => void } => {
  const clear = '\r\u001b[K';
  return output.isTerminal
    ? { say: (what) => output.err(`${clear}${what} …`), end: () => output.err(clear) }
    : { say: () => undefined, end: () => undefined };
};

/** Exit codes: the work failed; the command line cannot be understood. */
export const failed = 1;
export const badUsage = 2;

/** A file of text with the name by which diagnostics call it. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** Bytes that are no UTF-8 are kept. */
const textOf = (bytes: Buffer): string => {
  const text = bytes.toString();
  return text.includes('\ufffd') ? decodeText(bytes) : text;
};

/** Reads a file, or the standard input for `-`. */
export const readSource = (path: string): Diagnosed<SourceFile> => {
  const [name, file] = path === '-' ? ['<stdin>', 0] : [path, path];
  return mapSuccess(readBytes(name, file), (bytes) => ({ name, text: textOf(bytes) }));
};

/** The bytes of a file, which is open where it is a number; diagnostics call it by the name. */
export const readBytes = (name: string, file: string | number = name): Diagnosed<Buffer> => {
  try {
    return success(readFileSync(file));
  } catch (problem) {
    return definite(error('sconv/cannot-read', `cannot read: ${reason(problem)}`, fileLocation(name, 1, 1)));
  }
};

/** Writes diagnostics for a person, with the lines of source that they are about. */
export const reportAll = (
  { err, onDiagnostic }: Console,
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
): void => {
  const texts = new Map(sources.map(({ name, text }) => [name, text]));
  for (const diagnostic of diagnostics) {
    err(`${render(diagnostic, texts)}\n`);
    onDiagnostic?.(diagnostic);
  }
};

/**
 * Runs the work of a command; its exit code. What is thrown is a mistake of the program, not of its input, and says so:
 * without a stack, unless the environment variable `SCONV_STACK` asks for one.
 */
export const guarded = async (output: Console, work: () => number | Promise<number>): Promise<number> => {
  try {
    return await work();
  } catch (problem) {
    output.onDiagnostic?.(error('sconv/internal', `internal error: ${reason(problem)}`, unknownLocation));
    output.err(
      `internal error: ${reason(problem)}\nThis is a bug of sconv: please report it, with the input.\n`,
    );
    if (process.env['SCONV_STACK'] !== undefined && problem instanceof Error)
      output.err(`${problem.stack ?? ''}\n`);
    return failed;
  }
};

/** The part of `process` that a command ends with; replaced in tests. */
export interface CommandProcess {
  readonly argv: readonly string[];
  readonly stdout: NodeJS.EventEmitter;
  readonly stderr: NodeJS.EventEmitter & { readonly write: (text: string) => unknown };
  exitCode?: number | string | null | undefined;
}

/**
 * Runs a command in a process. A reader of its output that has gone away is no error: the work ends as it would have. An
 * output that takes no more, such as a full disk, is one; it is reported on one line, and the exit code is 1.
 */
export const endWith = async (
  main: (words: readonly string[]) => Promise<number>,
  host: CommandProcess = process,
): Promise<void> => {
  let isLost = false;
  host.stdout.on('error', (problem: NodeJS.ErrnoException) => {
    // What is written after an error fails as well.
    if (isLost) return;
    isLost = true;
    if (problem.code === 'EPIPE') return;
    host.stderr.write(`error: cannot write to the standard output: ${problem.message}\n`);
    host.exitCode = failed;
  });
  // There is no place left to say it.
  host.stderr.on('error', () => undefined);
  const code = await main(host.argv.slice(2));
  if (code !== 0) host.exitCode = code;
};
