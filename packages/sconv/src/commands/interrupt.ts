/** Long work that can be interrupted. */

/** The exit code of an interrupted process, as in shells. */
export const interrupted = 130;

/** Runs with a signal that the first interrupt sets; a second one ends the process as usual. */
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
