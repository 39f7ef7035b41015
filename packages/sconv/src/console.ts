/** What both commands share: where they read and write, and how they end. */
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '@sconv/diagnostics';
import { definite, error, fileLocation, render, success } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';

/** Where a command writes; replaced in tests. */
export interface Console {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal, for a person to see progress. */
  readonly isTerminal: boolean;
}

export const processConsole: Console = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
};

/** Exit codes: the work failed; the command line cannot be understood. */
export const failed = 1;
export const badUsage = 2;

/** A file of text with the name by which diagnostics call it. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

const reason = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

/** Reads a file, or the standard input for `-`. */
export const readSource = (path: string): Diagnosed<SourceFile> => {
  const name = path === '-' ? '<stdin>' : path;
  try {
    return success({ name, text: readFileSync(path === '-' ? 0 : path, 'utf8') });
  } catch (problem) {
    return definite(error('sconv/cannot-read', `cannot read: ${reason(problem)}`, fileLocation(name, 1, 1)));
  }
};

/** Writes a file as a whole or not at all. */
export const writeWhole = (path: string, text: string): Diagnosed<undefined> => {
  const draft = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
    return success(undefined);
  } catch (problem) {
    rmSync(draft, { force: true });
    return definite(
      error('sconv/cannot-write', `cannot write: ${reason(problem)}`, fileLocation(path, 1, 1)),
    );
  }
};

/** Writes diagnostics for a person, with the lines of source that they are about. */
export const reportAll = (
  { err }: Console,
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
): void => {
  const texts = new Map(sources.map(({ name, text }) => [name, text]));
  for (const diagnostic of diagnostics) err(`${render(diagnostic, texts)}\n`);
};

/**
 * Runs the work of a command; its exit code. What is thrown is a mistake of the program, not of its input, and says so:
 * without a stack, unless the environment variable `SCONV_STACK` asks for one.
 */
export const guarded = async (output: Console, work: () => number | Promise<number>): Promise<number> => {
  try {
    return await work();
  } catch (problem) {
    output.err(
      `internal error: ${reason(problem)}\nThis is a bug of sconv: please report it, with the input.\n`,
    );
    if (process.env['SCONV_STACK'] !== undefined && problem instanceof Error)
      output.err(`${problem.stack ?? ''}\n`);
    return failed;
  }
};

/** Ends the process as a command that a pipe is attached to should: a reader that has gone away is no error. */
export const endWith = async (main: (values: readonly string[]) => Promise<number>): Promise<void> => {
  process.stdout.on('error', (problem: NodeJS.ErrnoException) => {
    if (problem.code === 'EPIPE') process.exit(0);
    throw problem;
  });
  const code = await main(process.argv.slice(2));
  if (code !== 0) process.exitCode = code;
};
