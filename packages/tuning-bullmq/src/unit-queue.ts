/** One queue of BullMQ for the machines of one fingerprint and code generator: its units, and what came of them. */
import { createHash } from 'node:crypto';
import type { WorkOutcome, WorkQueueKey, WorkUnit } from '@sconv/tuning';
import { unitName } from '@sconv/tuning';
import type { Job } from 'bullmq';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** What all agree by that share work. */
export interface Sharing {
  readonly redis: Redis;
  /** In front of every key of Redis. */
  readonly prefix: string;
  /** A worker is dead that has said nothing for so many seconds. */
  readonly lease: number;
  /** A unit is abandoned when so many workers have died of it. */
  readonly attempts: number;
}

/** A job of BullMQ that is a unit. */
export type UnitJob = Job<WorkUnit, { readonly result: unknown }>;

export interface UnitQueue {
  readonly name: string;
  /** Adds a unit by its name, if it is not there, in whatever state. */
  readonly add: (unit: WorkUnit) => Promise<void>;
  /** What came of a unit; undefined while that is open. `says` is what its worker says of it. */
  readonly look: (name: string) => Promise<{ readonly outcome?: WorkOutcome; readonly says?: string }>;
  /** How many units nobody, and somebody, works on. */
  readonly counts: () => Promise<{ readonly waiting: number; readonly claimed: number }>;
  readonly close: () => Promise<void>;
}

/** The name of the queue of these machines, which no other machine reads. */
export const queueName = ({ fingerprint, generator }: WorkQueueKey): string => {
  const hash = createHash('sha256').update(JSON.stringify([fingerprint, generator]));
  return `tuning-${hash.digest('hex').slice(0, 16)}`;
};

/** Opens the queue of these machines. */
export const openUnitQueue = (key: WorkQueueKey, { redis, prefix, attempts }: Sharing): UnitQueue => {
  const queue = new Queue<WorkUnit, { readonly result: unknown }>(queueName(key), {
    connection: redis,
    prefix,
  });
  // The connection waits for its server; each call says by itself what it fails of.
  queue.on('error', () => undefined);
  return {
    name: queue.name,
    add: async (unit) => {
      await queue.add('unit', unit, { jobId: unitName(unit), removeOnComplete: false, removeOnFail: false });
    },
    look: async (name) => {
      const job = (await queue.getJob(name)) as UnitJob | undefined;
      if (job === undefined) return {};
      if (job.finishedOn === undefined) return typeof job.progress === 'string' ? { says: job.progress } : {};
      return {
        outcome: job.failedReason
          ? { kind: 'abandoned', attempts }
          : { kind: 'done', result: job.returnvalue.result },
      };
    },
    counts: async () => {
      const { wait = 0, active = 0 } = await queue.getJobCounts('wait', 'active');
      return { waiting: wait, claimed: active };
    },
    close: () => queue.close(),
  };
};
