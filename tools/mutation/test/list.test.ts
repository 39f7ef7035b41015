import { expect, it } from 'vitest';
import { apply, entryOf, locate, parses } from '../list.mjs';

const text = 'const a = b + c;\n  const d = e + f;\nconst g = 1;\n';

it.each([
  ['e + f', 'e - f', { start: 31, end: 32, replacement: '-', operator: 'given' }],
  ['g = 1', 'g = 12', { start: 46, end: 47, replacement: '12', operator: 'given' }],
])('finds %s → %s', (find, replace, mutant) => {
  expect(locate(text, { file: 'a.ts', find, replace })).toEqual(mutant);
});

it.each([
  ['x + y', 'its text does not occur'],
  ['', 'its text does not occur'],
  [' + ', 'its text occurs more than once'],
  ['b + c', 'it does not parse'],
])('loses %j: %s', (find, why) => {
  expect(locate(text, { file: 'a.ts', find, replace: '' })).toBe(why);
});

it.each([
  ['a line', 'const a = b + c;\nf(1);\n', 'b + c', 'b - c'],
  ['an indented line', '{\n  f(1);\n}\n', 'f(1)', 'f(2)'],
  ['the second of two equal lines', 'if (a) {\n  f(1);\n}\nif (b) {\n  f(1);\n}\n', 'f(1)', 'f(2)'],
  ['several lines', 'if (a) {\n  f(1);\n}\n', '{\n  f(1);\n}', '{}'],
])('an entry means its mutant again: %s', (_, source, original, replacement) => {
  const start = source.lastIndexOf(original);
  const mutant = { start, end: start + original.length, replacement, operator: 'given' };
  const found = locate(source, entryOf('a.ts', source, mutant));
  if (typeof found === 'string') throw new Error(found);
  expect(apply(source, found)).toBe(apply(source, mutant));
});

it.each([
  ['const a: number = 1;', true],
  ['const a: = 1;', false],
  ['a && b ?? c;', false],
])('whether %s parses', (source, expected) => {
  expect(parses(source)).toBe(expected);
});
