/** The packages of the workspace, from their manifests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The fields of a package.json that the checks read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: { readonly url: string };
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly nx: {
    readonly tags: readonly string[];
    readonly targets?: Readonly<Record<string, { readonly inputs?: readonly string[] }>>;
  };
}

export interface Package {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** The number in its tag `floor:N`. */
  readonly floor: number;
  /** Whether it is tagged `platform:any`, i.e. also runs in a browser. */
  readonly isPortable: boolean;
  /** Names in `dependencies`. */
  readonly dependencies: readonly string[];
  /** Names in `peerDependencies`; needed by a sub-path, not by the main entry. */
  readonly peers: readonly string[];
  readonly manifest: Manifest;
}

export const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const readPackage = (folder: string): Package => {
  const manifest = readJson(join(folder, 'package.json')) as Manifest;
  const { tags } = manifest.nx;
  const floor = tags.find((tag) => tag.startsWith('floor:'));
  if (floor === undefined) throw new Error(`${manifest.name} has no tag floor:N`);
  return {
    name: manifest.name,
    folder,
    floor: Number(floor.slice('floor:'.length)),
    isPortable: tags.includes('platform:any'),
    dependencies: Object.keys(manifest.dependencies ?? {}),
    peers: Object.keys(manifest.peerDependencies ?? {}),
    manifest,
  };
};

/** All folders of `packages/`. */
export const readPackages = (): readonly Package[] =>
  readdirSync(join(root, 'packages')).map((name) => readPackage(join(root, 'packages', name)));

/**
 * Where a package's dependency is installed, resolved as Node does: the root's `node_modules` may hold another version,
 * for some tool.
 */
export const installedFolder = ({ folder }: Pick<Package, 'folder'>, dependency: string): string => {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, 'node_modules', dependency);
    if (existsSync(candidate)) return candidate;
  }
  throw new Error(`${dependency} is not installed for ${folder}`);
};

/** A package and the names of everything installed with it: workspace packages and external ones. */
export interface Closure {
  readonly own: readonly Package[];
  readonly foreign: readonly string[];
}

/** An external package as it is installed, and what it depends on. */
export const externalPackage = (
  owner: Pick<Package, 'folder'>,
  name: string,
): Pick<Package, 'folder' | 'dependencies'> => {
  const folder = installedFolder(owner, name);
  const { dependencies = {} } = readJson(join(folder, 'package.json')) as Partial<Manifest>;
  return { folder, dependencies: Object.keys(dependencies) };
};

/** The dependencies of packages of these names, including themselves. */
export const closureOf = (names: string | readonly string[], packages: readonly Package[]): Closure => {
  const byName = new Map(packages.map((each) => [each.name, each]));
  const seen = new Set<string>();
  const visit = (name: string, owner: Pick<Package, 'folder'>): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const found = byName.get(name) ?? externalPackage(owner, name);
    for (const each of found.dependencies) visit(each, found);
  };
  for (const name of [names].flat()) visit(name, { folder: root });
  return {
    own: [...seen].flatMap((each) => byName.get(each) ?? []),
    foreign: [...seen].filter((each) => !byName.has(each)),
  };
};

/** All packages, and what they depend on. */
export const closureOfAll = (packages: readonly Package[]): Closure =>
  closureOf(
    packages.map(({ name }) => name),
    packages,
  );

/** The specifiers that import a package: `@sconv/affine`, `@sconv/affine/vitest`, … */
export const specifiersOf = ({ name, manifest }: Package): readonly string[] =>
  Object.keys(manifest.exports)
    .filter((path) => path !== './package.json')
    .map((path) => name + path.slice(1));

/** `@sconv/affine` of `@sconv/affine/vitest`; `vite` of `vite/client`. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
