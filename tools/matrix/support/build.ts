/** The bundlers of users. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from '../../checks/support/command.ts';
import { matrixFolder } from './tools.ts';

/** Names for `tools/matrix/build.mjs`. */
export const bundlers = ['vite', 'esbuild', 'rollup', 'webpack', 'rolldown'];

/** Bundles programs, by file name, in a folder that has the packages. Returns the folder that they are built into. */
export const build = async (
  folder: string,
  bundler: string,
  use: 'page' | 'server',
  programs: Readonly<Record<string, string>>,
): Promise<string> => {
  for (const [file, text] of Object.entries(programs)) writeFileSync(join(folder, file), text);
  await output(folder, process.execPath, join(matrixFolder, 'build.mjs'), bundler, use, folder);
  return join(folder, 'built');
};
