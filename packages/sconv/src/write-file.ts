/** How the commands write files: regular files atomically, others directly. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, fileLocation, success } from '@sconv/diagnostics';
import { encodeText, hasLoneSurrogate } from '@sconv/ir';
import { reason } from './reason.ts';

/**
 * Writes a file. A regular or new file is replaced atomically and keeps its permissions. Symbolic links are followed; a
 * device, a pipe, or a dangling link is written through. Fails with `sconv/cannot-write`.
 */
export const writeFile = (path: string, content: string | Uint8Array): Diagnosed<undefined> =>
  attempt(path, () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === true) replace(realpathSync(path), content, found.mode);
    else if (lstatSync(path, { throwIfNoEntry: false }) === undefined) replace(path, content, undefined);
    else writeFileSync(path, bytesOf(content));
  });

/** The bytes to write for a text; bytes that were not UTF-8 when read are restored. */
export const bytesOf = (content: string | Uint8Array): string | Uint8Array =>
  typeof content === 'string' && hasLoneSurrogate(content) ? encodeText(content) : content;

/** Creates a folder and its parents, unless it exists. Fails with `sconv/cannot-write`. */
export const makeFolder = (path: string): Diagnosed<undefined> =>
  attempt(path, () => createFolder(resolve(path)));

/** Node's recursive `mkdirSync` never returns where the file system refuses new folders with ENOENT, as /proc does. */
const createFolder = (path: string): void => {
  if (!existsSync(dirname(path))) createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (problem) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw problem;
  }
};

const attempt = (path: string, write: () => unknown): Diagnosed<undefined> => {
  try {
    write();
    return success(undefined);
  } catch (problem) {
    return definite(
      error('sconv/cannot-write', `cannot write: ${reasonOf(problem)}`, fileLocation(path, 1, 1)),
    );
  }
};

/** Without the system call and its path, which may be the temporary file's. */
const reasonOf = (problem: unknown): string => reason(problem).replace(/, [a-z]+(?: '.*)?$/s, '');

/** Writes a temporary file and renames it, so that nobody ever sees a partial file. */
const replace = (path: string, content: string | Uint8Array, mode: number | undefined): void => {
  const draft = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeFileSync(draft, bytesOf(content));
    if (mode !== undefined) chmodSync(draft, mode);
    renameSync(draft, path);
  } catch (problem) {
    rmSync(draft, { force: true });
    throw problem;
  }
};
