import { expect, it } from 'vitest';
import type { Dialect } from '../src/index.ts';
import { createRegistry, defineOp, extendRegistry } from '../src/index.ts';

const op = (name: string, summary = name) => defineOp({ name, summary });
const base = createRegistry([
  { name: 'a', operations: [op('a.x'), op('a.y')], attributeBody: (body) => body.toUpperCase() },
  { name: 'b', operations: [op('b.x')] },
]);

it('knows dialects and operations by name', () => {
  expect([...base.dialects.keys()]).toEqual(['a', 'b']);
  expect([...base.operations.keys()]).toEqual(['a.x', 'a.y', 'b.x']);
});

it('joins dialects of one name, so that it may be extended again', () => {
  const twice = createRegistry([
    { name: 'a', operations: [op('a.x')], attributeBody: (body) => body.toUpperCase() },
    { name: 'a', operations: [op('a.y')] },
  ]);
  expect([...extendRegistry(twice, []).operations.keys()]).toEqual(['a.x', 'a.y']);
  expect(twice.dialects.get('a')?.attributeBody?.('k')).toBe('K');
  const again = createRegistry([...twice.dialects.values(), ...twice.dialects.values()]);
  expect(again.dialects.get('a')?.operations).toHaveLength(2);
});

it('is extended by operations of a known dialect and by new dialects; later definitions win', () => {
  const more: readonly Dialect[] = [
    { name: 'a', operations: [op('a.y', 'another'), op('a.z')] },
    { name: 'c', operations: [op('c.x')] },
  ];
  const extended = extendRegistry(base, more);
  expect([...extended.dialects.keys()]).toEqual(['a', 'b', 'c']);
  expect([...extended.operations.keys()]).toEqual(['a.x', 'a.y', 'a.z', 'b.x', 'c.x']);
  expect(extended.operations.get('a.y')?.summary).toBe('another');
  expect(extended.dialects.get('a')?.operations.map(({ name }) => name)).toEqual(['a.x', 'a.y', 'a.z']);
  expect(extended.dialects.get('a')?.attributeBody?.('k')).toBe('K');
  expect([...base.operations.keys()]).toEqual(['a.x', 'a.y', 'b.x']);
});
