/** WebAssembly computes what the interpreter does: a few programs of the native generator. */
import { expect, it } from 'vitest';
import { sampleOf } from '../src/native-sample.ts';
import { onWasm } from '../src/on-wasm.ts';

it('what the generator draws is computed, or refused by name', () => {
  const outcomes = Array.from({ length: 120 }, (_, index) => {
    const sample = sampleOf(5, index);
    return sample !== undefined && 'program' in sample ? onWasm(sample) : {};
  });
  expect(outcomes.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  const computed = outcomes.filter(({ refused }) => refused === undefined);
  expect(computed.length).toBeGreaterThan(60);
});
