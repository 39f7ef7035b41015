import { describe, expect, it } from 'vitest';
import type { Convolution } from './payloads.ts';
import { apply, convolutionText, sconv } from './payloads.ts';

const shape: Convolution = { channels: 4, filters: 4, filter: [3, 3], output: [4, 6] };
const types = { input: 'i8', filters: 'i8', output: 'i32', zeroPoint: 'i32' };

/** Slices a convolution in pairs; `zeroPoint` replaces the arguments of a quantized one. */
const sliced = (convolution: Convolution, zeroPoint?: number, attributes = ', pairs') => {
  const text = convolutionText(convolution);
  const payload =
    zeroPoint === undefined
      ? text
      : text
          .replace(', %za: i32, %zb: i32', '')
          .replace('{\n', `{\n%za = arith.constant ${zeroPoint} : i32\n%zb = arith.constant 0 : i32\n`);
  return apply(payload, sconv(`{mk_info = [4, 2]${attributes}}`, convolution.op));
};

const quantized = { ...shape, op: 'linalg.conv_2d_nhwc_hwcf_q', element: types } as const;

describe('steps in pairs', () => {
  it('are of two channels, which packing stores side by side', () => {
    const { text, diagnostics } = sliced({ ...shape, element: types });
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor<1x2x3x3x4x2xi16>');
    expect(text).toContain('arith.trunci');
    expect(text).toContain(
      '(d0, d3, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]',
    );
  });

  it.each<[string, Convolution, number | undefined, boolean]>([
    ['channels last', { ...shape, op: 'linalg.conv_2d_nhwc_fhwc', element: types }, undefined, true],
    ['groups', { ...shape, op: 'linalg.conv_2d_ngchw_fgchw', groups: 2, element: types }, undefined, true],
    ['i16', { ...shape, element: { ...types, input: 'i16' } }, undefined, true],
    ['an odd number of channels', { ...shape, channels: 3, element: types }, undefined, false],
    ['i32', { ...shape, element: 'i32' }, undefined, false],
    ['floats', shape, undefined, false],
    ['a zero point', quantized, -128, true],
    ['the largest zero point', quantized, 32640, true],
    ['a zero point beyond', quantized, 32641, false],
    ['a zero point that is not known', quantized, undefined, false],
  ])('with %s', (_, convolution, zeroPoint, isPaired) => {
    const { text, diagnostics } = sliced(convolution, zeroPoint);
    expect(diagnostics).toBe('');
    expect(text.includes('x2xi16>')).toBe(isPaired);
  });

  it('are none in panels, nor where they are not asked for', () => {
    const convolution = { ...shape, element: types };
    expect(sliced(convolution, undefined, ', panels = [2, 2], pairs').text).not.toContain('xi16>');
    expect(sliced(convolution, undefined, '').text).not.toContain('xi16>');
  });
});
