/** The compilers and bundlers of `tools/matrix/package-lock.json`. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../../checks/support/command.ts';
import { root } from '../../checks/support/packages.ts';

/** Where they are installed. */
export const matrixFolder = join(root, 'tools', 'matrix');

/** Installs them, unless they are as the lock says. */
export default async (): Promise<void> => {
  const written = join(matrixFolder, 'node_modules', '.package-lock.json');
  const age = (file: string): number => statSync(file).mtimeMs;
  if (existsSync(written) && age(written) > age(join(matrixFolder, 'package-lock.json'))) return;
  console.log('installing compilers and bundlers');
  await npm(matrixFolder, 'ci');
};
