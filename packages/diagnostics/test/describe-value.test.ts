import { expect, it } from 'vitest';
import { describeValue } from '../src/index.ts';

const ownElement: unknown[] = [];
ownElement.push(ownElement);

it.each([
  ["'avx2'", 'avx2'],
  [`'${'x'.repeat(60)}'`, 'x'.repeat(60)],
  [`'${'x'.repeat(60)}…'`, 'x'.repeat(61)],
  ['2.5', 2.5],
  ['NaN', NaN],
  ['7n', 7n],
  ['true', true],
  ['undefined', undefined],
  ['null', null],
  ["[2, 'x', [1]]", [2, 'x', [1]]],
  ['[]', []],
  [`[${'1, '.repeat(19)}1,…`, new Array(30).fill(1)],
  // At once, too.
  [`[${'undefined, '.repeat(5)}unde…`, new Array(2 ** 32 - 1)],
  ['[[[[[…]]]]]', ownElement],
  ['a function', () => 1],
  ['an object', {}],
  ['an object', { kind: 7 }],
  ['a map', { kind: 'map' }],
  ["target 'avx2'", { kind: 'target', name: 'avx2' }],
  ['a target', { kind: 'target', name: 2 }],
])('describes %s', (expected, value) => {
  expect(describeValue(value)).toBe(expected);
});
