/** What untyped callers may pass for a module or its text. */
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { Module } from '../src/index.ts';
import { moduleProblem, parseModule, printModule } from '../src/index.ts';
import { registry } from './test-dialect.ts';

describe('what is no module', () => {
  const parsed = parseModule('', { registry });
  it.each<[unknown, string]>([
    ['module {}', "not 'module {}'; parseModule() makes one of a text"],
    [parsed, 'not an object; unwrap() takes the module out of a result'],
    [undefined, 'not undefined'],
    [null, 'not null'],
    [{ root: null }, 'not an object'],
  ])('%j', (value, problem) => {
    expect(moduleProblem(value)).toBe(problem);
    const given = value as Module;
    expect(() => printModule(given, { registry })).toThrow(
      `expected a module as what is printed, ${problem}`,
    );
  });
  it('a module is one', () => {
    expect(moduleProblem(unwrap(parsed))).toBeUndefined();
  });
  it.each([undefined, null, new Uint8Array(2)])('%s is no text', (text) => {
    expect(() => parseModule(text as unknown as string, { registry })).toThrow(/expected MLIR text, not /);
  });
});
