/** Packs every package once, as `npm publish` would, and their external dependencies. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { npm } from './command.ts';
import type { Package } from './packages.ts';
import { externalPackage, readPackages, root } from './packages.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The tarball of each package, own and external, by package name; absolute paths. */
    tarballs: Readonly<Record<string, string>>;
  }
}

/** Packs folders, by two processes at once; returns the tarballs by package name. */
const pack = async (folders: readonly string[], into: string): Promise<Record<string, string>> => {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', into] as const;
  const halves = [0, 1].map((half) => folders.filter((_, i) => i % 2 === half));
  const texts = await Promise.all(halves.map((some) => npm(root, ...words, ...some)));
  const packed = texts.flatMap(
    (text) => JSON.parse(text) as readonly { readonly name: string; readonly filename: string }[],
  );
  return Object.fromEntries(packed.map(({ name, filename }) => [name, join(into, filename)]));
};

/** The folders of the external packages to pack, one version of each. */
const foreignFolders = (packages: readonly Package[]): readonly string[] => {
  const folders = new Map<string, string>();
  const visit = (owner: Pick<Package, 'folder' | 'dependencies'>): void => {
    for (const name of owner.dependencies.filter((each) => !packages.some((own) => own.name === each))) {
      const found = externalPackage(owner, name);
      const before = folders.get(name);
      if ((before ?? found.folder) !== found.folder) throw new Error(`${name} is installed twice`);
      folders.set(name, found.folder);
      if (before === undefined) visit(found);
    }
  };
  packages.forEach(visit);
  return [...folders.values()];
};

export default async (project: TestProject): Promise<() => void> => {
  // As before `npm publish`: `tsc` alone does not create everything that is packed.
  await npm(root, 'run', 'prepare');
  const packages = readPackages();
  const into = mkdtempSync(join(tmpdir(), 'sconv-tarballs-'));
  const folders = [...packages.map(({ folder }) => folder), ...foreignFolders(packages)];
  project.provide('tarballs', await pack(folders, into));
  if (readdirSync(into).length !== folders.length) throw new Error('not every package was packed');
  return () => {
    rmSync(into, { recursive: true });
  };
};
