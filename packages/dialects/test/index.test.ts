/**
 * All operations of all dialects: `operations/` holds at least one of each with every optional part, as mlir-opt-19
 * prints them in the custom and in the generic form; `refused.mlir` holds what it refuses, with its messages.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { render } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule, printModule, walk } from '@sconv/ir';
import { payloadDialects } from '../src/index.ts';
import { registry } from './support.ts';

const folder = join(import.meta.dirname, 'operations');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const names = readdirSync(folder).flatMap((name) => /^([a-z-]+)\.mlir$/.exec(name)?.[1] ?? []);

// Attributes of dialects that are not built in are carried along.
const parseAny = (text: string): Module => {
  const parsed = parseModule(text, { registry, allowUnregisteredDialects: true });
  if (parsed.status !== 'success') throw new Error(parsed.diagnostics.map((d) => render(d)).join('\n'));
  return parsed.value;
};

it('operations/ has every operation', () => {
  const seen = new Set(
    names.flatMap((name) =>
      [...walk(parseAny(read(`${name}.mlir`)).root)].map((operation) => operation.name),
    ),
  );
  const registered = payloadDialects.flatMap((dialect) => dialect.operations.map(({ name }) => name));
  expect(registered.filter((name) => !seen.has(name))).toEqual([]);
});

describe.each(names)('%s', (name) => {
  const [custom, generic] = [read(`${name}.mlir`), read(`${name}.generic.mlir`)];

  it('parses and prints in the custom form', () => {
    expect(printModule(parseAny(custom), { registry })).toBe(custom);
  });

  it('prints in the generic form', () => {
    expect(printModule(parseAny(custom), { registry, generic: true })).toBe(generic);
  });

  it('parses the generic form', () => {
    expect(printModule(parseAny(generic), { registry })).toBe(custom);
    expect(printModule(parseAny(generic), { registry, generic: true })).toBe(generic);
  });
});

describe('refused', () => {
  const chunks = readFileSync(join(import.meta.dirname, 'refused.mlir'), 'utf8').split(/^\/\/ -----\n/m);
  const expected = /expected-error @below \{\{(.*)\}\}$/;

  it.each(
    chunks.map((text, i) => {
      const lines = text.split('\n');
      const line = lines.findIndex((candidate) => expected.test(candidate));
      return { i, text, line: line + 2, message: expected.exec(lines[line] ?? '')?.[1] };
    }),
  )('$i: $message', ({ text, line, message }) => {
    const parsed = parseModule(text, { registry });
    const [first] = parsed.status === 'success' ? [] : parsed.diagnostics;
    expect(first?.message).toBe(message);
    expect(first?.location).toMatchObject({ line });
  });
});
