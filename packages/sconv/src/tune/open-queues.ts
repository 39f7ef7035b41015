/** Queues of work on a Redis server, of a package that only those install who use them. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, unknownLocation } from '@sconv/diagnostics';
import type { WorkQueues } from '@sconv/tuning';

const packageName = '@sconv/tuning-bullmq';

/** Whether work is in queues: otherwise it is a folder. */
export const isQueueUrl = (work: string): boolean => /^rediss?:\/\//.test(work);

/**
 * Opens the queues at a URL, as `openWorkQueues` of `@sconv/tuning-bullmq` does. Fails with `tune/queues` where that is
 * not installed.
 */
export const openQueues = async (
  url: string,
  load: () => Promise<unknown> = () => import(packageName),
): Promise<Diagnosed<WorkQueues>> => {
  let loaded: unknown;
  try {
    loaded = await load();
  } catch {
    const message = `work in queues takes a package that is not there: npm install ${packageName}`;
    return definite(error('tune/queues', message, unknownLocation));
  }
  // The package is of this repository; its types are not here, so that nobody has to install it.
  return (loaded as { openWorkQueues: (url: string) => Promise<Diagnosed<WorkQueues>> }).openWorkQueues(url);
};
