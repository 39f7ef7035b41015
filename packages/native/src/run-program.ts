/** Runs programs without a shell, with a time limit. */
import { spawn, spawnSync } from 'node:child_process';
import type { StopSignal } from './stop-signal.ts';

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  /** The signal that killed it, or why it could not be started or continued. */
  readonly reason: string | undefined;
  readonly output: Uint8Array;
  /** Its error output. */
  readonly said: string;
}

/** The time limit in milliseconds. */
const timeLimit = (): number => {
  const seconds = Number(process.env['SCONV_EMULATOR_SECONDS']);
  return 1000 * (seconds > 0 ? seconds : 600);
};

const lateness = (limit: number): string => `it did not end within ${limit / 1000} s`;

/** Runs a command with optional input, and additions to this process's environment. */
export const runProgram = (
  [command = '', ...words]: readonly string[],
  input?: Uint8Array,
  environment: Readonly<Record<string, string>> = {},
): Ended => {
  const limit = timeLimit();
  const { pid, status, signal, error, stdout, stderr } = spawnSync(command, words, {
    ...(input === undefined ? {} : { input }),
    maxBuffer: Infinity,
    timeout: limit,
    env: { ...process.env, ...environment },
    killSignal: 'SIGKILL',
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // A program that exits early stops reading its input; that is no error.
  const problem = (error as NodeJS.ErrnoException | undefined)?.code;
  const isLate = problem === 'ETIMEDOUT';
  const isUnknown = problem !== undefined && problem !== 'EPIPE';
  // Without a process there are no pipes.
  const isStarted = pid !== 0;
  return {
    code: status,
    reason: isLate ? lateness(limit) : (signal ?? (isUnknown ? error?.message : undefined)),
    output: isStarted ? stdout : new Uint8Array(0),
    said: isStarted ? stderr.toString() : '',
  };
};

/** `runProgram` without blocking this thread; `signal` aborts it. */
export const startProgram = (
  [command = '', ...words]: readonly string[],
  input: Uint8Array | undefined,
  signal: StopSignal,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const limit = timeLimit();
    const output: Uint8Array[] = [];
    const said: string[] = [];
    let failure: string | undefined;
    const child = spawn(command, words, {
      signal,
      env: { ...process.env, ...environment },
      killSignal: 'SIGKILL',
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => {
      failure = lateness(limit);
      child.kill('SIGKILL');
    }, limit);
    child.stdout?.on('data', (chunk: Uint8Array) => output.push(chunk));
    child.stderr?.on('data', (chunk: Uint8Array) => said.push(chunk.toString()));
    child.stdin?.on('error', () => undefined);
    child.on('error', (problem) => {
      failure ??= problem.message;
    });
    child.on('close', (code, killedBy) => {
      clearTimeout(timer);
      resolve({
        code,
        reason: failure ?? killedBy ?? undefined,
        output: Buffer.concat(output),
        said: said.join(''),
      });
    });
    child.stdin?.end(input);
  });
