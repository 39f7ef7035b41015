/** The registry of the language server, beside the whole one. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Registry } from '@sconv/ir';
import { diagnostics, openDocument } from '@sconv/language';
import { defaultRegistry } from '../src/default-registry.ts';
import { languageRegistry } from '../src/language-registry.ts';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));

it('has every operation', () => {
  const names = (registry: Registry) => [...registry.operations.keys()].sort();
  expect(names(languageRegistry)).toEqual(names(defaultRegistry));
});

describe('tells the same of', () => {
  const inOrder = readdirSync(examples).filter((name) => name.endsWith('.mlir'));
  // A word missing here and there: errors of every kind.
  const damaged = (text: string): string =>
    text
      .split('\n')
      .map((line, i) => (i % 7 === 3 ? line.replace(/\b\w+\b/, '') : line))
      .join('\n');

  it.each(inOrder)('%s, whole and damaged', (name) => {
    const text = readFileSync(`${examples}/${name}`, 'utf8');
    for (const each of [text, damaged(text)]) {
      const told = (registry: Registry) => diagnostics(openDocument(each, { registry }));
      expect(told(languageRegistry)).toEqual(told(defaultRegistry));
    }
  });
});
