import { expect, it } from 'vitest';
import { calleesFirst } from '../src/index.ts';

const calls = (graph: Readonly<Record<string, string>>) =>
  calleesFirst(Object.keys(graph), (caller) => graph[caller]!);

it.each([
  ['no functions', {}, '', undefined],
  ['no calls', { a: '', b: '' }, 'ab', undefined],
  ['a chain', { a: 'b', b: 'c', c: '' }, 'cba', undefined],
  ['a diamond, with repeated calls', { a: 'bcb', b: 'd', c: 'dd', d: '' }, 'dbca', undefined],
  ['a function that calls itself', { a: '', b: 'b' }, 'a', 'b'],
  ['a caller of recursive functions', { a: 'b', b: 'c', c: 'b', d: '' }, 'd', 'a'],
] as const)('orders %s', (_, graph, ordered, recursive) => {
  const order = calls(graph);
  expect(order.ordered.join('')).toBe(ordered);
  expect(order.recursive).toBe(recursive);
});
