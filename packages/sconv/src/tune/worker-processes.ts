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

/** Starts `count` processes that work on a folder, and are started again while it is not done. */
export const startWorkers = (folder: string, count: number): WorkerProcesses => {
  let isEnding = false;
  const running = new Set<ChildProcess>();
  const waiting = new Set<NodeJS.Timeout>();
  const start = (): void => {
    const words = [fileURLToPath(packageFile('bin/sconv.js')), 'tune', 'work', folder];
    // They end with the channel, whatever becomes of this process.
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    running.add(child);
    child
      .on('error', () => undefined)
      .on('close', () => {
        running.delete(child);
        if (isEnding) return;
        const timer = setTimeout(() => {
          waiting.delete(timer);
          start();
        }, pause * 1000);
        waiting.add(timer);
      });
  };
  for (let i = 0; i < count; i += 1) start();
  return {
    end: async () => {
      isEnding = true;
      waiting.forEach(clearTimeout);
      await Promise.all(
        [...running].map(
          (child) =>
            new Promise<void>((resolve) => {
              child.on('close', () => {
                resolve();
              });
              if (child.connected) child.disconnect();
            }),
        ),
      );
    },
  };
};
