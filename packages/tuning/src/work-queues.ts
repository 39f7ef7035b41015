/** What queues of work are that machines share without a file system: `@sconv/tuning-bullmq` has some. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { TuningSignal } from './measuring-process.ts';
import type { WorkOutcome, WorkUnit } from './work-folder.ts';
import type { Collecting, WorkOptions } from './work.ts';

/** Which machines, with which code generator: those share a queue. */
export type WorkQueueKey = Pick<WorkUnit, 'fingerprint' | 'generator'>;

/** A unit that a worker has from a queue. */
export interface QueueClaim {
  readonly unit: WorkUnit;
  /** A new file for the records of this claim, which others get while they are written. */
  readonly records: string;
  /** Files with the records of those that had the unit before. */
  readonly others: readonly string[];
  /** Says what is done, to those that collect. */
  readonly say: (what: string) => void;
}

/** What is known while work is collected from queues. */
export interface QueueProgress extends Collecting {
  /** What workers say of the units that they have, by the unit's index. */
  readonly says: ReadonlyMap<number, string>;
}

/** What came of units. */
export interface CollectedFromQueues {
  /** In the order of the units; undefined for those that are open when the signal comes. */
  readonly outcomes: readonly (WorkOutcome | undefined)[];
  /** A line for each record of all workers. */
  readonly records: readonly string[];
}

export interface WorkQueues {
  /** Adds units, but those that are there, in whatever state, and waits until workers have done them. */
  readonly collect: (
    units: readonly WorkUnit[],
    onProgress: (progress: QueueProgress) => void,
    options?: WorkOptions,
  ) => Promise<Diagnosed<CollectedFromQueues>>;
  /**
   * Does units for machines of these keys, one after the other, until nobody works on one, so that none can come back;
   * returns how many. A unit whose work the signal has ended, or of which others hold this worker for dead, has no
   * outcome by it; both set the signal that it is given. It does not take the lock of the machine (`machineLock`):
   * what measures does.
   */
  readonly work: (
    keys: readonly WorkQueueKey[],
    work: (claim: QueueClaim, signal: TuningSignal) => Promise<unknown>,
    options?: WorkOptions,
  ) => Promise<Diagnosed<number>>;
  readonly close: () => void;
}
