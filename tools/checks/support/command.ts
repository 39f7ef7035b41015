/** Runs programs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { root } from './packages.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program; the caller checks whether it failed. */
export const run = (folder: string, program: string, ...values: readonly string[]): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    execFile(
      program,
      values,
      { cwd: folder, maxBuffer: 1 << 28, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number') resolve({ code, stdout, stderr });
        else reject(error ?? new Error(`${program} did not run`));
      },
    );
  });

/** The standard output of a program that must succeed. */
export const output = async (
  folder: string,
  program: string,
  ...values: readonly string[]
): Promise<string> => {
  const { code, stdout, stderr } = await run(folder, program, ...values);
  if (code !== 0) {
    throw new Error(`${[program, ...values].join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  }
  return stdout;
};

export const npm = (folder: string, ...values: readonly string[]): Promise<string> =>
  output(folder, 'npm', ...values);

/** Paths, relative to the root, of files that are or would be in the repository. */
export const repositoryFiles = async (): Promise<readonly string[]> => {
  const list = async (...flags: readonly string[]): Promise<readonly string[]> =>
    (await output(root, 'git', 'ls-files', '-z', ...flags)).split('\0').filter((path) => path !== '');
  const deleted = new Set(await list('--deleted'));
  return (await list('--cached', '--others', '--exclude-standard')).filter((path) => !deleted.has(path));
};

/** A program of one of the repository's development dependencies. */
export const tool = (name: string): string => join(root, 'node_modules', '.bin', name);
