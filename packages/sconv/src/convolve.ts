/** The shortest way to a convolution: arrays in, array out. */
import { compileConvolution } from './compile-convolution.ts';
import type { ConvolutionSpec } from './convolution-spec.ts';

/** Row-major elements, and the four sizes. */
export interface Tensor4 {
  readonly shape: readonly [number, number, number, number];
  readonly data: Float32Array;
}

export type ConvolveOptions = Omit<ConvolutionSpec, 'input' | 'filters' | 'accumulate'>;

/**
 * Convolves an input (NCHW) with filters (FCHW) once. Each call compiles anew, which takes longer than most
 * convolutions, and keeps nothing; in a loop, call `compileConvolution`, the first half of this function, outside it.
 * Throws as that does.
 */
export const convolve = (input: Tensor4, filters: Tensor4, options: ConvolveOptions = {}): Tensor4 => {
  const compiled = compileConvolution({
    ...options,
    input: input.shape,
    filters: filters.shape,
    accumulate: false,
  });
  try {
    return { shape: compiled.output, data: compiled.run(input.data, filters.data) };
  } finally {
    compiled.dispose();
  }
};
