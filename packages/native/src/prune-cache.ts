/** Limits the size of the cache. Several processes may do so at once, while others build and load. */
import { lstatSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checksumOf } from './cache.ts';

const minute = 60_000;

/** Milliseconds after its last use for which a file stays: who has asked for it may not have opened it yet. */
const inUse = 10 * minute;

/** The age of folders that no build is working in any more. */
const abandoned = 24 * 60 * minute;

/** A cached file, with its checksum. */
const fileName = /^([0-9a-f]{64}\.[a-z]+)(?:\.sha256)?$/;

/** The folder of a build. */
const workName = /^[0-9a-f]{64}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The limit in bytes: `SCONV_CACHE_MIB`, or 1 GiB. */
export const cacheLimit = (): number => {
  const named = process.env['SCONV_CACHE_MIB'] ?? '';
  const mebibytes = Number(named);
  return 2 ** 20 * (named.trim() !== '' && mebibytes >= 0 ? mebibytes : 1024);
};

/** When each folder was pruned. */
const pruned = new Map<string, number>();

/** `pruneCache` to the limit, at most once a minute in a process. Does nothing where the folder cannot be read. */
export const pruneAfterBuild = async (folder: string): Promise<void> => {
  const now = Date.now();
  if (now - (pruned.get(folder) ?? -Infinity) < minute) return;
  pruned.set(folder, now);
  try {
    await pruneCache(folder, cacheLimit(), now);
  } catch {
    // The build has what it wants.
  }
};

interface Entry {
  readonly name: string;
  bytes: number;
  /** Its last use: the time when the file was changed, which `markUsed` sets. */
  used: number;
}

/**
 * Removes the folders of builds that began a day ago, and the files that were not used for longest until all others
 * have `limit` bytes. What was used in the last ten minutes stays.
 */
export const pruneCache = async (folder: string, limit: number, now = Date.now()): Promise<void> => {
  const entries = new Map<string, Entry>();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may have removed it.
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) continue;
    if (workName.test(name)) {
      if (now - found.mtimeMs > abandoned) await rm(path, { recursive: true, force: true });
      continue;
    }
    const of = fileName.exec(name)?.[1];
    if (of === undefined) continue;
    const entry = entries.get(of) ?? { name: of, bytes: 0, used: 0 };
    entry.bytes += found.size;
    entry.used = Math.max(entry.used, found.mtimeMs);
    entries.set(of, entry);
  }
  let bytes = [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);
  for (const entry of [...entries.values()].sort((a, b) => a.used - b.used)) {
    if (bytes <= limit || now - entry.used < inUse) return;
    if (remove(join(folder, entry.name), entry.used)) bytes -= entry.bytes;
  }
};

/**
 * Removes a cached file unless it was used since; returns whether it did. A library stays in the processes that have
 * loaded it. The checksum goes last: a build that puts the file back in between only loses its checksum, so it is
 * built again when it is next asked for.
 */
const remove = (kept: string, used: number): boolean => {
  const found = lstatSync(kept, { throwIfNoEntry: false });
  if (found !== undefined && found.mtimeMs > used) return false;
  rmSync(kept, { force: true });
  rmSync(checksumOf(kept), { force: true });
  return true;
};
