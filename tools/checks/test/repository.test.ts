/** The repository as a whole: what must not be in it. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { output, repositoryFiles, run } from '../support/command.ts';
import type { Source } from '../support/import-graph.ts';
import { readSources, readTypeScript } from '../support/import-graph.ts';
import type { Manifest } from '../support/packages.ts';
import { readJson, readPackages, root } from '../support/packages.ts';

/** The text files of the repository. */
const trackedTexts = async (): Promise<readonly { readonly path: string; readonly text: string }[]> =>
  (await repositoryFiles())
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));

it('names no folder of a machine', async () => {
  const home = /(?<![\w.])\/(?:home|Users)\/\w|[A-Z]:\\Users\\/;
  const here = root.slice(0, -1);
  const found = (await trackedTexts()).flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, i) => (home.test(line) || line.includes(here) ? [`${path}:${i + 1}: ${line}`] : [])),
  );
  expect(found).toEqual([]);
});

it('has a lock file without addresses, for every registry', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:|registry/);
});

it('has a lock file that knows what the packages depend on', () => {
  const { packages } = readJson(join(root, 'package-lock.json')) as {
    packages: Readonly<Record<string, Partial<Manifest> | undefined>>;
  };
  for (const { folder, manifest } of readPackages()) {
    const declared = ({ dependencies, peerDependencies, devDependencies }: Partial<Manifest>) => ({
      folder,
      dependencies: dependencies ?? {},
      peerDependencies: peerDependencies ?? {},
      devDependencies: devDependencies ?? {},
    });
    expect(declared(packages[relative(root, folder)] ?? {})).toEqual(declared(manifest));
  }
});

it('releases all packages together, under one version', () => {
  const { fixed } = readJson(join(root, '.changeset/config.json')) as { fixed: unknown };
  expect(fixed).toEqual([['sconv', '@sconv/*']]);
  const versions = new Set(readPackages().map(({ manifest }) => manifest.version));
  expect(versions.size).toBe(1);
});

it('has changesets that each say what changes for which packages', async () => {
  const names = new Set(readPackages().map(({ manifest }) => manifest.name));
  const texts = (await trackedTexts()).filter(
    ({ path }) => path.startsWith('.changeset/') && path.endsWith('.md') && !path.endsWith('README.md'),
  );
  const wrong = texts.filter(({ text }) => {
    const [, releases] = /^---\n([^]+?)\n---\n\n\S/.exec(text) ?? [];
    const isRelease = (line: string): boolean => {
      const [, , name] = /^(['"]?)([@\w/-]+)\1: (?:patch|minor|major)$/.exec(line) ?? [];
      return name !== undefined && names.has(name);
    };
    return releases?.split('\n').every(isRelease) !== true;
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
  expect(texts.length).toBeGreaterThan(0);
});

it('names the documents that tests read in what their results depend on', () => {
  const folders = [...readPackages().map(({ folder }) => folder), join(root, 'tools/integration')];
  const missing = folders.flatMap((folder) => {
    const { nx } = readJson(join(folder, 'package.json')) as Manifest;
    const inputs = nx.targets?.['test']?.inputs ?? [];
    return readTypeScript(join(folder, 'test')).flatMap(({ path, text }) =>
      [...text.matchAll(/['"`]((?:\.\.\/)+(docs|examples|packages|README)\b)/g)]
        // The package's own files are among the inputs.
        .filter((match) => !resolve(path, '..', match[1] ?? '').startsWith(folder))
        .map((match) => match[2] ?? '')
        .filter((name) => !inputs.some((input) => input.startsWith(`{workspaceRoot}/${name}`)))
        .map((name) => `${relative(root, path)} reads ${name}`),
    );
  });
  expect(missing).toEqual([]);
});

/** The lines of a source that are within the text of a program, or a pattern, which cannot be broken. */
const linesOfText = ({ path, text }: Source): ReadonlySet<number> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    const [first, last] = [lineOf(node.getStart(file)), lineOf(node.end)];
    const isText = ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
    if (ts.isRegularExpressionLiteral(node) || (isText && last > first))
      for (let line = first; line <= last; line++) lines.add(line);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
};

it('has lines of 120 columns at most in the sources', () => {
  const long = readPackages()
    .flatMap((each) => readSources(each, 'src'))
    .flatMap((source) =>
      source.text.split('\n').flatMap((line, i) => {
        const isLong = line.length > 120 && !line.includes('eslint-disable') && !linesOfText(source).has(i);
        return isLong ? [`${relative(root, source.path)}:${i + 1}`] : [];
      }),
    );
  expect(long).toEqual([]);
});

/** Older subjects are longer. */
const subjectsCheckedAfter = '97b2b0cbe5d9a924f640e4eebe7e327483b89a98';

it('has commits with subjects of 72 characters at most', async () => {
  const known = await run(root, 'git', 'cat-file', '-e', `${subjectsCheckedAfter}^{commit}`);
  // A shallow clone has no history to check.
  const range = known.code === 0 ? `${subjectsCheckedAfter}..HEAD` : '-1';
  const subjects = await output(root, 'git', 'log', '--no-merges', '--format=%s', range);
  expect(subjects.split('\n').filter((subject) => subject.length > 72)).toEqual([]);
});

it('pins what it develops with', () => {
  const { devDependencies } = readJson(join(root, 'package.json')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const loose = Object.entries(devDependencies).filter(
    ([name, version]) => !name.startsWith('@types/') && !/^(npm:.*@)?\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
});
