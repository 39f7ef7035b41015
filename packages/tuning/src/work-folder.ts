/**
 * A folder of work that any number of processes share, on one machine or on a file system of several: `waiting` has the
 * units that nobody works on, `claimed` those that somebody does, `done` what came of them, and `records` a file of
 * each writer. A unit is a file that goes from folder to folder by being renamed, which only one process succeeds in.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, fileLocation, success } from '@sconv/diagnostics';
import type { TuningSignal } from './measuring-process.ts';
import { whyOf } from './why-of.ts';

/** Work for one machine at a time; `task` is plain data. */
export interface WorkUnit {
  /** Which machines may do it, and with which code generator: as in the key of its records. */
  readonly fingerprint: string;
  readonly generator: string;
  readonly task: unknown;
}

/** The name of a unit: the same wherever it is added. */
export const unitName = (unit: WorkUnit): string =>
  createHash('sha256').update(JSON.stringify(unit)).digest('hex').slice(0, 16);

/** What came of a unit; plain data. It is abandoned once so many workers have died of it. */
export type WorkOutcome =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'abandoned'; readonly attempts: number };

/** A unit that a worker has. */
export interface WorkClaim {
  readonly unit: WorkUnit;
  /** A new file for the records of this claim. */
  readonly records: string;
  /** Set once others hold the worker for dead, and do the unit again. */
  readonly signal: TuningSignal;
  /** Says what came of it; false if others were first. */
  readonly finish: (result: unknown) => Diagnosed<boolean>;
  /** Gives the unit back, undone. */
  readonly release: () => Diagnosed<undefined>;
}

/** How many units are where. */
export interface WorkStatus {
  readonly waiting: number;
  readonly claimed: number;
}

export interface WorkFolder {
  readonly path: string;
  /** Adds units, but those that are there, in whatever state; returns the name of each. */
  readonly add: (units: readonly WorkUnit[]) => Diagnosed<readonly string[]>;
  /** Claims a waiting unit that suits; undefined if there is none. What is no unit is passed over. */
  readonly claim: (suits: (unit: WorkUnit) => boolean) => Diagnosed<WorkClaim | undefined>;
  /** The units that suit and are not done. Has those wait again whose worker is dead. */
  readonly look: (suits: (unit: WorkUnit) => boolean) => Diagnosed<WorkStatus>;
  /** What came of a unit, by name; undefined while that is open. */
  readonly outcome: (name: string) => Diagnosed<WorkOutcome | undefined>;
  /** The files of records that there are. */
  readonly recordFiles: () => Diagnosed<readonly string[]>;
}

export interface WorkFolderOptions {
  /** A worker is dead that has said nothing for so many seconds; default 60. */
  readonly lease?: number;
  /** A unit is abandoned when so many workers have died of it; default 10. */
  readonly attempts?: number;
  /** Whether a folder that is not there, or is not one of work, is made one; default true. */
  readonly create?: boolean;
}

/** How often a worker says that it is alive, during a lease. */
const beats = 6;

/** A unit is `NAME.ATTEMPT.json`, and claimed `NAME.ATTEMPT.WORKER.json`. */
interface UnitFile {
  readonly file: string;
  readonly name: string;
  readonly attempt: number;
}

const unitFile = (file: string): readonly UnitFile[] => {
  const found = /^([0-9a-f]+)\.(\d+)(?:\.[^.]+)?\.json$/.exec(file);
  return found === null ? [] : [{ file, name: found[1]!, attempt: Number(found[2]) }];
};

/**
 * Opens a folder of work. It, and all that is done with it, fails with `tuning/work-folder` where files cannot be read
 * or written, and where it is not there and not to be created.
 */
