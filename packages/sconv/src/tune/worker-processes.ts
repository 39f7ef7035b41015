/** Worker processes of this machine over a folder of work, which are started again when they die. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../package-file.ts';

export interface WorkerProcesses {
  /** Has them give back what they work on, and waits until they have ended. */
  readonly end: () => Promise<void>;
}

/** Seconds until a worker that has died is started again: what it died of may last. */
const pause = 1;

/** Starts `count` processes that work on a folder, and are started again until they are ended. */
export const startWorkers = (folder: string, count: number): WorkerProcesses => {
  let isEnding = false;
  const running = new Set<ChildProcess>();
  const waiting = new Set<NodeJS.Timeout>();
  let onAllEnded = (): void => undefined;
  const start = (): void => {
    const words = [fileURLToPath(packageFile('bin/sconv.js')), 'tune', 'work', folder];
    // They end with the channel, whatever becomes of this process.
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    running.add(child);
    const ended = (): void => {
      if (!running.delete(child)) return;
      if (isEnding) {
        if (running.size === 0) onAllEnded();
        return;
      }
      const timer = setTimeout(() => {
        waiting.delete(timer);
        start();
      }, pause * 1000);
      waiting.add(timer);
    };
    // One that cannot be started has an error only.
    child.on('error', ended).on('close', ended);
  };
  for (let i = 0; i < count; i += 1) start();
  return {
    end: () =>
      new Promise((resolve) => {
        isEnding = true;
        waiting.forEach((timer) => {
          clearTimeout(timer);
        });
        onAllEnded = resolve;
        if (running.size === 0) resolve();
        for (const child of running) if (child.connected) child.disconnect();
      }),
  };
};
