import { firstDifference } from '@sconv/interpreter/testing';
import { printModule } from '@sconv/ir';
import { findTarget } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { compileModule, defaultRegistry, integerData, parseModule, unwrap } from '../src/index.ts';
import { withPackedPlanes } from '../src/packed-planes.ts';
import { workers } from './support/workers.ts';

/** A depthwise convolution of this many channels, or a pooling, of a padded input. */
const layer = (
  op: 'depthwise_conv_2d_nchw_chw' | 'pooling_nchw_max',
  channels: number,
  stride = 2,
): string => {
  const other = op === 'pooling_nchw_max' ? '3x3' : `${channels}x3x3`;
  const rows = stride === 2 ? 4 : 7;
  const [input, padded, out] = [`7x7`, `9x9`, `${rows}x${rows}`].map(
    (plane) => `tensor<1x${channels}x${plane}xf32>`,
  );
  return `func.func @f(%x: ${input}, %k: tensor<${other}xf32>, %out: ${out}) -> ${out} {
    %zero = arith.constant 0.0 : f32
    %in = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%n: index, %c: index, %h: index, %w: index):
      tensor.yield %zero : f32
    } : ${input} to ${padded}
    %start = linalg.fill ins(%zero : f32) outs(%out : ${out}) -> ${out}
    %0 = linalg.${op} {strides = dense<${stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%in, %k : ${padded}, tensor<${other}xf32>) outs(%start : ${out}) -> ${out}
    return %0 : ${out}
  }`;
};

const parse = (text: string) => unwrap(parseModule(text, { registry: defaultRegistry }));
const options = { registry: defaultRegistry };
const [wasm, native] = ['wasm', 'avx2'].map((name) => findTarget(name)!);

describe('depthwise convolutions and poolings', () => {
  it.each([
    ['a convolution of strides', layer('depthwise_conv_2d_nchw_chw', 6)],
    ['a convolution', layer('depthwise_conv_2d_nchw_chw', 6, 1)],
    ['a pooling', layer('pooling_nchw_max', 6)],
  ])('are computed plane by plane, without a padded input: %s', (_, text) => {
    const module = parse(text);
    for (const target of [wasm!, native!])
      for (const threads of [1, 2, 4]) {
        const after = unwrap(withPackedPlanes(module, { target, threads }, options));
        const printed = printModule(after, options);
        expect(printed).not.toContain('tensor.pad');
        expect(printed.includes('scf.forall')).toBe(threads > 1);
        // One row of windows natively.
        expect(printed.includes('tensor.collapse_shape')).toBe(target === native);
        expect(firstDifference(module, after)).toBeUndefined();
      }
  });

  it.each([
    [
      'unpadded, side by side',
      (text: string) => text.replace(/ins\(%in, /, 'ins(%y, ').replace('%x:', '%y: tensor<1x6x9x9xf32>, %x:'),
      1,
    ],
    ['on sizes that are not known', (text: string) => text.replaceAll('1x6x7x7', '1x6x?x7'), 1],
  ])('stay as they are %s', (_, change, stride) => {
    const module = parse(change(layer('depthwise_conv_2d_nchw_chw', 6, stride)));
    expect(printModule(unwrap(withPackedPlanes(module, { target: wasm! }, options)), options)).toContain(
      'linalg.depthwise_conv_2d_nchw_chw',
    );
  });

  it('have the same bits on several threads', async () => {
    const module = parse(layer('depthwise_conv_2d_nchw_chw', 6));
    const data = [294, 54, 96].map((length, i) => integerData(length, i + 1).map((each) => each / 7));
    const results = [];
    for (const threads of [1, 2]) {
      const compiled = unwrap(await compileModule(module, { threads, ...(threads > 1 && { workers }) }));
      const [result] = await compiled.runAsync('f', ...data);
      results.push([...(result as Float32Array)]);
      compiled.dispose();
    }
    expect(results[1]).toEqual(results[0]);
  });
});
