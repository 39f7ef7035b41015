/** The side that collects: adds units to the queues of their machines, and waits for what comes of them. */
import { setTimeout } from 'node:timers/promises';
import type { CollectedFromQueues, QueueProgress, WorkOptions, WorkOutcome, WorkUnit } from '@sconv/tuning';
import { unitName } from '@sconv/tuning';
import { sharedRecords } from './shared-records.ts';
import type { Sharing, UnitQueue } from './unit-queue.ts';
import { openUnitQueue, queueName } from './unit-queue.ts';

/** Adds units, and waits until workers have done them. Rejects as Redis does. */
export const collectFromQueues = async (
  units: readonly WorkUnit[],
  onProgress: (progress: QueueProgress) => void,
  sharing: Sharing,
  { signal, pause = 1 }: WorkOptions,
): Promise<CollectedFromQueues> => {
  const queues = new Map<string, UnitQueue>();
  for (const unit of units)
    if (!queues.has(queueName(unit))) queues.set(queueName(unit), openUnitQueue(unit, sharing));
  const queueOf = (unit: WorkUnit): UnitQueue => queues.get(queueName(unit))!;
  const outcomes: (WorkOutcome | undefined)[] = units.map(() => undefined);
  try {
    for (;;) {
      const says = new Map<number, string>();
      for (const [i, unit] of units.entries()) {
        if (outcomes[i] !== undefined) continue;
        // Each time, for a server that has restarted may have lost the last second.
        await queueOf(unit).add(unit);
        const seen = await queueOf(unit).look(unitName(unit));
        outcomes[i] = seen.outcome;
        if (seen.says !== undefined) says.set(i, seen.says);
      }
      const counts = await Promise.all([...queues.values()].map((queue) => queue.counts()));
      const total = (of: (count: (typeof counts)[number]) => number): number =>
        counts.reduce((sum, count) => sum + of(count), 0);
      const done = outcomes.filter((outcome) => outcome !== undefined).length;
      const [waiting, claimed] = [total((count) => count.waiting), total((count) => count.claimed)];
      onProgress({ waiting, claimed, done, of: units.length, says });
      if (signal?.aborted === true || done === units.length) break;
      await setTimeout(pause * 1000);
    }
    const records = await Promise.all(
      units.map((unit) => sharedRecords(sharing, queueName(unit), unitName(unit))),
    );
    return { outcomes, records: [...new Set(records.flat())] };
  } finally {
    await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
  }
};
