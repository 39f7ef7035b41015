import { describe, expect, it } from 'vitest';
import {
  compileConvolution,
  convolve,
  defaultRegistry,
  integerData,
  parseModule,
  referenceConvolution,
  unwrap,
} from '../src/index.ts';

describe('convolve', () => {
  it('convolves', () => {
    const input = { shape: [1, 1, 3, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9) } as const;
    const filters = { shape: [1, 1, 2, 2], data: Float32Array.of(1, 0, 0, 1) } as const;
    expect(convolve(input, filters)).toEqual({ shape: [1, 1, 2, 2], data: Float32Array.of(6, 8, 12, 14) });
  });
  it('starts from zero each time', () => {
    const input = { shape: [1, 1, 2, 2], data: Float32Array.of(1, 2, 3, 4) } as const;
    const filters = { shape: [2, 1, 1, 1], data: Float32Array.of(1, 10) } as const;
    const expected = Float32Array.of(1, 2, 3, 4, 10, 20, 30, 40);
    expect([convolve(input, filters).data, convolve(input, filters).data]).toEqual([expected, expected]);
  });
  it('forgets shapes that are not used, not their results', () => {
    for (let width = 2; width < 14; width++) {
      const input = { shape: [1, 1, 1, width], data: integerData(width, width) } as const;
      const filters = { shape: [1, 1, 1, 1], data: Float32Array.of(3) } as const;
      expect(convolve(input, filters).data).toEqual(input.data.map((value) => 3 * value));
    }
  });
  it.each([
    ['filters of other channels', [1, 2, 3, 3], /2 channels do not fit/],
    ['filters that are too large', [1, 1, 5, 5], /does not fit/],
    ['no filters', [0, 1, 2, 2], /'filters' is \[.*\], positive integers, not \[0, 1, 2, 2\]/],
  ] as const)('refuses %s', (_, shape, message) => {
    const input = { shape: [1, 1, 3, 3], data: new Float32Array(9) } as const;
    expect(() => convolve(input, { shape, data: new Float32Array(0) })).toThrow(message);
  });
  it('refuses data of another length', () => {
    const filters = { shape: [1, 1, 1, 1], data: new Float32Array(1) } as const;
    expect(() => convolve({ shape: [1, 1, 3, 3], data: new Float32Array(8) }, filters)).toThrow(RangeError);
  });
});

describe('compileConvolution', () => {
  it.each([
    [
      'stride and dilation',
      { input: [1, 3, 11, 14], filters: [5, 3, 3, 2], strides: [2, 3], dilations: [2, 1] },
    ],
    ['a batch', { input: [3, 2, 6, 7], filters: [4, 2, 3, 3] }],
  ] as const)('computes %s', (_, spec) => {
    const compiled = compileConvolution(spec);
    const count = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1);
    const [input, filters, initial] = [spec.input, spec.filters, compiled.output].map((sizes, i) =>
      integerData(count(sizes), i),
    ) as [Float32Array, Float32Array, Float32Array];
    const expected = referenceConvolution(compiled.plan.shape, input, filters, initial);
    expect(compiled.run(input, filters, initial)).toEqual(expected);
    expect(compiled.run(input, filters, initial)).toEqual(expected);
  });
});

describe('defaultRegistry', () => {
  it('knows payloads and schedules', () => {
    for (const text of [
      'func.func @f() { return }',
      'transform.named_sequence @f(%a: !transform.any_op) { transform.yield }',
    ]) {
      expect(unwrap(parseModule(text, { registry: defaultRegistry })).root.name).toBe('builtin.module');
    }
  });
});
