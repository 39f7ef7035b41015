/** Masks from a table are those of the comparisons that they replace. */
import { payloadDialects } from '@sconv/dialects';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Module } from '@sconv/ir';
import { createRegistry, edit, parseModule, verify, walk } from '@sconv/ir';
import { avx2, neon, zen4 } from '@sconv/targets';
import { expect, it } from 'vitest';
import { loadMasks } from '../src/mask-table.ts';

const registry = createRegistry(payloadDialects);

/** A function of masks of this type, bounded below, within and above their lanes. */
const masksOf = (type: string): Module => {
  const bounds = [-(2 ** 40), -1, 0, 1, 3, 4, 5, 7, 8, 9, 2 ** 40];
  const rank = type.split('x').length - 1;
  const lines = bounds.map((bound, i) => {
    const each = Array.from({ length: rank }, () => `%b${i}`).join(', ');
    return `%b${i} = arith.constant ${bound} : index\n%r${i} = vector.create_mask ${each} : vector<${type}>`;
  });
  const results = bounds.map((_, i) => `%r${i}`).join(', ');
  const types = bounds.map(() => `vector<${type}>`).join(', ');
  const text = `func.func @f() -> (${types}) {\n${lines.join('\n')}\nreturn ${results} : ${types}\n}`;
  return unwrap(parseModule(text, { registry }));
};

const loaded = (before: Module, { machine }: typeof avx2): Module =>
  edit(before, { registry }, (rewriter) => {
    loadMasks(rewriter, machine.vector!);
  }).module;

const namesIn = (module: Module): readonly string[] => [...walk(module.root)].map(({ name }) => name);

it.each(['1xi1', '4xi1', '5xi1', '8xi1'])('masks of %s are loaded where they are lanes', (type) => {
  const before = masksOf(type);
  const after = loaded(before, avx2);
  expect(verify(after, registry)).toEqual([]);
  expect(firstDifference(before, after)).toBeUndefined();
  expect(namesIn(after)).not.toContain('vector.create_mask');
  expect(namesIn(after).filter((name) => name === 'memref.global')).toHaveLength(1);
});

it.each([
  ['masks of more than a register', '9xi1', avx2],
  ['masks of several dimensions', '2x4xi1', avx2],
  ['masks that have registers of their own', '8xi1', zen4],
  ['masks of units without masked loads', '4xi1', neon],
])('%s are compared', (_, type, target) => {
  const before = masksOf(type);
  expect(namesIn(loaded(before, target))).toEqual(namesIn(before));
});
