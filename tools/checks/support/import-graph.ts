/** The import graph of the sources, and its violations of the architecture. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import type { Package } from './packages.ts';
import { packageOf, readJson, root, specifiersOf } from './packages.ts';

/** A source file of a package: its path, absolute, and its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The TypeScript files in a folder, recursively; none if it does not exist. */
export const readTypeScript = (folder: string): readonly Source[] =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : [])
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The TypeScript files of a package. */
export const readSources = ({ folder }: Package, name: 'src' | 'test'): readonly Source[] =>
  readTypeScript(join(folder, name));

/** What a file imports, types and dynamic imports included. */
const importsOf = ({ text }: Source): readonly string[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

const isRelative = (specifier: string): boolean => specifier.startsWith('.');
const isBuiltin = (specifier: string): boolean =>
  specifier.startsWith('node:') || builtinModules.includes(specifier);

/** Violations of one import in a package's source. */
const importProblems = (
  owner: Package,
  { path }: Source,
  specifier: string,
  packages: readonly Package[],
): readonly string[] => {
  const where = `${relative(root, path)} imports '${specifier}'`;
  if (isRelative(specifier)) {
    const target = resolve(path, '..', specifier);
    return target.startsWith(join(owner.folder, 'src') + sep) ? [] : [`${where}, outside of its package`];
  }
  if (isBuiltin(specifier)) {
    return owner.isPortable ? [`${where}, but ${owner.name} is tagged platform:any`] : [];
  }
  const name = packageOf(specifier);
  if (name === owner.name) return [`${where}, its own package by name`];
  const problems: string[] = [];
  if (!owner.dependencies.includes(name) && !owner.peers.includes(name)) {
    problems.push(`${where}, which package.json does not declare`);
  }
  const imported = packages.find((each) => each.name === name);
  if (imported === undefined) return problems;
  if (imported.floor >= owner.floor) {
    problems.push(`${where}: floor ${owner.floor} may not import floor ${imported.floor}`);
  }
  if (owner.isPortable && !imported.isPortable) {
    problems.push(`${where}: platform:any may not import platform:node`);
  }
  if (!specifiersOf(imported).includes(specifier)) problems.push(`${where}, which is not exported`);
  return problems;
};

/** Violations of a package's imports: each one, and unused dependencies. */
export const packageProblems = (
  owner: Package,
  sources: readonly Source[],
  packages: readonly Package[],
): readonly string[] => {
  const imports = sources.flatMap((source) => importsOf(source).map((specifier) => ({ source, specifier })));
  const used = new Set(imports.map(({ specifier }) => packageOf(specifier)));
  // The bundle of the commands loads what the bundled packages load from outside.
  if (owner.manifest.bin !== undefined) for (const name of foreignOf(packages)) used.add(name);
  return [
    ...imports.flatMap(({ source, specifier }) => importProblems(owner, source, specifier, packages)),
    ...owner.dependencies
      .filter((name) => !used.has(name))
      .map((name) => `${owner.name} declares ${name}, which its sources do not import`),
  ];
};

/** What the packages need from outside. */
const foreignOf = (packages: readonly Package[]): readonly string[] => {
  const own = new Set(packages.map(({ name }) => name));
  return packages.flatMap(({ dependencies }) => dependencies.filter((name) => !own.has(name)));
};

/** Tools that tests may import besides what their package may. */
const testTools = new Set(['vitest', 'fast-check', 'rolldown']);

/** Violations of imports in a package's tests: those of a higher floor belong in the integration tests. */
export const testProblems = (
  owner: Package,
  sources: readonly Source[],
  packages: readonly Package[],
): readonly string[] =>
  sources.flatMap((source) =>
    importsOf(source).flatMap((specifier) => {
      if (isRelative(specifier) || isBuiltin(specifier)) return [];
      const name = packageOf(specifier);
      const floor = packages.find((each) => each.name === name)?.floor;
      if (name === owner.name || testTools.has(name)) return [];
      const allowed = floor === undefined ? owner.dependencies.includes(name) : floor < owner.floor;
      return allowed ? [] : [`${relative(root, source.path)} imports '${specifier}', which is above it`];
    }),
  );

/** What a file imports at load time; type imports are erased by then. */
const specifiersLoadedBy = ({ path, text }: Source): readonly string[] =>
  ts
    .createSourceFile(path, text, ts.ScriptTarget.Latest)
    .statements.flatMap((statement) => {
      if (ts.isImportDeclaration(statement)) {
        return statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
          ? []
          : [statement.moduleSpecifier];
      }
      return ts.isExportDeclaration(statement) && !statement.isTypeOnly ? [statement.moduleSpecifier] : [];
    })
    .flatMap((specifier) =>
      specifier !== undefined && ts.isStringLiteral(specifier) ? [specifier.text] : [],
    );

/** The files of the same package that a file needs at load time. */
const loadedBy = (source: Source): readonly string[] =>
  specifiersLoadedBy(source)
    .filter(isRelative)
    .map((specifier) => resolve(source.path, '..', specifier));

/** The entry points, and what is none of the packages', that one needs at load time, itself included. */
export const entriesLoadedBy = (entry: string, packages: readonly Package[]): readonly string[] => {
  const entries = new Set<string>();
  const files = new Set<string>();
  const visitEntry = (specifier: string): void => {
    if (entries.has(specifier)) return;
    entries.add(specifier);
    const owner = packages.find(({ name }) => name === packageOf(specifier));
    if (owner === undefined) return;
    const exported = owner.manifest.exports[`.${specifier.slice(owner.name.length)}`];
    visitFile(join(owner.folder, (exported as Readonly<Record<string, string>>)['@sconv/source']!));
  };
  const visitFile = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const specifier of specifiersLoadedBy({ path, text: readFileSync(path, 'utf8') })) {
      if (isRelative(specifier)) visitFile(resolve(path, '..', specifier));
      else visitEntry(specifier);
    }
  };
  visitEntry(entry);
  return [...entries].sort();
};

