/** Writes a program into a folder. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { SavedModel } from '../model/save-model.ts';
import { makeFolder, writeFile } from '../write-file.ts';
import { manifestName } from './manifest.ts';

/** The files of a program besides its manifest. */
const ownName = /^(?:code|weights)-[0-9a-f]{16}\.\w+$/;

/**
 * Writes the files into a folder, which is made if there is none; files of others in it stay. The manifest is replaced
 * last, so that there is the old program or the new one at any time, and what only the old one needs is removed then.
 * Fails with `sconv/cannot-write`, with the old program in place.
 */
export const writeProgram = (folder: string, files: SavedModel): Diagnosed<undefined> => {
  const isMade = existsSync(folder);
  const ready = makeFolder(folder);
  if (ready.status !== 'success') return ready;
  const last = (name: string): number => Number(name === manifestName);
  const added: string[] = [];
  for (const name of Object.keys(files).sort((a, b) => last(a) - last(b))) {
    const path = join(folder, name);
    const isNew = !existsSync(path);
    const written = writeFile(path, files[name]!);
    if (written.status === 'success') {
      if (isNew) added.push(path);
      continue;
    }
    for (const each of added) rmSync(each, { force: true });
    if (!isMade) rmSync(folder, { recursive: true, force: true });
    return written;
  }
  for (const name of readdirSync(folder))
    if (ownName.test(name) && !(name in files)) rmSync(join(folder, name), { force: true });
  return success(undefined);
};
