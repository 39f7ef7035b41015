/** The shortest way to a convolution: arrays in, array out. */
import type { CompiledConvolution } from './compile-convolution.ts';
import { compileConvolution } from './compile-convolution.ts';
import type { ConvolutionSpec } from './convolution-spec.ts';

/** Elements in row-major order, and the sizes of the four dimensions. */
export interface Tensor4 {
  readonly shape: readonly [number, number, number, number];
  readonly data: Float32Array;
}

export type ConvolveOptions = Omit<ConvolutionSpec, 'input' | 'filters'>;

/** Compiled shapes that are kept; each holds the memory of its arguments. */
const cacheSize = 8;

/** The shapes used last, in the order of their use. */
const cache = new Map<string, CompiledConvolution>();

const compiledFor = (spec: ConvolutionSpec): CompiledConvolution => {
  const key = JSON.stringify(spec);
  const compiled = cache.get(key) ?? compileConvolution(spec);
  cache.delete(key);
  cache.set(key, compiled);
  const [oldest] = cache.keys();
  if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
  return compiled;
};

/**
 * Convolves an input (NCHW, padding included) with filters (FCHW). The first call for a shape compiles it; for many
 * runs of one shape on large arrays take `compileConvolution`. Throws as that does.
 */
export const convolve = (input: Tensor4, filters: Tensor4, options: ConvolveOptions = {}): Tensor4 => {
  const compiled = compiledFor({ ...options, input: input.shape, filters: filters.shape });
  return { shape: compiled.output, data: compiled.run(input.data, filters.data) };
};
