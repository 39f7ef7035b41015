/** The folder of built files: `<digest>.<extension>`, each with its checksum. */
import { createHash } from 'node:crypto';
import { existsSync, utimesSync } from 'node:fs';
import { mkdir, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** A relative or empty XDG_CACHE_HOME counts as none, as the XDG Base Directory Specification says. */
export const cacheFolder = (): string => {
  const named = process.env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(named) ? named : join(homedir(), '.cache'), 'sconv', 'native');
};

/**
 * Creates the cache folder if there is none, for this user alone. Throws where others could have put code into it,
 * since what it holds runs with this user's rights.
 */
export const openCache = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) {
    await createFolder(folder).catch((problem: unknown) => {
      throw problemIn(folder, problem);
    });
  }
  // Windows has no such users.
  const user = process.getuid?.();
  if (user === undefined) return;
  const { uid, mode } = await stat(folder);
  if (uid !== user)
    throw new Error(`${folder} belongs to another user: set XDG_CACHE_HOME to a folder of your own`);
  if ((mode & 0o022) !== 0)
    throw new Error(
      `${folder} can be written by other users: take that away (chmod go-w), or set XDG_CACHE_HOME`,
    );
};

/** Where the checksum of a cached file is kept. */
export const checksumOf = (kept: string): string => `${kept}.sha256`;

/** Whether a cached file is there as it was built, which counts as a use. What was damaged since is built again. */
export const isKept = async (kept: string): Promise<boolean> => {
  try {
    // First, so that it is not removed in the meantime.
    markUsed(kept);
    return (await readFile(checksumOf(kept), 'utf8')) === (await digestOf(kept));
  } catch {
    return false;
  }
};

/** Sets the time of a cached file's last use. */
export const markUsed = (kept: string): void => {
  const now = new Date();
  try {
    utimesSync(kept, now, now);
  } catch {
    // It is not there, or the file system is only read.
  }
};

/** Moves a file from a folder in the cache to its place: complete and on the disk, or not at all. */
export const keep = async (file: string, kept: string): Promise<void> => {
  await synced(file);
  const checksum = join(dirname(file), 'checksum');
  await writeFile(checksum, await digestOf(file));
  await rename(file, kept);
  await rename(checksum, checksumOf(kept));
};

const digestOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** Flushes a file to disk, so that a crash cannot leave a truncated file under its name. */
const synced = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Creates a folder and those above it, for this user alone. (Node's own recursive `mkdir` never returns where the file
 * system refuses new folders with ENOENT, as /proc does.)
 */
const createFolder = async (path: string): Promise<void> => {
  if (!existsSync(dirname(path))) await createFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (problem) {
    // Another process may have been faster.
    if ((problem as NodeJS.ErrnoException).code !== 'EEXIST') throw problem;
  }
};

/** What tools say of a full disk, a quota, and a limit on the size of files. */
const noSpace = /No space left on device|Disk quota exceeded|File too large|File size limit exceeded/;

/** The problem of a tool that found no space for its output; undefined for any other. */
export const spaceProblem = (folder: string, said: string): Error | undefined =>
  noSpace.test(said) ? noSpaceIn(folder) : undefined;

/** The same of our own files. */
const fullCodes: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Names the cache folder where its file system refuses something; other problems stay as they are. */
export const problemIn = (folder: string, problem: unknown): unknown => {
  const { code } = problem as { readonly code?: unknown };
  if (typeof code !== 'string') return problem;
  if (fullCodes.includes(code)) return noSpaceIn(folder);
  return new Error(`${folder} cannot be written (${code}): set XDG_CACHE_HOME to a folder that can be`, {
    cause: problem,
  });
};

/** One line for all of them: what a tool says depends on how far it came. */
const noSpaceIn = (folder: string): Error => new Error(`there is no space left for it in ${folder}`);
