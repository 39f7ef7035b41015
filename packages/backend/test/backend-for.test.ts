import { avx2, derive, wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { backendFor, servedTargets } from '../src/index.ts';
import type { Backend } from '../src/index.ts';
import { scriptBackend } from './script-backend.ts';

const serving = (name: string, isa: string): Backend => ({
  ...scriptBackend,
  name,
  serves: ({ machine }) => machine.isa === isa,
});
const [first, second, x86] = [serving('a', 'wasm32'), serving('b', 'wasm32'), serving('c', 'x86-64')];

describe('the backend for a target', () => {
  it.each([
    [[first, second, x86], wasm, 'a'],
    [[second, first], wasm, 'b'],
    [[first, x86], avx2, 'c'],
    [[first], derive(wasm, (draft) => void (draft.name = 'mine')), 'a'],
  ])('is the first of the list that serves it (%#)', (backends, target, name) => {
    expect(backendFor(target, backends)).toMatchObject({ status: 'success', value: { name } });
  });
  it.each([
    [[first], "no backend generates code for target 'avx2' (x86-64); served are wasm, wasm-relaxed"],
    [[], "no backend generates code for target 'avx2' (x86-64); none is served"],
  ])('is missing with a reason', (backends, message) => {
    expect(backendFor(avx2, backends)).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'backend/no-backend', message, location: { kind: 'name', name: 'avx2' } }],
    });
  });
});

it('the targets that are served are those of any backend', () => {
  const names = (backends: readonly Backend[]) => servedTargets(backends).map(({ name }) => name);
  expect(names([first])).toEqual(['wasm', 'wasm-relaxed']);
  expect(names([first, x86])).toEqual(expect.arrayContaining(['wasm', 'avx2']));
  expect(names([])).toEqual([]);
});
