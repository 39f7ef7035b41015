import { describe, expect, it } from 'vitest';
import {
  attach,
  createRegistry,
  defineOp,
  extendRegistry,
  implement,
  modelOf,
  opInterface,
  walk,
} from '../src/index.ts';
import type { Attachment, Dialect, Registry } from '../src/index.ts';
import { parse } from './test-dialect.ts';

const shout = opInterface<() => string>('shout');
const whisper = opInterface<() => string>('whisper');

const own = defineOp({
  name: 'x.own',
  summary: 'implements shout itself',
  interfaces: [implement(shout, () => 'OWN')],
});
const bare = defineOp({ name: 'x.bare', summary: 'implements nothing' });
const dialect: Dialect = {
  name: 'x',
  operations: [own, bare],
  attachments: [attach(shout, 'x.bare', () => 'DIALECT')],
};

const operations = [
  ...walk(parse('"x.own"() : () -> ()\n"x.bare"() : () -> ()\n"y.foreign"() : () -> ()').root),
];
const answer = (registry: Registry, name: string): string | undefined =>
  modelOf(
    registry,
    shout,
    operations.find((operation) => operation.name === name)!,
  )?.();

describe('modelOf', () => {
  const over = (...attachments: readonly Attachment[]) => createRegistry([dialect], attachments);

  it.each([
    ['the definition answers', 'x.own', over(), 'OWN'],
    ['what a dialect attaches answers', 'x.bare', over(), 'DIALECT'],
    [
      'what the registry attaches wins over the definition',
      'x.own',
      over(attach(shout, 'x.own', () => 'R')),
      'R',
    ],
    ['and over the dialect', 'x.bare', over(attach(shout, 'x.bare', () => 'R')), 'R'],
    [
      'later attachments win',
      'x.bare',
      over(
        attach(shout, 'x.bare', () => 'A'),
        attach(shout, 'x.bare', () => 'B'),
      ),
      'B',
    ],
    [
      'an op without a definition has what is attached',
      'y.foreign',
      over(attach(shout, 'y.foreign', () => 'F')),
      'F',
    ],
    ['else nothing', 'y.foreign', over(), undefined],
    [
      'another interface of the op is none',
      'x.own',
      createRegistry([{ name: 'x', operations: [bare] }], [attach(whisper, 'x.own', () => 'w')]),
      undefined,
    ],
    [
      'the same name is the same interface',
      'x.own',
      over(attach(opInterface<() => string>('shout'), 'x.own', () => 'S')),
      'S',
    ],
  ])('%s', (_, name, registry, expected) => {
    expect(answer(registry, name)).toBe(expected);
  });

  it('finds what an extended registry had and what it got, of dialects and by hand; the old one stays', () => {
    const base = over(attach(shout, 'x.own', () => 'BASE'));
    const extended = extendRegistry(
      base,
      [{ name: 'x', operations: [], attachments: [attach(shout, 'x.bare', () => 'NEW')] }],
      [attach(shout, 'y.foreign', () => 'HAND')],
    );
    expect(['x.own', 'x.bare', 'y.foreign'].map((name) => answer(extended, name))).toEqual([
      'BASE',
      'NEW',
      'HAND',
    ]);
    expect(['x.own', 'x.bare', 'y.foreign'].map((name) => answer(base, name))).toEqual([
      'BASE',
      'DIALECT',
      undefined,
    ]);
  });
});
