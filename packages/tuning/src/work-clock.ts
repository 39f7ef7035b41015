/** A clock of work on a machine that others work on too. */
import type { MachineLock } from './machine-lock.ts';

/** Seconds that pass. */
export const now = (): number => performance.now() / 1000;

/** A lock, and the seconds since this one was made in which its user did not only wait for it. */
export interface WorkClock {
  readonly lock: MachineLock;
  readonly elapsed: () => number;
}

export const workClock = (lock: MachineLock): WorkClock => {
  const start = now();
  let [waiting, working, waited, since] = [0, 0, 0, 0];
  const waitedUntilNow = (): number => waited + (waiting > 0 && working === 0 ? now() - since : 0);
  const change = (byWaiting: number, byWorking: number): void => {
    waited = waitedUntilNow();
    since = now();
    waiting += byWaiting;
    working += byWorking;
  };
  const counted =
    (take: MachineLock['measuring']): MachineLock['measuring'] =>
    (work) => {
      change(1, 0);
      return take(async () => {
        change(-1, 1);
        try {
          return await work();
        } finally {
          change(0, -1);
        }
      });
    };
  return {
    lock: { measuring: counted(lock.measuring), compiling: counted(lock.compiling) },
    elapsed: () => now() - start - waitedUntilNow(),
  };
};
