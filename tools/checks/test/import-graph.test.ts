/** The architecture: floors, platforms and declared dependencies, checked on the actual imports. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Package } from '../support/packages.ts';
import { readPackages } from '../support/packages.ts';
import {
  circlesIn,
  entriesLoadedBy,
  packageProblems,
  readSources,
  referenceProblems,
  testProblems,
} from '../support/import-graph.ts';

const packages = readPackages();

/** Mutually recursive grammars, such as types and attributes: functions that call each other, but not at load time. */
const recursive: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '@sconv/affine': [['src/affine-expr.ts', 'src/print.ts']],
  '@sconv/ir': [
    ['src/attribute-parser.ts', 'src/dense-parser.ts', 'src/location-parser.ts', 'src/type-parser.ts'],
    ['src/attribute-printer.ts', 'src/location-printer.ts', 'src/type-printer.ts'],
    ['src/attribute.ts', 'src/type.ts'],
  ],
};

describe.each(packages)('$name', (owner) => {
  it('has no files that need each other when they are loaded', () => {
    const circles = circlesIn(readSources(owner, 'src'), owner.folder);
    expect(circles.map(String).sort()).toEqual((recursive[owner.name] ?? []).map(String).sort());
  });
  it('imports what lies below it, and all that it declares', () => {
    expect(packageProblems(owner, readSources(owner, 'src'), packages)).toEqual([]);
  });
  it('is tested with what lies below it', () => {
    expect(testProblems(owner, readSources(owner, 'test'), packages)).toEqual([]);
  });
  it('is compiled with its dependencies', () => {
    expect(referenceProblems(owner, packages)).toEqual([]);
  });
});

describe('what loads saved programs', () => {
  const common = ['@sconv/backend/runtime', '@sconv/diagnostics', '@sconv/wasm/load'];
  it.each([
    ['sconv/load', common],
    ['sconv/load-node', [...common, '@sconv/lowering/kept-state', '@sconv/native/load']],
  ])('loads no compiler: %s', (entry, loaded) => {
    const found = entriesLoadedBy(entry, packages).filter((name) => !name.startsWith('node:'));
    expect(found).toEqual([...loaded, entry].toSorted());
  });
});

describe('the check itself', () => {
  const named = (name: string): Package => {
    const found = packages.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no package ${name}`);
    return found;
  };
  /** The violations of @sconv/ir with an additional file. */
  const problemsWith = (text: string, declared: readonly string[] = []): readonly string[] => {
    const ir = named('@sconv/ir');
    const owner = { ...ir, dependencies: [...ir.dependencies, ...declared] };
    const added = { path: join(ir.folder, 'src', 'added.ts'), text };
    return packageProblems(owner, [...readSources(ir, 'src'), added], packages);
  };

  it.each([
    ['an import of a higher floor', "import { match } from '@sconv/transform';", ['@sconv/transform']],
    ['an import of the same floor', "import { target } from '@sconv/targets';", ['@sconv/targets']],
    ['an import of types only', "import type { Plan } from '@sconv/csa';", ['@sconv/csa']],
    ['a re-export', "export { match } from '@sconv/transform';", ['@sconv/transform']],
    ['a dynamic import', "await import('@sconv/transform');", ['@sconv/transform']],
    ['an import that is not declared', "import { produce } from 'immer';", []],
    ['a dependency that is not used', '', ['@sconv/targets']],
    ['a relative import of another package', "import { add } from '../../affine/src/index.ts';", []],
    ['a Node built-in', "import { readFileSync } from 'node:fs';", []],
    ['a Node built-in without its prefix', "import { readFileSync } from 'fs';", []],
    ['a module that is not exported', "import { add } from '@sconv/affine/src/index.ts';", []],
    ['its own name', "import { edit } from '@sconv/ir';", []],
  ])('sees %s', (_, text, declared) => {
    expect(problemsWith(text, declared)).toHaveLength(1);
  });
  it.each([
    ["import { b } from './b.ts';", "import { a } from './a.ts';", 1],
    ["export { b } from './b.ts';", "import { a } from './a.ts';", 1],
    ["import './b.ts';", "import { a } from './a.ts';", 1],
    ["import type { b } from './b.ts';", "import { a } from './a.ts';", 0],
    ["export type { b } from './b.ts';", "import { a } from './a.ts';", 0],
    ["import { b } from './b.ts';", "import { c } from './c.ts';", 0],
  ])('sees circles: %s, %s', (a, b, count) => {
    const sources = [
      { path: '/p/src/a.ts', text: a },
      { path: '/p/src/b.ts', text: b },
    ];
    const circles = circlesIn(sources, '/p');
    expect(circles).toEqual(Array(count).fill(['src/a.ts', 'src/b.ts']));
  });
  it('is content without them', () => {
    expect(problemsWith("import { add } from '@sconv/affine';")).toEqual([]);
  });
});
