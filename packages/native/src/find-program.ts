/** Finds programs on PATH. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The folders of PATH. */
export const pathFolders = (): readonly string[] => (process.env['PATH'] ?? '').split(delimiter);

/** The first program with one of these names: on PATH, or only in the folder that `SCONV_EMULATORS` names, if set. */
export const findProgram = (names: readonly string[]): string | undefined => {
  const own = process.env['SCONV_EMULATORS'];
  const folders = own === undefined ? pathFolders() : [own];
  return names
    .flatMap((name) => folders.filter((folder) => folder !== '').map((folder) => join(folder, name)))
    .find(isExecutable);
};
