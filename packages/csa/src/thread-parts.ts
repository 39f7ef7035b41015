/** Distributes a convolution over threads: equal parts that are convolutions themselves. */
import type { Machine } from '@sconv/targets';
import { CsaError } from './errors.ts';
import type { ConvolutionShape } from './shape.ts';
import { convolution } from './shape.ts';

/**
 * The split dimension: images, filters, or output rows. Never a reduction: each element is summed in the same order as
 * on one thread.
 */
export type SharedDimension = 'batch' | 'filters' | 'rows';

/** A convolution for one thread, or equal parts for all of them. */
export type ThreadParts =
  | { readonly kind: 'whole'; readonly shape: ConvolutionShape }
  | {
      readonly kind: 'shared';
      readonly dimension: SharedDimension;
      /** Size of a part: images, filters or rows. */
      readonly size: number;
      /** Number of parts: a multiple of the threads. */
      readonly count: number;
      readonly part: ConvolutionShape;
      /** What is left after the parts, computed last. */
      readonly rest: ThreadParts | undefined;
    };

/**
 * The parts with the least estimated time, which counts multiply-adds and packed elements: every part of rows packs the
 * filters again, every part of filters the windows. The remainder is distributed in turn, along any dimension, or stays
 * whole where that is faster; grouped convolutions always stay whole. A fork costs a time,
 * in which a machine of more flop per cycle would do more of the work.
 *
 * Throws `CsaError` `csa/not-positive` if `threads` is not a positive integer.
 */
export const partsForThreads = (
  shape: ConvolutionShape,
  threads: number,
  { flopPerCycle = usualFlopPerCycle }: Pick<Machine, 'flopPerCycle'> = {},
): ThreadParts => {
  if (!Number.isSafeInteger(threads) || threads < 1) {
    throw new CsaError('csa/not-positive', 'threads', `must be a positive integer, not ${threads}`);
  }
  return bestParts(shape, { threads, forking: (forkingCycles * flopPerCycle) / 2 }).parts;
};

/** The number of threads, and the cost of a fork in multiply-adds. */
interface Sharing {
  readonly threads: number;
  readonly forking: number;
}

interface Estimate {
  readonly parts: ThreadParts;
  /** In single-threaded multiply-adds. */
  readonly time: number;
}

const dimensions: readonly SharedDimension[] = ['batch', 'filters', 'rows'];

/** Cost of packing an element, in multiply-adds, which are vectorized. */
const packing = 8;
/** Parts per thread, which threads take one by one: several balance the load where a core is shared. */
const partsOfThread = [1, 4];
/** How much longer the last thread takes than the others, in parts. */
const unevenness = 0.25;
/**
 * Cost of fork and join in cycles: 40 to 90 µs measured on wasm, 20 to 40 µs for native code (AMD Zen 4, including the promise of the
 * call; tools/bench/threads.mjs).
 */
const forkingCycles = 125_000;
/** Of a machine with 128-bit vectors. */
const usualFlopPerCycle = 16;

const bestParts = (shape: ConvolutionShape, sharing: Sharing): Estimate => {
  const { threads, forking } = sharing;
  const whole: Estimate = { parts: { kind: 'whole', shape }, time: timeOf(shape) };
  // A lower bound on the time of any distribution.
  if (threads === 1 || shape.groups > 1 || whole.time / threads + forking >= whole.time) return whole;
  return dimensions
    .flatMap((dimension) =>
      partsOfThread.flatMap((each) => sharedAlong(shape, sharing, each, dimension) ?? []),
    )
    .reduce((best, each) => (each.time < best.time ? each : best), whole);
};

const sharedAlong = (
  shape: ConvolutionShape,
  sharing: Sharing,
  ofThread: number,
  dimension: SharedDimension,
): Estimate | undefined => {
  const { threads, forking } = sharing;
  const count = threads * ofThread;
  const extent = extentOf(shape, dimension);
  const size = Math.floor(extent / count);
  if (size === 0) return undefined;
  const left = extent - size * count;
  const part = withExtent(shape, dimension, size);
  const rest = left === 0 ? undefined : bestParts(withExtent(shape, dimension, left), sharing);
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

/** The convolution of fewer images, filters or rows; for rows, the input has the rows under their windows. */
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
