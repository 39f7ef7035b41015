import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { convolve, defaultRegistry, parseModule, unwrap } from '../src/index.ts';
import { engine } from './support/engine.ts';

describe('convolve', () => {
  it('convolves', () => {
    const input = { shape: [1, 1, 3, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9) } as const;
    const filters = { shape: [1, 1, 2, 2], data: Float32Array.of(1, 0, 0, 1) } as const;
    expect(convolve(input, filters)).toEqual({ shape: [1, 1, 2, 2], data: Float32Array.of(6, 8, 12, 14) });
  });
  it.each([
    [undefined, {}, {}, "expected 'input' as { shape, data }, not undefined"],
    [{}, null, {}, "expected 'filters' as { shape, data }, not null"],
    [{}, {}, 3, 'expected an object of options, not 3'],
  ])('refuses %j, %j, %j', (input, filters, options, message) => {
    const untyped = convolve as (...all: readonly unknown[]) => unknown;
    expect(() => untyped(input, filters, options)).toThrow(message);
  });
  it('starts from zero each time', () => {
    const input = { shape: [1, 1, 2, 2], data: Float32Array.of(1, 2, 3, 4) } as const;
    const filters = { shape: [2, 1, 1, 1], data: Float32Array.of(1, 10) } as const;
    const expected = Float32Array.of(1, 2, 3, 4, 10, 20, 30, 40);
    expect([convolve(input, filters).data, convolve(input, filters).data]).toEqual([expected, expected]);
  });
  it('keeps nothing of a call', () => {
    const { Module } = engine;
    const compile = vi.spyOn(engine, 'Module').mockImplementation(function (bytes) {
      return new Module(bytes);
    });
    onTestFinished(() => {
      compile.mockRestore();
    });
    const input = { shape: [1, 1, 1, 2], data: Float32Array.of(1, 2) } as const;
    const filters = { shape: [1, 1, 1, 1], data: Float32Array.of(3) } as const;
    for (const calls of [1, 2, 3]) {
      expect(convolve(input, filters).data).toEqual(Float32Array.of(3, 6));
      expect(compile).toHaveBeenCalledTimes(calls);
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
