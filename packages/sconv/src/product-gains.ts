/** Which matrix products to slice: those that use what they pack often enough. */
import type { ConvolutionShape } from '@sconv/csa';
import { multiplyAdds } from '@sconv/csa';
import type { Machine } from '@sconv/targets';

/**
 * Multiply-adds, the harmonic mean of rows and columns, and the rows from which on packing pays; measured on AMD Zen 5
 * beside what the backends make of an unsliced product, whose blocks of sums stay in registers. The mean is twice how
 * often an element is used on average: twice 30 times on WebAssembly, where 1000x16 is slower in tiles, 64x64 faster;
 * native code gains from fewer on.
 */
const leastMultiplyAdds = 2 ** 18;
const leastMean = 60;
const leastRows = 4;

/**
 * Whether a matrix product, given as the convolution that it is, runs faster sliced than as written. One of few rows
 * does if its second operand does not fit into L2, from which every block of rows would read it again; one of a row
 * alone reads it once, and is bound by that.
 */
export const gainsFromSlicing = (shape: ConvolutionShape, { cache }: Pick<Machine, 'cache'>): boolean => {
  const { filters: rows, outputHeight: columns, inputChannels, unpackedBytes, elementBytes } = shape;
  if (multiplyAdds(shape) < leastMultiplyAdds) return false;
  if (2 * rows * columns >= leastMean * (rows + columns)) return true;
  const bytes = inputChannels * columns * (unpackedBytes?.input ?? elementBytes);
  return rows >= leastRows && columns >= leastMean && bytes > (cache.l2?.bytes ?? Infinity);
};
