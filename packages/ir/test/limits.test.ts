/** Size limits of text: the largest accepted size, and the message for the next. */
import { expect, it } from 'vitest';
import { errorsOf } from './test-dialect.ts';

const nested = (open: string, inner: string, close: string) => (count: number) =>
  `"a.b"() {a = ${open.repeat(count)}${inner}${close.repeat(count)}} : () -> ()`;

it.each<[what: string, of: (count: number) => string, most: number, message: string]>([
  [
    'bits of an integer',
    (count) => `"a.b"() : () -> i${count} `,
    2 ** 24 - 1,
    'integer bitwidth is limited to 16777215 bits [parse/type]',
  ],
  [
    'a line',
    (count) => `"a.b"() : () -> () loc("f":${count}:1)`,
    2 ** 32 - 1,
    'expected integer line number in FileLineColLoc [parse/number]',
  ],
  [
    'a column',
    (count) => `"a.b"() : () -> () loc("f":1:${count})`,
    2 ** 32 - 1,
    'expected integer column number in FileLineColLoc [parse/number]',
  ],
  [
    'digits',
    (count) => `"a.b"() {a = ${'1'.repeat(count)} : i16777215} : () -> ()`,
    5000,
    'integer literal is too long [parse/number]',
  ],
  ['arrays in arrays', nested('[', '1', ']'), 256, 'nesting is deeper than 256 levels [parse/too-deep]'],
  ['dictionaries', nested('{a = ', '1', '}'), 256, 'nesting is deeper than 256 levels [parse/too-deep]'],
  ['types', nested('tuple<', 'i32', '>'), 256, 'nesting is deeper than 256 levels [parse/too-deep]'],
  [
    'function types',
    nested('() -> (', 'i32', ')'),
    256,
    'nesting is deeper than 256 levels [parse/too-deep]',
  ],
  [
    'brackets of a dialect',
    (count) => `"a.b"() {a = #a.b${'<'.repeat(count)}x${'>'.repeat(count)}} : () -> ()`,
    256,
    'nesting is deeper than 256 levels [parse/too-deep]',
  ],
  [
    'aliases, written out',
    (count) =>
      `#s = "${'x'.repeat(2 ** 20 - 2)}" "a.b"() {a = [${Array(count).fill('#s').join()}]} : () -> ()`,
    129,
    "the aliases up to '#s' stand for more than 134217728 characters [parse/alias-size]",
  ],
  [
    'regions',
    (count) => `${'"a.b"() ({ '.repeat(count)}${'}) : () -> () '.repeat(count)}`,
    256,
    'nesting is deeper than 256 levels [parse/too-deep]',
  ],
])('%s', (_, of, most, message) => {
  expect(errorsOf(of(most))).toEqual([]);
  expect(errorsOf(of(most + 1)).map((each) => `${each.message} [${each.code}]`)).toEqual([message]);
});
