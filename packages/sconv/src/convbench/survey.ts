/** The work of `sconv convbench`: shapes handed to processes, outcomes as they come. */
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import type { Outcome } from './records.ts';
import type { Answer, Task } from './worker.ts';

export interface SurveyOptions {
  readonly target: string;
  readonly samples: number;
  /** Processes at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
}

/** Longer than any convolution takes: what is not over then does not end. */
const limitSeconds = 600;

/** Runs all shapes; `onOutcome` is told of each as it is there. Ends early where the signal says so. */
export const survey = async (
  shapes: readonly string[],
  options: SurveyOptions,
  onOutcome: (shape: string, outcome: Outcome) => void,
): Promise<void> => {
  const waiting = [...shapes.entries()].values();
  const work = async (): Promise<void> => {
    const { target, samples, signal } = options;
    const isAborted = (): boolean => signal.aborted;
    let child: ChildProcess | undefined;
    // Each takes the next one that is left.
    for (const [id, shape] of waiting) {
      if (isAborted()) break;
      if (child?.connected !== true) child = startWorker();
      const outcome = await ask(child, { id, shape, target, samples }, signal);
      if (typeof outcome === 'object') onOutcome(shape, outcome);
      else if (!isAborted()) onOutcome(shape, { check: 'failed', reason: outcome });
    }
    if (child?.connected === true) child.disconnect();
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
};

const startWorker = (): ChildProcess =>
  fork(new URL('../../bin/convbench-worker.js', import.meta.url), { execArgv: [] });

/** The answer of a process; or how it ended. */
const ask = (child: ChildProcess, task: Task, signal: AbortSignal): Promise<Outcome | string> =>
  new Promise((resolve) => {
    const kill = (): void => {
      child.kill('SIGKILL');
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, limitSeconds * 1000);
    const settle = (result: Outcome | string): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      child.removeAllListeners();
      resolve(result);
    };
    signal.addEventListener('abort', kill);
    child.on('message', ({ outcome }: Answer) => {
      settle(outcome);
    });
    child.on('error', (problem) => {
      settle(`its process fails: ${problem.message}`);
    });
    child.on('exit', (code, by) => {
      if (isLate) settle(`it takes more than ${limitSeconds} s`);
      else
        settle(by === null ? `its process ended with exit code ${code ?? ''}` : `its process ended by ${by}`);
    });
    child.send(task);
  });
