/** The records of a unit in Redis: one a key, whichever worker was first, for those that go on with the unit. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import type { TuningRecord } from '@sconv/tuning';
import { keyText, printRecord, readRecords } from '@sconv/tuning';
import type { Sharing } from './unit-queue.ts';

const recordsKey = ({ prefix }: Sharing, queue: string, name: string): string =>
  `${prefix}:${queue}:records:${name}`;

/** The lines of all records of a unit. */
export const sharedRecords = (sharing: Sharing, queue: string, name: string): Promise<string[]> =>
  sharing.redis.hvals(recordsKey(sharing, queue, name));

/** Files of records that a unit is worked on with, on this machine. */
export interface RecordExchange {
  /** A new file, for what this worker measures. */
  readonly own: string;
  /** What others have measured. */
  readonly others: string;
  /** Shares what has been added to the own file since. */
  readonly share: () => Promise<void>;
  readonly remove: () => void;
}

/** Files with what is known of a unit. */
export const exchangeRecords = async (
  sharing: Sharing,
  queue: string,
  name: string,
): Promise<RecordExchange> => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-unit-'));
  const [own, others] = [join(folder, 'own.jsonl'), join(folder, 'others.jsonl')];
  writeFileSync(own, '');
  writeFileSync(others, (await sharedRecords(sharing, queue, name)).join(''));
  const shared = new Set<string>();
  return {
    own,
    others,
    share: async () => {
      const added = recordsIn(own).filter((record) => !shared.has(keyText(record)));
      for (const record of added) {
        await sharing.redis.hsetnx(recordsKey(sharing, queue, name), keyText(record), printRecord(record));
        shared.add(keyText(record));
      }
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The whole records of a file that a process of this machine writes. */
const recordsIn = (path: string): readonly TuningRecord[] => [...unwrap(readRecords([path])).values()];
