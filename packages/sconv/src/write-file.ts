/** How the commands write files: a plain file as a whole, anything else as it is. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, fileLocation, success } from '@sconv/diagnostics';
import { encodeText, hasLoneSurrogate } from '@sconv/ir';
import { reason } from './reason.ts';

/**
 * Writes a file. One that is plain, or not there yet, is written as a whole or not at all, and keeps its permissions. A
 * symbolic link is followed; a device, a pipe, or a link to what is not there yet is written through. Fails with
 * `sconv/cannot-write`.
 */
export const writeFile = (path: string, content: string | Uint8Array): Diagnosed<undefined> =>
  attempt(path, () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === true) replace(realpathSync(path), content, found.mode);
    else if (lstatSync(path, { throwIfNoEntry: false }) === undefined) replace(path, content, undefined);
    else writeFileSync(path, bytesOf(content));
  });

/** What to write for a text: bytes that were no UTF-8 when it was read come out as they were. */
export const bytesOf = (content: string | Uint8Array): string | Uint8Array =>
  typeof content === 'string' && hasLoneSurrogate(content) ? encodeText(content) : content;

/** Makes a folder, and those that it is in, unless it is there. Fails with `sconv/cannot-write`. */
export const makeFolder = (path: string): Diagnosed<undefined> =>
  attempt(path, () => mkdirSync(path, { recursive: true }));

const attempt = (path: string, write: () => unknown): Diagnosed<undefined> => {
  try {
    write();
    return success(undefined);
  } catch (problem) {
    return definite(
      error('sconv/cannot-write', `cannot write: ${reason(problem)}`, fileLocation(path, 1, 1)),
    );
  }
};

/** Writes beside the file and renames, so that nobody ever finds half of it there. */
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
