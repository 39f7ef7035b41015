/**
 * Uses of handles, parameters, plans and targets: the right ones run, and each of the wrong ones is an error of the compiler,
 * which fails where an `@ts-expect-error` has nothing to expect.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extendRegistry, printModule, verify } from '@sconv/ir';
import { transformDialectOf } from '@sconv/transform';
import { schedule } from 'sconv';
import { registry } from './support/registry.ts';
import { foreignOps, rightSchedules, rightValues } from './support/right-uses.ts';

const extended = extendRegistry(registry, [transformDialectOf(foreignOps)]);

describe('uses that the compiler accepts', () => {
  it.each(Object.entries(rightSchedules))('record a schedule that is verified: %s', (_, use) => {
    const { module } = schedule(($) => {
      use($);
    });
    expect(verify(module, extended)).toEqual([]);
    expect(printModule(module, { registry: extended })).toContain('transform.');
  });

  it.each(Object.entries(rightValues))('give a value: %s', (_, use) => {
    expect(use()).toBeDefined();
  });

  it('are at least 30, and so are those that it refuses', () => {
    const wrong = readFileSync(new URL('support/wrong-uses.ts', import.meta.url), 'utf8');
    expect(Object.keys({ ...rightSchedules, ...rightValues }).length).toBeGreaterThanOrEqual(30);
    expect(wrong.match(/@ts-expect-error /g)!.length).toBeGreaterThanOrEqual(30);
  });
});