export const openWorkFolder = (
  path: string,
  { lease = 60, attempts = 10, create: mayCreate = true }: WorkFolderOptions = {},
): Diagnosed<WorkFolder> => {
  const [waiting, claimed, done, records, drafts] = ['waiting', 'claimed', 'done', 'records', 'drafts'].map(
    (name) => join(path, name),
  ) as [string, string, string, string, string];
  const unusable = (why: string) => {
    const message = `the folder of work cannot be used: ${why}`;
    return definite(error('tuning/work-folder', message, fileLocation(path, 1, 1)));
  };
  const attempt = <T>(action: () => T): Diagnosed<T> => {
    try {
      return success(action());
    } catch (problem) {
      return unusable(whyOf(problem));
    }
  };
  const unitsIn = (folder: string): readonly UnitFile[] => readdirSync(folder).sort().flatMap(unitFile);
  const outcomeFile = (name: string): string => join(done, `${name}.json`);
  const isDone = (name: string): boolean => existsSync(outcomeFile(name));
  /** Nobody sees a part of the file. False if it is there. */
  const create = (file: string, value: unknown): boolean => {
    const draft = join(drafts, randomBytes(8).toString('hex'));
    writeFileSync(draft, JSON.stringify(value));
    try {
      linkSync(draft, file);
    } catch (problem) {
      if (codeOf(problem) === 'EEXIST') return false;
      // A file system without links.
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
    return true;
  };
  /** When each claim was seen to change, by a clock of this process: those of other machines may differ. */
  const seen = new Map<string, { readonly changed: number; readonly since: number }>();
  const isDead = ({ file }: UnitFile): boolean => {
    const status = statSync(join(claimed, file), { throwIfNoEntry: false });
    if (status === undefined) return false;
    const [changed, now] = [status.mtimeMs, performance.now()];
    const before = seen.get(file);
    if (before?.changed === changed) return now - before.since > lease * 1000;
    seen.set(file, { changed, since: now });
    return false;
  };
  const reclaim = (unit: UnitFile): void => {
    const { file, name } = unit;
    seen.delete(file);
    if (unit.attempt + 1 < attempts && !isDone(name))
      moved(join(claimed, file), join(waiting, `${name}.${unit.attempt + 1}.json`));
    else {
      create(outcomeFile(name), { kind: 'abandoned', attempts } satisfies WorkOutcome);
      rmSync(join(claimed, file), { force: true });
    }
  };
  const claimOf = (unit: WorkUnit, { file, name, attempt: turn }: UnitFile, worker: string): WorkClaim => {
    const own = join(claimed, `${name}.${turn}.${worker}.json`);
    const lost = new AbortController();
    const beat = setInterval(
      () => {
        if (!isAlive(own)) lost.abort();
      },
      (lease * 1000) / beats,
    );
    return {
      unit,
      records: join(records, `${name}.${turn}.${worker}.jsonl`),
      signal: lost.signal,
      finish: (result) => {
        clearInterval(beat);
        return attempt(() => {
          const isFirst = create(outcomeFile(name), { kind: 'done', result } satisfies WorkOutcome);
          rmSync(own, { force: true });
          return isFirst;
        });
      },
      release: () => {
        clearInterval(beat);
        return attempt(() => {
          moved(own, join(waiting, file));
          return undefined;
        });
      },
    };
  };
  const folders = [waiting, claimed, done, records, drafts];
  if (!mayCreate && !folders.every((folder) => existsSync(folder)))
    return unusable('it is not there, or not one of work, which "sconv tune --work" makes');
  const created = attempt(() => {
    for (const folder of folders) mkdirSync(folder, { recursive: true });
  });
  if (created.status !== 'success') return created;
  return success({
    path,
    add: (units) =>
      attempt(() => {
        const present = new Set([waiting, claimed].flatMap(unitsIn).map(({ name }) => name));
        return units.map((unit) => {
          const name = unitName(unit);
          if (!present.has(name) && !isDone(name)) create(join(waiting, `${name}.0.json`), unit);
          return name;
        });
      }),
    claim: (suits) =>
      attempt(() => {
        for (const found of unitsIn(waiting)) {
          const { file, name } = found;
          const from = join(waiting, file);
          if (isDone(name)) {
            rmSync(from, { force: true });
            continue;
          }
          const unit = read(from, isUnit);
          if (unit === undefined || !suits(unit)) continue;
          const worker = `${hostname().replaceAll('.', '-')}-${process.pid}-${randomBytes(4).toString('hex')}`;
          if (moved(from, join(claimed, `${name}.${found.attempt}.${worker}.json`)))
            return claimOf(unit, found, worker);
        }
        return undefined;
      }),
    look: (suits) =>
      attempt(() => {
        const of = (folder: string): readonly UnitFile[] =>
          unitsIn(folder).filter(({ file, name }) => {
            const unit = isDone(name) ? undefined : read(join(folder, file), isUnit);
            return unit !== undefined && suits(unit);
          });
        for (const unit of unitsIn(claimed)) if (isDead(unit)) reclaim(unit);
        return { waiting: of(waiting).length, claimed: of(claimed).length };
      }),
    outcome: (name) => attempt(() => read(outcomeFile(name), isOutcome)),
    recordFiles: () =>
      attempt(() =>
        readdirSync(records)
          .sort()
          .map((file) => join(records, file)),
      ),
  });
};

const codeOf = (problem: unknown): string | undefined => (problem as NodeJS.ErrnoException).code;

/** Whether the action found its file: others may have renamed it. */
const wasThere = (action: () => void): boolean => {
  try {
    action();
    return true;
  } catch (problem) {
    if (codeOf(problem) === 'ENOENT') return false;
    throw problem;
  }
};

const moved = (from: string, to: string): boolean =>
  wasThere(() => {
    renameSync(from, to);
  });

/** Says that the worker lives; false if its file has gone, or cannot be reached. */
const isAlive = (file: string): boolean => {
  try {
    utimesSync(file, new Date(), new Date());
    return true;
  } catch {
    return false;
  }
};

/** What a file holds; undefined for one that is not there, or holds something else. */
const read = <T>(file: string, is: (value: unknown) => value is T): T | undefined => {
  let text = '';
  if (!wasThere(() => void (text = readFileSync(file, 'utf8')))) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return is(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isUnit = (value: unknown): value is WorkUnit =>
  typeof value === 'object' &&
  value !== null &&
  ['fingerprint', 'generator'].every((name) => typeof (value as never)[name] === 'string') &&
  'task' in value;

const isOutcome = (value: unknown): value is WorkOutcome =>
  typeof value === 'object' &&
  value !== null &&
  (('result' in value && 'kind' in value && value.kind === 'done') ||
    ('attempts' in value && typeof value.attempts === 'number'));
