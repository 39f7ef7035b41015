/**
 * The operations of `operations/`, each with one thing changed in every way of `near-misses.ts`. What is rejected is
 * listed in `near-misses/` with the first message. mlir-opt-19 rejects it as well, mostly with the same message,
 * except for what crashes it or what it could not read back: padding, steps of 0, sizes that contradict each other.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { parseModule, printModule, verify } from '@sconv/ir';
import { isolate, nearMissesOf } from './near-misses.ts';
import { registry } from './support.ts';

const folder = join(import.meta.dirname, 'operations');
const names = readdirSync(folder).flatMap((name) => /^([a-z-]+)\.mlir$/.exec(name)?.[1] ?? []);
const options = { registry, allowUnregisteredDialects: true };

/** The operations of a file, deduplicated. */
const operationsOf = (name: string) => {
  const module = unwrap(parseModule(readFileSync(join(folder, `${name}.mlir`), 'utf8'), options));
  const isolated = isolate(module).map((each) => ({ ...each, text: printModule(each.module, { registry }) }));
  return [...new Map(isolated.map((each) => [each.text, each])).values()];
};

const messageOf = (module: Module): string | undefined => verify(module, registry, options)[0]?.message;

// Declarations are tested separately, for all operations.
const isOfDeclaration = (message: string): boolean =>
  /expected \d+( or more)? operands|requires (one|zero|\d+) (result|region)|requires attribute|(operand|result) #\d+ must be|failed to satisfy constraint|does not match with the total size/.test(
    message,
  );

/** Named structured ops are many and alike: try fewer changes, and leave out the sizes in messages. */
const isBrief = (name: string): boolean => name === 'linalg-named';
const listedMessage = (name: string, operation: Operation, message: string): string => {
  const own = message.replace(`'${operation.name}' op `, '');
  return isBrief(name) ? own.replaceAll(/'[^']*'|(?<!#)\b\d+/g, '…') : own;
};

describe.each(names)('%s', (name) => {
  const cases = operationsOf(name).map(({ operation, module, text }) => ({
    operation,
    text,
    misses: nearMissesOf(module, operation, isBrief(name)).map(({ change, module: changed }) => ({
      change,
      changed,
      message: messageOf(changed),
    })),
  }));

  it('stands alone', () => {
    for (const { module, text } of operationsOf(name))
      expect([text, messageOf(module)]).toEqual([text, undefined]);
  });

  it('is refused where it should be', async () => {
    const listed = cases.map(({ operation, text, misses }) => {
      const refused = new Map<string, string[]>();
      for (const { change, message } of misses) {
        if (message === undefined || isOfDeclaration(message)) continue;
        const key = listedMessage(name, operation, message);
        refused.set(key, [...(refused.get(key) ?? []), change]);
      }
      const line = text.split('\n').find((candidate) => candidate.includes(`${operation.name} `));
      const groups = [...refused].map(([message, changes]) => `  ${message}\n    ${changes.join('; ')}\n`);
      return `${(line ?? operation.name).trim()}\n${groups.join('')}`;
    });
    await expect(listed.join('\n')).toMatchFileSnapshot(`near-misses/${name}.txt`);
  });

  it('is printed though it is refused', () => {
    const lost = cases.flatMap(({ operation, misses }) =>
      misses.flatMap(({ change, changed }) => {
        try {
          printModule(changed, { registry });
          return [];
        } catch (error) {
          return [`${operation.name}, ${change}: ${String(error)}`];
        }
      }),
    );
    expect(lost).toEqual([]);
  });

  it('is printed and read again', () => {
    const lost = cases.flatMap(({ operation, misses }) =>
      misses.flatMap(({ change, changed, message }) => {
        if (message !== undefined) return [];
        const text = printModule(changed, { registry });
        const read = parseModule(text, options);
        const again =
          read.status === 'success' ? printModule(read.value, { registry }) : read.diagnostics[0]?.message;
        return again === text ? [] : [`${operation.name}, ${change}: ${again}`];
      }),
    );
    expect(lost).toEqual([]);
  });
});
