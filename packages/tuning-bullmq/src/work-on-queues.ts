/** The side that works: one unit at a time, from the queues for this machine. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { TuningSignal, WorkOptions, WorkQueueKey, WorkQueues } from '@sconv/tuning';
import { ErrorCode, UnrecoverableError, Worker } from 'bullmq';
import { exchangeRecords } from './shared-records.ts';
import type { Sharing, UnitJob } from './unit-queue.ts';
import { openUnitQueue, queueName } from './unit-queue.ts';

/** Does a unit, until the signal comes; the result is plain data. */
type DoUnit = Parameters<WorkQueues['work']>[1];

/** How often a worker says that it is alive, during a lease. */
const beats = 6;

/** A worker of BullMQ that does nothing by itself: it is asked for jobs, and has those wait again of dead workers. */
const startWorker = async (
  key: WorkQueueKey,
  { redis, prefix, lease, attempts }: Sharing,
): Promise<Worker> => {
  const worker = new Worker(queueName(key), undefined, {
    connection: redis,
    prefix,
    autorun: false,
    lockDuration: lease * 1000,
    stalledInterval: (lease * 1000) / 2,
    maxStalledCount: attempts - 1,
  });
  worker.on('error', () => undefined);
  await worker.startStalledCheckTimer();
  return worker;
};

/**
 * Does the units for these machines, one after the other, and waits for those of others: they may have to be done
 * again. Says of each that it did. Rejects as Redis does.
 */
export const workOnQueues = async (
  keys: readonly WorkQueueKey[],
  work: DoUnit,
  sharing: Sharing,
  { signal, pause = 1 }: WorkOptions,
  onDone: () => void,
): Promise<void> => {
  const queues = keys.map((key) => openUnitQueue(key, sharing));
  const workers = await Promise.all(keys.map((key) => startWorker(key, sharing)));
  try {
    while (signal?.aborted !== true) {
      const token = randomUUID();
      const job = await nextJob(workers, token);
      if (job !== undefined) {
        if (await doJob(job, token, work, sharing, signal)) onDone();
        continue;
      }
      const counts = await Promise.all(queues.map(({ counts }) => counts()));
      if (counts.every(({ waiting, claimed }) => waiting + claimed === 0)) break;
      await setTimeout(pause * 1000);
    }
  } finally {
    // Connections of BullMQ's own may be waiting for a server that restarts.
    await Promise.allSettled([...workers, ...queues].map((each) => each.close()));
  }
};

/** The first unit that waits, locked by the token. */
const nextJob = async (workers: readonly Worker[], token: string): Promise<UnitJob | undefined> => {
  for (const worker of workers) {
    const job = (await worker.getNextJob(token, { block: false })) as UnitJob | undefined;
    if (job !== undefined) return job;
  }
  return undefined;
};

/** Does a job that the token has locked; false if it has no outcome by this. */
const doJob = async (
  job: UnitJob,
  token: string,
  work: DoUnit,
  sharing: Sharing,
  signal: TuningSignal | undefined,
): Promise<boolean> => {
  // Too many workers have died of it: BullMQ leaves it to the next one to say so.
  if (job.deferredFailure) {
    await whileLocked(job.moveToFailed(new UnrecoverableError(job.deferredFailure), token));
    return false;
  }
  const records = await exchangeRecords(sharing, job.queueName, job.id!);
  const stopped = new AbortController();
  const stop = (): void => {
    stopped.abort();
  };
  signal?.addEventListener?.('abort', stop);
  const lost = new AbortController();
  const beat = async (): Promise<void> => {
    if (signal?.aborted === true) stop();
    // First, for a file that cannot be shared does not make the worker dead.
    if (await whileLocked(job.extendLock(token, sharing.lease * 1000))) return records.share();
    lost.abort();
    stop();
  };
  // A beat that fails is one that the server did not hear; the next may be, or the lease ends.
  const beating = setInterval(() => void beat().catch(() => undefined), (sharing.lease * 1000) / beats);
  const say = (what: string): void => {
    void job.updateProgress(what).catch(() => undefined);
  };
  try {
    const claim = { unit: job.data, records: records.own, others: [records.others], say };
    const result = await work(claim, stopped.signal);
    await records.share();
    if (lost.signal.aborted) return false;
    if (!stopped.signal.aborted) return await whileLocked(job.moveToCompleted({ result }, token, false));
    await whileLocked(job.moveToWait(token));
    return false;
  } finally {
    clearInterval(beating);
    signal?.removeEventListener?.('abort', stop);
    records.remove();
  }
};

/** What BullMQ says of a job that others have taken, or done, since. */
const lostCodes: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/** Whether an action that takes the lock of a job found it. */
const whileLocked = async (action: Promise<unknown>): Promise<boolean> => {
  try {
    return (await action) !== 0;
  } catch (problem) {
    if (problem instanceof Error && 'code' in problem && lostCodes.includes(problem.code)) return false;
    throw problem;
  }
};
