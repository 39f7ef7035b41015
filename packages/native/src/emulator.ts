/** Programs that run the code of another processor: qemu's for programs of Linux. */
import { spawn, spawnSync } from 'node:child_process';
import { findProgram } from './find-program.ts';
import type { NativeModule } from './native-module.ts';
import { hostedSystem } from './program.ts';

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  /** The signal that ended it, or why it could not be started, or run on. */
  readonly reason: string | undefined;
  readonly output: Uint8Array;
  /** What it has said about errors. */
  readonly said: string;
}

/** What runs programs of another processor. */
export interface Emulator {
  /** For people: the command. */
  readonly title: string;
  /** C that programs need besides their own, by the names of files, and what clang is told to link them. */
  readonly sources: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  /** For people, where a program cannot be built: what it takes. */
  readonly hint: string;
  /** Runs a program with an input. */
  run(program: string, input: Uint8Array): Ended;
  /** The same without blocking this thread; `signal` ends it. */
  start(program: string, input: Uint8Array, signal: AbortSignal): Promise<Ended>;
}

/** The emulator that a module asks for; or why there is none, for people. */
export const findEmulator = ({
  emulator: [name = '', ...words],
  arguments: [target = ''],
}: NativeModule): Emulator | string => {
  if (name === 'bochs') return 'there is no emulator for it';
  const path = findProgram([name, `${name}-static`]);
  if (path === undefined) return missing(name);
  return createQemu([path, ...words], [name, ...words].join(' '), target.replace('--target=', ''));
};

const missing = (name: string): string =>
  `${name}, which would, cannot be found: on Debian, run tools/setup-native.sh or install qemu-user; elsewhere name its folder in SCONV_EMULATORS`;

/** Milliseconds after which a program is ended. */
const timeLimit = (): number => {
  const seconds = Number(process.env['SCONV_EMULATOR_SECONDS']);
  return 1000 * (seconds > 0 ? seconds : 600);
};

const createQemu = (
  [command = '', ...words]: readonly string[],
  title: string,
  target: string,
): Emulator => ({
  title,
  sources: { 'system.c': hostedSystem },
  flags: ['-static'],
  hint: ` (static programs for ${target} take the C library for it: on Debian, run tools/setup-native.sh)`,
  run: (program, input) => {
    const limit = timeLimit();
    const { pid, status, signal, error, stdout, stderr } = spawnSync(command, [...words, program], {
      input,
      maxBuffer: Infinity,
      timeout: limit,
      killSignal: 'SIGKILL',
      stdio: 'pipe',
    });
    // A program that ends early takes no more input, which is no matter.
    const problem = (error as NodeJS.ErrnoException | undefined)?.code;
    const isLate = problem === 'ETIMEDOUT';
    const isUnknown = problem !== undefined && problem !== 'EPIPE';
    // There are no pipes where it could not be started.
    const isStarted = pid !== 0;
    return {
      code: status,
      reason: isLate ? lateness(limit) : (signal ?? (isUnknown ? error?.message : undefined)),
      output: isStarted ? stdout : new Uint8Array(0),
      said: isStarted ? stderr.toString() : '',
    };
  },
  start: (program, input, signal) =>
    new Promise((resolve) => {
      const limit = timeLimit();
      const output: Uint8Array[] = [];
      const said: string[] = [];
      let failure: string | undefined;
      const child = spawn(command, [...words, program], { signal, killSignal: 'SIGKILL', stdio: 'pipe' });
      const timer = setTimeout(() => {
        failure = lateness(limit);
        child.kill('SIGKILL');
      }, limit);
      child.stdout.on('data', (chunk: Uint8Array) => output.push(chunk));
      child.stderr.on('data', (chunk: Uint8Array) => said.push(chunk.toString()));
      child.stdin.on('error', () => undefined);
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
      child.stdin.end(input);
    }),
});

const lateness = (limit: number): string => `it did not end within ${limit / 1000} s`;
