/** Packages of a user's folder, which are no dependencies. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** Loads what is installed in a folder, or around it. */
export type Packages = ReturnType<typeof createRequire>;

/** Where peers are looked for, unless other folders are given. */
export const peerFolders: readonly string[] = ['.', './tools/bench'];

/** The packages that modules of a folder load. */
export const packagesOf = (folder: string): Packages => createRequire(resolve(folder, 'package.json'));

export const isInstalled = (packages: Packages, packageName: string): boolean => {
  try {
    packages.resolve(packageName);
    return true;
  } catch {
    return false;
  }
};

/** The version of an installed package. */
export const versionOf = (packages: Packages, packageName: string): string => {
  // Packages need not export their package.json, but it is in the first folder with their name.
  const entry = packages.resolve(packageName);
  const end = entry.lastIndexOf(packageName) + packageName.length;
  return (packages(`${entry.slice(0, end)}/package.json`) as { version: string }).version;
};
