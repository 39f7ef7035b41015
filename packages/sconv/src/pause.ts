/** Leaves the thread to others for a turn of the event loop, in which a signal may be aborted. */
export const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
