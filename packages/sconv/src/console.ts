/** Common to both commands: input, output and exit codes. */
import { constants } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
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

/** The command's output; replaced in tests. */
export interface Console {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal, where progress is shown. */
  readonly isTerminal: boolean;
  /** Whether `out` shows colours: it is a terminal, and `NO_COLOR` is not set. */
  readonly hasColors?: boolean;
  /** Whether `--verbose` was given: what other programs say is written too. */
  readonly verbose?: boolean;
  /** Receives each diagnostic written to `err`, and whatever else ends the work. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

export const processConsole: Console = {
  out: (text) => process.stdout.write(bytesOf(text)),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
  hasColors: process.stdout.isTTY && process.stdout.hasColors(),
};

/** Shows progress on a terminal, in one transient line. */
export const progressOf = (
  output: Console,
): { readonly say: (what: string) => void; readonly end: () => void } => {
  const clear = '\r\u001b[K';
  return output.isTerminal
    ? { say: (what) => output.err(`${clear}${what} …`), end: () => output.err(clear) }
    : { say: () => undefined, end: () => undefined };
};

/** Exit codes: the work failed; usage error; a question has no answer. */
export const failed = 1;
export const badUsage = 2;
export const undecided = 3;

/** A text file with its name in diagnostics. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** Preserves bytes that are not UTF-8. */
const textOf = (bytes: Buffer): string => {
  const text = bytes.toString();
  return text.includes('\ufffd') ? decodeText(bytes) : text;
};

/** Reads a file, or the standard input for `-`. */
export const readSource = (path: string): Diagnosed<SourceFile> => {
  if (path.endsWith('.onnx')) {
    const message =
      'cannot read: this is a model, not MLIR; sconv run and sconv build take it, and sconv import makes MLIR of it';
    return definite(error('sconv/cannot-read', message, fileLocation(path, 1, 1)));
  }
  const [name, file] = path === '-' ? ['<stdin>', 0] : [path, path];
  return mapSuccess(readBytes(name, file, constants.MAX_STRING_LENGTH), (bytes) => ({
    name,
    text: textOf(bytes),
  }));
};

/**
 * The bytes of a file, given by path or as an open descriptor; diagnostics use `name`. More than `most` are an error,
 * so that a device without an end is one.
 */
export const readBytes = (
  name: string,
  file: string | number = name,
  most: number = constants.MAX_LENGTH,
): Diagnosed<Buffer> => {
  const failure = (why: string): Diagnosed<Buffer> =>
    definite(error('sconv/cannot-read', `cannot read: ${why}`, fileLocation(name, 1, 1)));
  try {
    const bytes = readUpTo(file, Math.min(most, maximumBytes));
    return bytes === undefined ? failure(`more than ${Math.min(most, maximumBytes)} bytes`) : success(bytes);
  } catch (problem) {
    return failure(reason(problem));
  }
};

/** Node reads no larger file at once. */
const maximumBytes = 2 ** 31 - 1;

/** All bytes; undefined if there are more than `most`. */
const readUpTo = (file: string | number, most: number): Buffer | undefined => {
  const descriptor = typeof file === 'number' ? file : openSync(file, 'r');
  try {
    const status = fstatSync(descriptor);
    if (status.isFile()) return status.size > most ? undefined : readFileSync(descriptor);
    const parts: Buffer[] = [];
    const part = Buffer.alloc(2 ** 16);
    let count = 0;
    for (let length = readSync(descriptor, part); length > 0; length = readSync(descriptor, part)) {
      count += length;
      if (count > most) return undefined;
      parts.push(Buffer.from(part.subarray(0, length)));
    }
    return Buffer.concat(parts);
  } finally {
    if (typeof file !== 'number') closeSync(descriptor);
  }
};

/** Writes diagnostics for a person, with the source lines that they refer to. */
export const reportAll = (
  { err, onDiagnostic, verbose = false }: Console,
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
): void => {
  const texts = new Map(sources.map(({ name, text }) => [name, text]));
  for (const diagnostic of diagnostics) {
    err(`${render(diagnostic, texts, { details: verbose })}\n`);
    onDiagnostic?.(diagnostic);
  }
};

/**
 * Runs the work of a command; returns its exit code. An exception is a bug of the program, not of its input, and
 * reported as such: without a stack, unless the environment variable `SCONV_STACK` asks for one.
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

/** The part of `process` that ending a command uses; replaced in tests. */
export interface CommandProcess {
  readonly argv: readonly string[];
  readonly stdout: NodeJS.EventEmitter;
  readonly stderr: NodeJS.EventEmitter & { readonly write: (text: string) => unknown };
  exitCode?: number | string | null | undefined;
}

/**
 * Runs a command in a process. A closed pipe is not an error: the work ends as it would have. An output that cannot be
 * written, e.g. a full disk, is one; it is reported on one line, with exit code 1.
 */
export const endWith = async (
  main: (words: readonly string[]) => Promise<number>,
  host: CommandProcess = process,
): Promise<void> => {
  let isLost = false;
  host.stdout.on('error', (problem: NodeJS.ErrnoException) => {
    // Writes after an error fail as well.
    if (isLost) return;
    isLost = true;
    if (problem.code === 'EPIPE') return;
    host.stderr.write(`error: cannot write to the standard output: ${problem.message}\n`);
    host.exitCode = failed;
  });
  // There is nowhere left to report it.
  host.stderr.on('error', () => undefined);
  const code = await main(host.argv.slice(2));
  if (code !== 0) host.exitCode = code;
};
