/** What untyped callers may pass for a module or its text. */
import { success, unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { Module } from '../src/index.ts';
import {
  edit,
  expectRegistry,
  moduleProblem,
  parseModule,
  printModule,
  printOperation,
  tryEdit,
  verify,
} from '../src/index.ts';
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

describe('what has no registry', () => {
  const module = unwrap(parseModule('', { registry }));
  const functions: readonly (readonly [string, (options: never) => unknown])[] = [
    ['parseModule', (options) => parseModule('', options)],
    ['printModule', (options) => printModule(module, options)],
    ['printOperation', (options) => printOperation(module.root, options)],
    ['edit', (options) => edit(module, options, () => 0)],
    ['tryEdit', (options) => tryEdit(module, options, () => success(0))],
  ];
  it.each(functions)('is refused by %s', (name, call) => {
    for (const options of [undefined, null, 0, 'registry'])
      expect(() => call(options as never)).toThrow(
        new TypeError(
          `${name} expects options with a registry, not ${typeof options === 'string' ? `'${options}'` : String(options)}`,
        ),
      );
    for (const [given, said] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [{}, 'an object'],
    ] as const)
      expect(() => call({ registry: given } as never)).toThrow(
        `${name} expects a registry, as createRegistry() makes it, as 'registry', not ${said}`,
      );
  });
  it('is refused by verify', () => {
    expect(() => verify(module, undefined as never)).toThrow(
      /^verify expects a registry, .*, not undefined$/,
    );
    expect(() => verify({} as never, registry)).toThrow(
      'expected a module as what is verified, not an object',
    );
  });
  it('is not a registry', () => {
    expect(() => {
      expectRegistry('f', { registry });
    }).not.toThrow();
  });
});