/**
 * Import cycles at load time, as sorted paths within the package: which file is evaluated first depends on the
 * importer, and the others may find it empty.
 */
export const circlesIn = (sources: readonly Source[], folder: string): readonly (readonly string[])[] => {
  const imports = new Map(sources.map((source) => [source.path, loadedBy(source)]));
  const reachable = (from: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const pending = [...(imports.get(from) ?? [])];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      pending.push(...(imports.get(next) ?? []));
    }
    return found;
  };
  const reached = new Map([...imports.keys()].map((path) => [path, reachable(path)]));
  const groups = [...imports.keys()].map((path) =>
    [...reached.get(path)!].filter((other) => reached.get(other)?.has(path) === true).sort(),
  );
  const named = groups.map((group) => group.map((path) => relative(folder, path)).join(' '));
  return [...new Set(named)].filter((group) => group !== '').map((group) => group.split(' '));
};

interface ProjectConfig {
  readonly references?: readonly { readonly path: string }[];
}

/** Whether the compiler's references match npm's dependencies. */
export const referenceProblems = (owner: Package, packages: readonly Package[]): readonly string[] => {
  const config = readJson(join(owner.folder, 'tsconfig.lib.json')) as ProjectConfig;
  const referenced = new Set((config.references ?? []).map(({ path }) => resolve(owner.folder, path, '..')));
  const wanted = packages.filter(({ name }) => owner.dependencies.includes(name));
  return [
    ...wanted
      .filter(({ folder }) => !referenced.has(folder))
      .map(({ name }) => `${owner.name}: tsconfig.lib.json lacks a reference to ${name}`),
    ...[...referenced]
      .filter((folder) => !wanted.some((each) => each.folder === folder))
      .map((folder) => `${owner.name}: tsconfig.lib.json refers to ${relative(root, folder)}, no dependency`),
  ];
};
