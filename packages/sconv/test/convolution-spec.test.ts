import { success } from '@sconv/diagnostics';
import { derive, wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { convolve } from '../src/index.ts';
import { checkedSpec } from '../src/convolution-spec.ts';
import type { ConvolutionSpec } from '../src/convolution-spec.ts';

const [input, filters] = [
  [1, 2, 8, 9],
  [4, 2, 3, 3],
] as const;

const padding = { top: 0, bottom: 1, left: 2, right: 3 };

const complete: Required<ConvolutionSpec> = {
  input,
  filters,
  elementType: 'f32',
  layout: 'nchw',
  bias: true,
  residual: false,
  activation: { clamp: [-1, 0.5] },
  strides: [2, 1],
  dilations: [1, 2],
  padding,
  accumulate: false,
  groups: 1,
  target: wasm,
  backends: [],
  schedule: 'ws',
  costModel: 'traffic',
  edges: 'scalar',
  tuned: { kind: 'tuned-plans', target: 'wasm', planOf: () => success(undefined) },
  threads: 2,
  workers: () => {
    throw new Error('nothing is loaded here');
  },
  signal: { aborted: false },
  heapBytes: 65_536,
};

describe('options', () => {
  it('have defaults', () => {
    expect(checkedSpec({ input, filters })).toEqual({
      input,
      filters,
      elementType: 'f32',
      layout: 'nchw',
      bias: false,
      residual: false,
      clamp: [-Infinity, Infinity],
      strides: [1, 1],
      dilations: [1, 1],
      padding: { top: 0, bottom: 0, left: 0, right: 0 },
      accumulate: true,
      groups: 1,
      target: wasm,
    });
  });
  it('stay as they are given', () => {
    const { activation: _, ...others } = complete;
    expect(checkedSpec(complete)).toEqual({ ...others, clamp: [-1, 0.5] });
  });
  it.each([
    ['relu', [0, Infinity]],
    ['relu6', [0, 6]],
    [{ clamp: [-Infinity, -1] }, [-Infinity, -1]],
    [{ clamp: [3, 3] }, [3, 3]],
  ] as const)('may name an activation: %j', (activation, clamp) => {
    expect(checkedSpec({ ...complete, activation }).clamp).toEqual(clamp);
  });
  it('give sizes in the order of the layout', () => {
    const spec = { input: [1, 8, 9, 6], filters: [3, 2, 1, 12], layout: 'nhwc', groups: 6 } as const;
    expect(checkedSpec(spec)).toMatchObject(spec);
  });
  it('may give padding for both sides at once', () => {
    const expected = { top: 2, bottom: 2, left: 0, right: 0 };
    expect(checkedSpec({ ...complete, padding: [2, 0] }).padding).toEqual(expected);
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
  const noTarget = (found: string): string =>
    `compileConvolution: error: 'target' is a target of @sconv/targets, not ${found} [sconv/option]`;
  const noPadding = (found: string): string =>
    `compileConvolution: error: 'padding' is [height, width] or { top, bottom, left, right }, integers from 0, not ${found} [sconv/option]`;
  const noActivation = (found: string): string =>
    `compileConvolution: error: 'activation' is 'relu', 'relu6' or { clamp: [low, high] } with low <= high, low below Infinity and high above -Infinity, not ${found} [sconv/option]`;
  it.each([
    [
      { elementType: 'float32' },
      "'elementType': no element type 'float32'; there are f32, f64, f16, bf16, i8 [sconv/option]",
    ],
    [{ elementType: 32 }, "'elementType': no element type 32 [sconv/option]"],
    [
      { layout: 'NHWC' },
      "'layout': no layout 'NHWC'; there are nchw, nhwc; did you mean 'nhwc'? [sconv/option]",
    ],
    [{ bias: [1, 2, 3, 4] }, "'bias' is true or false, not [1, 2, 3, 4] [sconv/option]"],
    [{ residual: 1 }, "'residual' is true or false, not 1 [sconv/option]"],
    [{ activation: 'gelu' }, noActivation("'gelu'")],
    [{ activation: null }, noActivation('null')],
    [{ activation: {} }, noActivation('an object')],
    [{ activation: { clamp: [0] } }, noActivation('{ clamp: [0] }')],
    [{ activation: { clamp: [1, 0] } }, noActivation('{ clamp: [1, 0] }')],
    [{ activation: { clamp: [0, NaN] } }, noActivation('{ clamp: [0, NaN] }')],
    [{ activation: { clamp: [Infinity, Infinity] } }, noActivation('{ clamp: [Infinity, Infinity] }')],
    [{ activation: { clamp: [-Infinity, -Infinity] } }, noActivation('{ clamp: [-Infinity, -Infinity] }')],
    [{ elementType: null }, "'elementType': no element type null [sconv/option]"],
    [{ signal: 'x' }, "'signal' is an AbortSignal, not 'x' [sconv/option]"],
    [{ signal: {} }, "'signal' is an AbortSignal, not an object [sconv/option]"],
    [{ backends: new Array(1) }, "'backends' is a list of backends, not "],
    [{ strides: new Array(2) }, "'strides' is [height, width], positive integers, not "],
    [{ padding: new Array(2) }, noPadding('[undefined, undefined]')],
    [{ activation: { clamp: ['0', 1] } }, noActivation("{ clamp: ['0', 1] }")],
    [{ activation: { clamp: [0, 1], alpha: 2 } }, noActivation('{ clamp: [0, 1], alpha: 2 }')],
    [{ backends: 'native' }, "'backends' is a list of backends, not 'native' [sconv/option]"],
    [{ backends: [{}] }, "'backends' is a list of backends, not [an object] [sconv/option]"],
    [
      { elementType: 'i8' },
      "'activation': sums of i8 are i32, so the bounds are integers of 32 bits, not [-1, 0.5] [sconv/option]",
    ],
    [
      { elementType: 'i8', activation: { clamp: [0, 2 ** 31] } },
      'integers of 32 bits, not [0, 2147483648] [sconv/option]',
    ],
    [{ layout: 'nhwc', input: [1, 8, 9] }, sizes('input', 'batch, height, width, channels', '[1, 8, 9]')],
    [{ layout: 'nhwc', filters: 4 }, sizes('filters', 'height, width, channels, filters', '4')],
    [
      { layout: 'nhwc' },
      'compileConvolution: error: filters of 3 channels do not fit an input of 9 [sconv/channels]',
    ],
    [
      { layout: 'nhwc', input: [1, 8, 9, 4], filters: [3, 3, 2, 6], groups: 2 },
      "'groups' of 2 in layout 'nhwc', where there is 1, or one for each of 4 channels; layout 'nchw' has others [sconv/groups]",
    ],
    [{ accumulate: 0 }, "compileConvolution: error: 'accumulate' is true or false, not 0 [sconv/option]"],
    [
      { stride: 2 },
      "compileConvolution: error: no option 'stride'; there are input, filters, elementType, layout, bias, residual, activation, " +
        "strides, dilations, padding, accumulate, groups, target, backends, schedule, costModel, edges, tuned, threads, workers, signal, heapBytes; did you mean 'strides'? [sconv/unknown-option]",
    ],
    [{ threads: 0 }, "'threads' is a positive integer, not 0 [sconv/option]"],
    [{ threads: '2' }, "'threads' is a positive integer, not '2' [sconv/option]"],
    [{ heapBytes: -1 }, "'heapBytes' is a number of bytes, not -1 [sconv/option]"],
    [{ heapBytes: '2 MiB' }, "'heapBytes' is a number of bytes, not '2 MiB' [sconv/option]"],
    [{ paddings: [1, 1] }, /did you mean 'padding'\? \[sconv\/unknown-option\]$/],
    [{ padding: 1 }, noPadding('1')],
    [{ padding: null }, noPadding('null')],
    [{ padding: [1] }, noPadding('[1]')],
    [{ padding: [1, 1, 1, 1] }, noPadding('[1, 1, 1, 1]')],
    [{ padding: [1, -1] }, noPadding('[1, -1]')],
    [{ padding: [0.5, 1] }, noPadding('[0.5, 1]')],
    [{ padding: { top: 1 } }, noPadding('an object')],
    [{ padding: { ...padding, left: -1 } }, noPadding('an object')],
    [{ padding: { ...padding, front: 1 } }, noPadding('an object')],
    [
      { groups: 3 },
      "compileConvolution: error: 'groups' of 3 do not divide 2 channels and 4 filters [sconv/groups]",
    ],
    [
      { groups: 2 },
      'compileConvolution: error: filters of 2 channels do not fit 2 groups of 1 [sconv/channels]',
    ],
    [{ groups: 0 }, "compileConvolution: error: 'groups' is a positive integer, not 0 [sconv/option]"],
    [{ groups: '1' }, "compileConvolution: error: 'groups' is a positive integer, not '1' [sconv/option]"],
    [{ groups: 1.5 }, "compileConvolution: error: 'groups' is a positive integer, not 1.5 [sconv/option]"],
    [
      { schedule: 'os' },
      "compileConvolution: error: 'schedule': no schedule 'os'; there are is, ws; did you mean 'is'? [sconv/option]",
    ],
    [{ schedule: 3 }, "compileConvolution: error: 'schedule': no schedule 3 [sconv/option]"],
    [
      { schedule: { root: {} }, costModel: undefined, edges: undefined, tuned: undefined },
      "compileConvolution: error: 'schedule' is 'is' or 'ws'; compileModule takes others [sconv/option]",
    ],
    [
      { costModel: 'trafic' },
      /^compileConvolution: error: 'costModel': no cost model 'trafic'; .*'traffic'\?/,
    ],
    [{ strides: [2] }, sizes('strides', 'height, width', '[2]')],
    [{ strides: 2 }, sizes('strides', 'height, width', '2')],
    [{ strides: [1, 0] }, sizes('strides', 'height, width', '[1, 0]')],
    [{ dilations: [1, 1.5] }, sizes('dilations', 'height, width', '[1, 1.5]')],
    [{ dilations: '1x1' }, sizes('dilations', 'height, width', "'1x1'")],
    [{ input: [1, 2, 8] }, sizes('input', 'batch, channels, height, width', '[1, 2, 8]')],
    [{ input: undefined }, sizes('input', 'batch, channels, height, width', 'undefined')],
    [{ filters: '4x2x3x3' }, sizes('filters', 'filters, channels, height, width', "'4x2x3x3'")],
    [{ filters: [4, 2, -3, 3] }, sizes('filters', 'filters, channels, height, width', '[4, 2, -3, 3]')],
    [{ target: 'avx2' }, noTarget("'avx2'; target('avx2') gives it")],
    [{ target: 'vax' }, noTarget("'vax'")],
    [{ target: null }, noTarget('null')],
    [{ target: wasm.machine }, noTarget("machine 'wasm-generic'")],
    [
      { edges: 'foo' },
      "compileConvolution: error: 'edges': no kind of edges 'foo'; there are scalar, small, composed, transposed, best [sconv/option]",
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
  it('reaches who convolves', () => {
    const one = { shape: [1, 1, 1, 1] as const, data: Float32Array.of(1) };
    expect(() => convolve(one, one, { edges: 'foo' } as unknown as { edges: 'small' })).toThrow(
      "no kind of edges 'foo'",
    );
  });
});
