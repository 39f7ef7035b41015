/** One convolution as given to all sides: sizes, work, traffic, data. */
import type { ConvolutionShape } from '@sconv/csa';
import { convolution, multiplyAdds, paddedInput } from '@sconv/csa';
import { integerData } from '@sconv/interpreter';

/** Sizes in the order of NCHW, or FCHW. */
export type Sizes = readonly [number, number, number, number];

export const inputSizes = (shape: ConvolutionShape): Sizes => [
  shape.batch,
  shape.inputChannels,
  shape.inputHeight,
  shape.inputWidth,
];
export const filterSizes = (shape: ConvolutionShape): Sizes => [
  shape.filters,
  shape.inputChannels / shape.groups,
  shape.filterHeight,
  shape.filterWidth,
];
export const outputSizes = (shape: ConvolutionShape): Sizes => [
  shape.batch,
  shape.filters,
  shape.outputHeight,
  shape.outputWidth,
];

export const elementsOf = (sizes: Sizes): number => sizes.reduce((product, size) => product * size, 1);

/** The same convolution with the padding included in the input. */
export const withPaddingIncluded = (shape: ConvolutionShape): ConvolutionShape => {
  const { h, w } = paddedInput(shape);
  const padding = { top: 0, bottom: 0, left: 0, right: 0 };
  return convolution({ ...shape, inputHeight: h, inputWidth: w, padding });
};

/** Work and compulsory traffic: what any implementation computes, and the least it reads and writes. */
export interface Work {
  /** Two per multiply-add. */
  readonly flop: number;
  /** Input and filters, each read once. */
  readonly readBytes: number;
  /** The output, written once. */
  readonly writtenBytes: number;
}

export const workOf = (shape: ConvolutionShape): Work => ({
  flop: 2 * multiplyAdds(shape),
  readBytes: 4 * (elementsOf(inputSizes(shape)) + elementsOf(filterSizes(shape))),
  writtenBytes: 4 * elementsOf(outputSizes(shape)),
});

export const flopPerByte = ({ flop, readBytes, writtenBytes }: Work): number =>
  flop / (readBytes + writtenBytes);

/**
 * Whether to compare the speed with the bandwidth as well: low arithmetic intensity, or too little work to hide the
 * first loads.
 */
export const isBoundByTraffic = (work: Work): boolean => flopPerByte(work) < 4 || work.flop < 2e6;

/** Small integers, whose sums are exact in any order, so that all sides must agree bit for bit. */
export interface Data {
  readonly input: Float32Array;
  readonly filters: Float32Array;
}

export const dataOf = (shape: ConvolutionShape): Data => ({
  input: integerData(elementsOf(inputSizes(shape)), 1),
  filters: integerData(elementsOf(filterSizes(shape)), 2),
});

/** The number of differing elements; all of them if the lengths differ. */
export const mismatches = (expected: ArrayLike<unknown>, actual: ArrayLike<unknown>): number => {
  if (expected.length !== actual.length) return Math.max(expected.length, actual.length);
  let count = 0;
  for (let i = 0; i < expected.length; i += 1) if (expected[i] !== actual[i]) count += 1;
  return count;
};
