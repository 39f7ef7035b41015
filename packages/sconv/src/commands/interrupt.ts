/** Work that can be interrupted. */
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** The exit code of a command; of work that a signal ended it is the one that shells give. */
export const codeUntilInterrupted = (work: (signal: AbortSignal) => Promise<number>): Promise<number> =>
  untilInterrupted(async (signal) => {
    const code = await work(signal);
    return signal.aborted ? interruptedCode(signal) : code;
  });

/** The exit code of work that a signal ended, as in shells. */
export const interruptedCode = ({ reason }: AbortSignal): number =>
  128 + constants.signals[signals.find((name) => name === reason) ?? 'SIGINT'];

/**
 * Runs with an abort signal that the first SIGINT or SIGTERM sets; a second one ends the process as usual. Only for
 * work that waits for other programs or does a little at a time: a signal is noticed between two steps.
 */
export const untilInterrupted = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    forget();
    controller.abort(name);
  };
  const forget = (): void => {
    for (const name of signals) process.removeListener(name, stop);
  };
  for (const name of signals) process.on(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    forget();
  }
};
