import { avx2, derive, wasm, wasmRelaxed } from '@sconv/targets';
import { supportsRelaxedSimd } from '@sconv/wasm';
import { describe, expect, it } from 'vitest';
import { convolve } from '../src/index.ts';
import { checkedSpec } from '../src/convolution-spec.ts';
import type { ConvolutionSpec } from '../src/convolution-spec.ts';

const [input, filters] = [
  [1, 2, 8, 9],
  [4, 2, 3, 3],
] as const;

const complete: Required<ConvolutionSpec> = {
  input,
  filters,
  strides: [2, 1],
  dilations: [1, 2],
  target: wasm,
  edges: 'scalar',
};

describe('options', () => {
  it('have defaults', () => {
    expect(checkedSpec({ input, filters })).toEqual({
      input,
      filters,
      strides: [1, 1],
      dilations: [1, 1],
      target: wasm,
      edges: 'small',
    });
  });
  it('stay as they are given', () => {
    expect(checkedSpec(complete)).toEqual(complete);
  });
  it('may be undefined', () => {
    const spec = { input, filters, strides: undefined, stride: undefined } as unknown as ConvolutionSpec;
    expect(checkedSpec(spec).strides).toEqual([1, 1]);
  });
  it('may be a target of the caller', () => {
    const own = derive(wasm, (draft) => {
      draft.name = 'mine';
    });
    expect(checkedSpec({ ...complete, target: own }).target).toBe(own);
  });
});

describe('a mistake', () => {
  const sizes = (name: string, parts: string, found: string): string =>
    `compileConvolution: error: '${name}' is [${parts}], positive integers, not ${found} [sconv/option]`;
  const target = (found: string): string =>
    `compileConvolution: error: 'target' is a WebAssembly target (wasm, wasm-relaxed), not ${found} [sconv/option]`;
  it.each([
    [
      { stride: 2 },
      "compileConvolution: error: no option 'stride'; there are input, filters, strides, dilations, target, edges; did " +
        "you mean 'strides'? [sconv/unknown-option]",
    ],
    [{ padding: [1, 1] }, /no option 'padding'; .*, edges \[sconv\/unknown-option\]$/],
    [{ strides: [2] }, sizes('strides', 'height, width', '[2]')],
    [{ strides: 2 }, sizes('strides', 'height, width', '2')],
    [{ strides: [1, 0] }, sizes('strides', 'height, width', '[1, 0]')],
    [{ dilations: [1, 1.5] }, sizes('dilations', 'height, width', '[1, 1.5]')],
    [{ dilations: '1x1' }, sizes('dilations', 'height, width', "'1x1'")],
    [{ input: [1, 2, 8] }, sizes('input', 'batch, channels, height, width', '[1, 2, 8]')],
    [{ input: undefined }, sizes('input', 'batch, channels, height, width', 'undefined')],
    [{ filters: '4x2x3x3' }, sizes('filters', 'filters, channels, height, width', "'4x2x3x3'")],
    [{ filters: [4, 2, -3, 3] }, sizes('filters', 'filters, channels, height, width', '[4, 2, -3, 3]')],
    [{ target: avx2 }, target("target 'avx2'")],
    [{ target: 'avx2' }, target("'avx2'; target('avx2') gives one")],
    [{ target: 'vax' }, target("'vax'")],
    [{ target: wasm.machine }, target("machine 'wasm-generic'")],
    [
      { edges: 'foo' },
      "compileConvolution: error: 'edges': no kind of edges 'foo'; there are small, scalar [sconv/option]",
    ],
    [{ edges: 'smal' }, /; did you mean 'small'\? \[sconv\/option\]$/],
    [
      { filters: [4, 3, 3, 3] },
      'compileConvolution: error: filters of 3 channels do not fit an input of 2 [sconv/channels]',
    ],
  ])('%j is named', (change, message) => {
    const call = () => checkedSpec({ ...complete, ...change } as unknown as ConvolutionSpec);
    expect(call).toThrow(expect.objectContaining({ name: 'DiagnosticError' }));
    expect(call).toThrow(message);
  });
  it.each([undefined, null, 7])('%s is not even an object', (spec) => {
    expect(() => checkedSpec(spec as unknown as ConvolutionSpec)).toThrow(
      'expected an object of options, not',
    );
  });
  it.skipIf(supportsRelaxedSimd())('is a target that this engine cannot run', () => {
    expect(() => checkedSpec({ ...complete, target: wasmRelaxed })).toThrow(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ code: 'sconv/no-relaxed-simd' })] }),
    );
  });
  it('reaches who convolves', () => {
    const one = { shape: [1, 1, 1, 1] as const, data: Float32Array.of(1) };
    expect(() => convolve(one, one, { edges: 'foo' } as unknown as { edges: 'small' })).toThrow(
      "no kind of edges 'foo'",
    );
  });
});
