/** Worker processes of this machine over a folder of work, which are started again when they die. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../package-file.ts';

export interface WorkerProcesses {
  /** Notes that work is done: failures before do not count. */
  readonly progressed: () => void;
  /** Has them give back what they work on, and waits until they have ended. */
  readonly end: () => Promise<void>;
}

/** Seconds until a worker that has ended is started again: what it died of may last. */
const pause = 1;

/** How many times in a row workers may fail by themselves, each as often: what they fail of does not pass. */
const mostFailures = 5;

/**
 * Starts `count` processes that work on a folder. Those that end or are killed are started again; if they keep
 * failing, `onFailing` is called, once, and none is.
 */
export const startWorkers = (folder: string, count: number, onFailing: () => void): WorkerProcesses => {
  let isEnding = false;
  let failures = 0;
  const running = new Set<ChildProcess>();
  const waiting = new Set<NodeJS.Timeout>();
  let onAllEnded = (): void => undefined;
  const start = (): void => {
    const words = [fileURLToPath(packageFile('bin/sconv.js')), 'tune', 'work', folder];
    // They end with the channel, whatever becomes of this process.
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    running.add(child);
    const ended = (code: number | null): void => {
      if (!running.delete(child)) return;
      if (isEnding) {
        if (running.size === 0) onAllEnded();
        return;
      }
      // Without a code it was killed, which is nothing of its own.
      failures = code === null ? failures : code === 0 ? 0 : failures + 1;
      if (failures >= mostFailures * count) {
        if (failures === mostFailures * count) onFailing();
        return;
      }
      const timer = setTimeout(() => {
        waiting.delete(timer);
        start();
      }, pause * 1000);
      waiting.add(timer);
    };
    // One that cannot be started has an error only.
    child.on('error', () => {
      ended(1);
    });
    // `close` never comes once this side has closed the channel.
    child.on('exit', ended);
  };
  for (let i = 0; i < count; i += 1) start();
  return {
    progressed: () => {
      failures = 0;
    },
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
