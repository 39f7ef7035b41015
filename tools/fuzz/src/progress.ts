/** What a run says while it goes on: on a terminal, how far it is and each fault; elsewhere nothing. */
import type { FoundFault } from './campaign.ts';

/** Where a run is reported on. */
export interface Progress {
  /** So many more payloads are done. */
  readonly done: (payloads?: number) => void;
  /** A fault of a kind that has not been found before; its reproducer is at its path. */
  readonly fault: (found: FoundFault) => void;
  /** The run is over: its report follows. */
  readonly end: () => void;
}

/** Where text appears, such as `process.stderr`. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

const clear = '\r\u001b[K';

const duration = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

/** Reports on a run of `total` payloads; `now` gives milliseconds. */
export const progressOn = (
  screen: Screen,
  total: number,
  now = (): number => performance.now(),
): Progress => {
  if (screen.isTTY !== true) return { done: () => undefined, fault: () => undefined, end: () => undefined };
  const start = now();
  let [done, faults] = [0, 0];
  const show = (): void => {
    const left = (((now() - start) / 1000) * (total - done)) / done;
    const counts = `${done} of ${total} payloads, ${faults} ${faults === 1 ? 'fault' : 'faults'}`;
    screen.write(`${clear}${counts}${done === 0 ? '' : `, ${duration(left)} left`}`);
  };
  return {
    done: (payloads = 1) => {
      done += payloads;
      show();
    },
    fault: ({ seed, index, fault: { kind, transform }, path }) => {
      faults += 1;
      const at = transform === undefined ? '' : ` at ${transform}`;
      const where = path === undefined ? '' : `: ${path}`;
      screen.write(`${clear}${kind}${at} in payload ${index} of seed ${seed}${where}\n`);
      show();
    },
    end: () => {
      screen.write(clear);
    },
  };
};
