/** Contractions, as planners are given them. */
import { contractionOf, convolution } from '@sconv/csa';
import type { Contraction } from '@sconv/plans';

/** Sizes by the letters of schemes. */
export interface ConvolutionSizes {
  readonly k: number;
  readonly c: number;
  readonly h: number;
  readonly w: number;
  readonly r: number;
  readonly s: number;
  readonly stride?: number;
}

const layouts = {
  nhwc: { input: 'nhwc', filters: 'hwcf', output: 'nhwf' },
  nchw: { input: 'nchw', filters: 'fchw', output: 'nfhw' },
} as const;

export const convolutionOf = (
  { k, c, h, w, r, s, stride = 1 }: ConvolutionSizes,
  layout: keyof typeof layouts = 'nhwc',
): Contraction =>
  contractionOf(
    convolution({
      inputChannels: c,
      inputHeight: (h - 1) * stride + r,
      inputWidth: (w - 1) * stride + s,
      filters: k,
      filterHeight: r,
      filterWidth: s,
      strides: { h: stride, w: stride },
    }),
    layouts[layout],
  );

/** `C[i,j] += A[i,k] · B[k,j]`. */
export const productOf = (i: number, j: number, k: number): Contraction =>
  contractionOf(
    convolution({
      inputChannels: k,
      inputHeight: j,
      inputWidth: 1,
      filters: i,
      filterHeight: 1,
      filterWidth: 1,
    }),
    { input: 'ch', filters: 'fc', output: 'fh' },
  );
