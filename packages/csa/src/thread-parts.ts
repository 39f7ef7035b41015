/** How a convolution is shared out over threads: equal parts that are convolutions themselves. */
import { CsaError } from './errors.ts';
import type { ConvolutionShape } from './shape.ts';
import { convolution } from './shape.ts';

/** What is cut: images, filters, or rows of the output. No sum is: each element is added up as it is on one thread. */
export type SharedDimension = 'batch' | 'filters' | 'rows';

/** A convolution that one thread computes, or parts of it for all of them. */
export type ThreadParts =
  | { readonly kind: 'whole'; readonly shape: ConvolutionShape }
  | {
      readonly kind: 'shared';
      readonly dimension: SharedDimension;
      /** Of a part: images, filters or rows. */
      readonly size: number;
      /** How many parts there are: a multiple of the threads. */
      readonly count: number;
      readonly part: ConvolutionShape;
      /** What is left behind the parts, which comes after them. */
      readonly rest: ThreadParts | undefined;
    };

/**
 * The parts that take the least time, by a count of multiply-adds and of elements that are packed: filters are packed for each
 * part of rows, and windows for each part of filters. What is over is shared out in turn, by another dimension. What is over
 * at once stays whole, and so do grouped convolutions.
 *
 * Throws `CsaError` `csa/not-positive` for what is no number of threads.
 */
export const partsForThreads = (shape: ConvolutionShape, threads: number): ThreadParts => {
  if (!Number.isSafeInteger(threads) || threads < 1) {
    throw new CsaError('csa/not-positive', 'threads', `must be a positive integer, not ${threads}`);
  }
  return bestParts(shape, threads).parts;
};

interface Estimate {
  readonly parts: ThreadParts;
  /** In multiply-adds of one thread. */
  readonly time: number;
}

const dimensions: readonly SharedDimension[] = ['batch', 'filters', 'rows'];

/** What it takes to pack an element, in multiply-adds: those are made several at once. */
const packing = 8;
/** Parts for each thread, which takes the next when it has done one: where something else runs on a processor, fewer. */
const partsOfThread = [1, 4];
/** How much longer the last thread takes than the others, in parts. */
const unevenness = 0.25;
/** What it takes to begin, and to wait for the last thread: 40 to 90 µs are measured on wasm. */
const forking = 1_000_000;

const bestParts = (shape: ConvolutionShape, threads: number): Estimate => {
  const whole: Estimate = { parts: { kind: 'whole', shape }, time: timeOf(shape) };
  // No part is faster than this.
  if (threads === 1 || shape.groups > 1 || whole.time / threads + forking >= whole.time) return whole;
  return dimensions
    .flatMap((dimension) =>
      partsOfThread.flatMap((each) => sharedAlong(shape, threads, each, dimension) ?? []),
    )
    .reduce((best, each) => (each.time < best.time ? each : best), whole);
};

const sharedAlong = (
  shape: ConvolutionShape,
  threads: number,
  ofThread: number,
  dimension: SharedDimension,
): Estimate | undefined => {
  const count = threads * ofThread;
  const extent = extentOf(shape, dimension);
  const size = Math.floor(extent / count);
  if (size === 0) return undefined;
  const left = extent - size * count;
  const part = withExtent(shape, dimension, size);
  const rest = left === 0 ? undefined : bestParts(withExtent(shape, dimension, left), threads);
  return {
    parts: { kind: 'shared', dimension, size, count, part, rest: rest?.parts },
    time: (ofThread + unevenness) * timeOf(part) + forking + (rest?.time ?? 0),
  };
};

const timeOf = ({
  batch,
  inputChannels,
  filterHeight,
  filterWidth,
  filters,
  outputHeight,
  outputWidth,
  groups,
}: ConvolutionShape): number => {
  const depth = (inputChannels / groups) * filterHeight * filterWidth;
  const windows = outputHeight * outputWidth;
  return batch * depth * (windows * filters + packing * (windows + filters));
};

const extentOf = (shape: ConvolutionShape, dimension: SharedDimension): number => {
  switch (dimension) {
    case 'batch':
      return shape.batch;
    case 'filters':
      return shape.filters;
    case 'rows':
      return shape.outputHeight;
  }
};

/** The convolution of fewer images, filters or rows: the input has the rows that its windows reach. */
const withExtent = (
  shape: ConvolutionShape,
  dimension: SharedDimension,
  extent: number,
): ConvolutionShape => {
  const { filterHeight, strides, dilations } = shape;
  switch (dimension) {
    case 'batch':
      return convolution({ ...shape, batch: extent });
    case 'filters':
      return convolution({ ...shape, filters: extent });
    case 'rows':
      return convolution({
        ...shape,
        inputHeight: (extent - 1) * strides.h + (filterHeight - 1) * dilations.h + 1,
        padding: { ...shape.padding, top: 0, bottom: 0 },
      });
  }
};
