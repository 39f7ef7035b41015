/** Long work that a person may interrupt. */

/** The exit code of a process that an interrupt ended, as a shell has it. */
export const interrupted = 130;

/** A signal that the first interrupt of the process sets; a second one ends the process as always. */
export const untilInterrupted = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once('SIGINT', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener('SIGINT', stop);
  }
};
