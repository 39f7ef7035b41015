import { describe, expect, it } from 'vitest';
import {
  anyType,
  createRegistry,
  defineOp,
  effectsOf,
  extendRegistry,
  implement,
  isErasable,
  memoryEffects,
  variadic,
} from '../src/index.ts';
import type { MemoryEffect, Trait } from '../src/index.ts';
import { parse, registry as testRegistry } from './test-dialect.ts';

const op = (
  name: string,
  kinds: readonly MemoryEffect['kind'][] | undefined,
  traits: readonly Trait[] = [],
) =>
  defineOp({
    name: `e.${name}`,
    summary: name,
    operands: { operands: variadic(anyType) },
    results: { results: variadic(anyType) },
    regions: ['regions...'],
    traits,
    interfaces:
      kinds === undefined
        ? []
        : [
            implement(memoryEffects, ({ operands, results }) =>
              kinds.map((kind) => ({ kind, value: (kind === 'allocate' ? results : operands)[0]! })),
            ),
          ],
  });

const registry = extendRegistry(testRegistry, [
  {
    name: 'e',
    operations: [
      op('pure', undefined, ['pure']),
      op('unknown', undefined),
      op('read', ['read']),
      op('write', ['write']),
      op('update', ['read', 'write']),
      op('new', ['allocate']),
      op('free', ['free']),
      op('body', undefined, ['recursive-effects']),
      op('reading_body', ['read'], ['recursive-effects']),
      op('end', undefined, ['pure', 'terminator']),
      op('name', [], ['symbol']),
      op('asks', undefined),
    ],
  },
]);

/** The last op of the text, in the generic form. */
const lastOf = (text: string) =>
  parse(`%m = "e.new"() : () -> i32\n${text}`).root.regions[0]!.blocks[0]!.operations.at(-1)!;
const kinds = (text: string) => effectsOf(registry, lastOf(text))?.map(({ kind }) => kind);
const body = (name: string, ...lines: readonly string[]) =>
  `"e.${name}"(%m) ({\n${lines.join('\n')}\n}) : (i32) -> ()`;
const unary = (name: string) => `"e.${name}"(%m) : (i32) -> ()`;

describe('effectsOf', () => {
  it.each<[text: string, expected: readonly string[] | undefined]>([
    [unary('pure'), []],
    [unary('read'), ['read']],
    [unary('update'), ['read', 'write']],
    [unary('unknown'), undefined],
    ['"other.op"() : () -> ()', undefined],
    [body('body'), []],
    [body('body', unary('read'), unary('write')), ['read', 'write']],
    [body('body', body('body', unary('write'))), ['write']],
    [body('body', unary('read'), unary('unknown')), undefined],
    [body('reading_body', unary('write')), ['read', 'write']],
    [body('reading_body', unary('unknown')), undefined],
    // Its model covers its regions too, since no trait includes their effects.
    [body('read', unary('write')), ['read']],
  ])('%s', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it('names the buffer', () => {
    const read = lastOf(unary('read'));
    expect(effectsOf(registry, read)).toEqual([{ kind: 'read', value: read.operands[0] }]);
  });
});

describe('isErasable', () => {
  it.each([
    [unary('pure'), true],
    [unary('read'), true],
    ['%n = "e.new"() : () -> i32', true],
    [body('body', unary('read')), true],
    [unary('write'), false],
    [unary('update'), false],
    [unary('free'), false],
    [body('body', unary('write')), false],
    // The inner allocation is not a result of the op itself.
    [body('body', '%n = "e.new"() : () -> i32'), false],
    [unary('unknown'), false],
    ['"other.op"() : () -> ()', false],
    ['"e.end"() : () -> ()', false],
    ['"e.name"() : () -> ()', false],
  ])('%s: %s', (text, expected) => {
    expect(isErasable(registry, lastOf(text))).toBe(expected);
  });

  it('assumes nothing in a registry without definitions', () => {
    expect(isErasable(createRegistry([]), lastOf(unary('pure')))).toBe(false);
  });
});
