/** The work of `sconv convbench`: distributes shapes to processes and collects outcomes. */
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { targetOf } from '../commands/target-option.ts';
import { packageFile } from '../package-file.ts';
import type { Outcome } from './records.ts';
import { batchFor } from './run-shapes.ts';
import type { Answer, Task } from './worker.ts';

export interface SurveyOptions {
  readonly target: string;
  readonly samples: number;
  /** Concurrent processes. */
  readonly jobs: number;
  readonly signal: AbortSignal;
}

/** Longer than any convolution takes: a timeout for hangs. */
const limitSeconds = 600;

/** Runs all shapes; reports each to `onOutcome` when done. Stops early on the signal. */
export const survey = async (
  shapes: readonly string[],
  { target, samples, jobs, signal }: SurveyOptions,
  onOutcome: (shape: string, outcome: Outcome) => void,
): Promise<void> => {
  const batch = batchFor(targetOf(target));
  const batches = Array.from({ length: Math.ceil(shapes.length / batch) }, (_, i) =>
    shapes.slice(i * batch, (i + 1) * batch),
  );
  const waiting = batches.values();
  let id = 0;
  const isAborted = (): boolean => signal.aborted;
  const work = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    const run = async (tried: readonly string[]): Promise<void> => {
      if (isAborted()) return;
      if (child?.connected !== true) child = startWorker();
      id += 1;
      const answer = await ask(child, { id, shapes: tried, target, samples }, signal);
      if (typeof answer !== 'string') answer.forEach((outcome, i) => onOutcome(tried[i]!, outcome));
      else if (tried.length > 1) for (const shape of tried) await run([shape]);
      else if (!isAborted()) onOutcome(tried[0]!, { check: 'failed', reason: answer });
    };
    // Each takes the next remaining ones.
    for (const next of waiting) await run(next);
    if (child?.connected === true) child.disconnect();
  };
  await Promise.all(Array.from({ length: jobs }, work));
};

const startWorker = (): ChildProcess => fork(packageFile('bin/convbench-worker.js'), { execArgv: [] });

/** The outcomes from a process; or how it ended. */
const ask = (child: ChildProcess, task: Task, signal: AbortSignal): Promise<readonly Outcome[] | string> =>
  new Promise((resolve) => {
    const kill = (): void => {
      child.kill('SIGKILL');
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, limitSeconds * 1000);
    const settle = (result: readonly Outcome[] | string): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      child.removeAllListeners();
      resolve(result);
    };
    signal.addEventListener('abort', kill);
    child.on('message', ({ outcomes }: Answer) => {
      settle(outcomes);
    });
    const fail = (problem: Error): void => {
      settle(`its process fails: ${problem.message}`);
    };
    child.on('error', fail);
    child.on('exit', (code, by) => {
      if (isLate) settle(`it takes more than ${limitSeconds} s`);
      else
        settle(by === null ? `its process ended with exit code ${code ?? ''}` : `its process ended by ${by}`);
    });
    // A process that has not begun cannot be sent to either, which is found later.
    child.send(task, (problem) => {
      if (problem !== null) fail(problem);
    });
  });
