/** A package's own tests provoke every failure code that its sources name, and no other. */
import { describe, expect, it } from 'vitest';
import { instrument } from '../vitest/instrument.ts';
import { namedCodes, provokedCodes } from '../support/failure-codes.ts';
import { readSources } from '../support/import-graph.ts';
import { readPackages } from '../support/packages.ts';

/** The packages, each with the distinct codes that it names. */
const owners = readPackages().map((owner) => ({
  name: owner.name,
  folder: owner.folder,
  named: [...new Set(readSources(owner, 'src').flatMap(namedCodes))],
}));
const known = new Set(owners.flatMap(({ named }) => named));

describe.each(owners)('$name', ({ folder, named }) => {
  const provoked = provokedCodes(folder);

  it('was tested in this run', () => {
    expect(provoked, '`npm test` records which failures the tests provoke').toBeDefined();
  });
  it('has a test that provokes each failure that its sources name', () => {
    const missing = named.filter((code) => !provoked?.includes(code));
    expect(missing).toEqual([]);
  });
  it('makes no other code, those of failures that tests make up apart', () => {
    const unknown = provoked?.filter((code) => !known.has(code) && !code.startsWith('test/'));
    expect(unknown).toEqual([]);
  });
});

describe('the check itself', () => {
  it.each([
    ['an argument', "fail('split/dynamic', 'why');", ['split/dynamic']],
    ['a key', "const failures = { 'split/dynamic': { mode: 'silenceable' } };", ['split/dynamic']],
    ['a type', "type Code = 'split/dynamic' | 'split/index';", ['split/dynamic', 'split/index']],
    ['no path of a module', "import { split } from 'packages/splitting';", []],
    ['no comment', '// as split/dynamic', []],
    ['no sentence', "error(code, 'read/write is not one');", []],
  ])('sees %s', (_, text, codes) => {
    expect(namedCodes({ path: 'a.ts', text })).toEqual(codes);
  });
  it.each([
    [
      "f({ code: 'split/dynamic', message });",
      "f({ code: globalThis.recordFailureCode('split/dynamic'), message });",
    ],
    ['f({ severity, code });', 'f({ severity, code: globalThis.recordFailureCode(code) });'],
    ['this.code = code;', 'this.code = globalThis.recordFailureCode(code);'],
    ['interface Problem { readonly code: string }', 'interface Problem { readonly code: string }'],
    ['const { code } = problem;', 'const { code } = problem;'],
  ])('records %s', (text, instrumented) => {
    expect(instrument('a.ts', text)).toBe(instrumented);
  });
});
