/** The side of the process that has others measure: starts them, asks, and kills what takes too long. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Answer, Question } from './serve-measurements.ts';

/** An answer; or what happened instead of one. */
export type Outcome =
  | (Answer & { readonly elapsed: number })
  | { readonly kind: 'ended'; readonly reason: string; readonly elapsed: number }
  | { readonly kind: 'late'; readonly limit: number; readonly elapsed: number };

/** What can be asked: `open` is asked of every new process. */
export type Asked = Exclude<Question, { readonly kind: 'open' }>;

/** Measures in a process, which is started again when it has died or was killed. */
export interface Measurer {
  /** The core that its processes run on; undefined if the system chooses. */
  readonly core: number | undefined;
  /** Never rejects. The process is killed after `limit` seconds, and on the signal. */
  readonly ask: (question: Asked, limit: number) => Promise<Outcome>;
  /** Has the next question asked of a new process. */
  readonly renew: () => void;
  readonly close: () => void;
}

/** The part of an `AbortSignal` that tuning uses. */
export interface TuningSignal {
  readonly aborted: boolean;
  addEventListener?(type: 'abort', listener: () => void): void;
  removeEventListener?(type: 'abort', listener: () => void): void;
}

export interface MeasurerOptions {
  /** A module of JavaScript that calls `serveMeasurements`. */
  readonly file: string;
  /** For its `open`: plain data. */
  readonly setup: unknown;
  /** Options of Node, such as a limit of memory. */
  readonly nodeOptions?: readonly string[];
  /** Whether processes are bound to one core where the system can. */
  readonly isPinned?: boolean;
  readonly signal?: TuningSignal | undefined;
}

/** Starts no process before the first question. */
export const startMeasurer = ({
  file,
  setup,
  nodeOptions = [],
  isPinned = true,
  signal,
}: MeasurerOptions): Measurer => {
  const taskset = isPinned ? findTaskset() : undefined;
  const core = taskset === undefined ? undefined : lastCore();
  let child: MeasuringProcess | undefined;
  const start = (): MeasuringProcess => {
    const node = [process.execPath, ...nodeOptions, file];
    const [program, ...words] =
      taskset === undefined || core === undefined ? node : [taskset, '-c', String(core), ...node];
    const started = spawn(program!, words, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    // Also what happens between two questions must not end this process.
    started.on('error', () => undefined);
    let said = '';
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-longestSaid);
    });
    started.send({ kind: 'open', setup, parent: process.pid } satisfies Question, () => undefined);
    return { process: started, said: () => said };
  };
  const end = (): void => {
    child?.process.kill('SIGKILL');
    child = undefined;
  };
  return {
    core,
    ask: (question, limit) => {
      if (child?.process.connected !== true) child = start();
      return answerFrom(child, question, limit, signal).then((outcome) => {
        if (outcome.kind === 'ended' || outcome.kind === 'late') end();
        return outcome;
      });
    },
    renew: end,
    close: end,
  };
};

/** A process, and the end of what it has written to its standard error. */
interface MeasuringProcess {
  readonly process: ChildProcess;
  readonly said: () => string;
}

const longestSaid = 100_000;

const answerFrom = (
  { process: child, said }: MeasuringProcess,
  question: Asked,
  limit: number,
  signal: TuningSignal | undefined,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const from = performance.now();
    const settle = (
      outcome: Answer | { kind: 'ended'; reason: string } | { kind: 'late'; limit: number },
    ) => {
      clearTimeout(timer);
      signal?.removeEventListener?.('abort', stop);
      child.off('message', answered).off('error', failed).off('close', exited);
      resolve({ ...outcome, elapsed: (performance.now() - from) / 1000 });
    };
    const answered = (answer: unknown): void => {
      settle(answer as Answer);
    };
    const failed = (problem: Error): void => {
      settle({ kind: 'ended', reason: `its process cannot be used: ${problem.message}` });
    };
    const exited = (code: number | null, by: NodeJS.Signals | null): void => {
      if (/out of memory/i.test(said())) {
        settle({ kind: 'ended', reason: 'it ran out of memory' });
        return;
      }
      const how = by === null ? `with exit code ${code ?? 0}` : `by ${by}`;
      settle({ kind: 'ended', reason: `its process ended ${how}` });
    };
    const stop = (): void => {
      settle({ kind: 'ended', reason: 'stopped' });
    };
    const timer = setTimeout(() => {
      settle({ kind: 'late', limit });
    }, limit * 1000);
    signal?.addEventListener?.('abort', stop);
    child.on('message', answered).on('error', failed).on('close', exited);
    if (signal?.aborted === true) stop();
    else
      child.send(question, (problem) => {
        if (problem !== null) failed(problem);
      });
  });

/** The program that binds a process to cores, under Linux. */
const findTaskset = (): string | undefined => {
  if (platform() !== 'linux') return undefined;
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'taskset'));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
};

/** The last core that this process may use, which the system itself uses least. */
const lastCore = (): number | undefined => {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const listed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1];
    const last = Number(listed?.split(/[,-]/).at(-1));
    return Number.isInteger(last) ? last : undefined;
  } catch {
    return undefined;
  }
};
