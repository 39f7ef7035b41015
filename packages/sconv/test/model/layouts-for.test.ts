/** The layouts of a model of which nothing is said. */
import { success } from '@sconv/diagnostics';
import { avx2, avx512, wasm } from '@sconv/targets';
import { expect, it } from 'vitest';
import { layoutsFor } from '../../src/model/layouts-for.ts';
import type { TunedPlans } from '../../src/tuned-plan.ts';

const tuned: TunedPlans = { kind: 'tuned-plans', target: 'avx2', planOf: () => success(undefined) };

it('are chosen by one thread with AVX2, if plans are not given', () => {
  expect(layoutsFor(avx2)).toBe('chosen');
  expect(layoutsFor(avx2, { threads: 1, tuned: undefined })).toBe('chosen');
  expect(layoutsFor(avx2, { threads: 2 })).toBe('as-given');
  expect(layoutsFor(avx2, { tuned })).toBe('as-given');
  expect([wasm, avx512].map((target) => layoutsFor(target))).toEqual(['as-given', 'as-given']);
});
