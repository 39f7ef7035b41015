/** Distributes a convolution over threads: equal parts that are convolutions themselves. */
import { describeValue } from '@sconv/diagnostics';
import type { Machine } from '@sconv/targets';
import { CsaError, expectRecord } from './errors.ts';
import { checkShape } from './plan-input.ts';
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
  machine: Pick<Machine, 'flopPerCycle'> = {},
): ThreadParts => {
  checkShape(shape);
  expectRecord('machine', machine);
  const { flopPerCycle = usualFlopPerCycle } = machine;
  if (!Number.isSafeInteger(threads) || threads < 1) {
    throw new CsaError(
      'csa/not-positive',
      'threads',
      `must be a positive integer, not ${describeValue(threads)}`,
    );
  }
  const multiplyAdds = flopPerCycle / 2;
  const sharing = { threads, forking: forkingCycles * multiplyAdds, packing: packingCycles * multiplyAdds };
  return bestParts(shape, sharing).partsOf(shape);
};

/** The number of threads, and the costs of a fork and of packing an element, in multiply-adds. */
interface Sharing {
  readonly threads: number;
  readonly forking: number;
  readonly packing: number;
}

/** The sizes that the time depends on. */
type Sizes = Pick<
  ConvolutionShape,
  | 'batch'
  | 'inputChannels'
  | 'filterHeight'
  | 'filterWidth'
  | 'filters'
  | 'outputHeight'
  | 'outputWidth'
  | 'groups'
>;

/** The size along a dimension. */
const extents = { batch: 'batch', filters: 'filters', rows: 'outputHeight' } as const;

interface Estimate {
  /** Of a checked shape, made for the best estimate only. */
  readonly partsOf: (shape: ConvolutionShape) => ThreadParts;
  /** In single-threaded multiply-adds. */
  readonly time: number;
}

/** The tile of a usual microkernel. */
const tile = { windows: 8, filters: 4 };

const dimensions: readonly SharedDimension[] = ['batch', 'filters', 'rows'];

/**
 * Cost of packing an element in cycles: 0.3 to 0.7 measured on wasm, 0.2 for windows and 1.6 for filters in native code
 * (AMD Zen 4, processor time of 3x3 convolutions in more and fewer parts); bound filters are packed only once.
 */
const packingCycles = 0.5;
/**
 * Parts per thread, which threads take one by one: several balance the load where a core is shared. A number that
 * divides the extent spares the fork and the weaker kernels of a remainder.
 */
const partsOfThread = [1, 2, 3, 4, 5, 6, 7, 8];
/** How much longer the last thread takes than the others, in parts. */
const unevenness = 0.25;
/**
 * Cost of fork and join in cycles: 40 to 90 µs measured on wasm, 20 to 40 µs for native code (AMD Zen 4, including
 * the promise of the call; tools/bench/threads.mjs).
 */
const forkingCycles = 125_000;
/** Of a machine with 128-bit vectors. */
const usualFlopPerCycle = 16;

const bestParts = (shape: Sizes, sharing: Sharing): Estimate => {
  const { threads, forking } = sharing;
  const whole: Estimate = {
    partsOf: (checked) => ({ kind: 'whole', shape: checked }),
    time: timeOf(shape, sharing),
  };
  // A lower bound on the time of any distribution.
  if (threads === 1 || shape.groups > 1 || whole.time / threads + forking >= whole.time) return whole;
  let best = whole;
  for (const dimension of dimensions)
    for (const ofThread of partsOfThread)
      best = sharedAlong(shape, sharing, { ofThread, dimension, below: best.time }) ?? best;
  return best;
};

/** A way to divide, and the time to improve on. */
interface Division {
  readonly ofThread: number;
  readonly dimension: SharedDimension;
  readonly below: number;
}

/** Undefined if that takes no less time, or is not possible. */
const sharedAlong = (
  shape: Sizes,
  sharing: Sharing,
  { ofThread, dimension, below }: Division,
): Estimate | undefined => {
  const { threads, forking } = sharing;
  const count = threads * ofThread;
  const extent = shape[extents[dimension]];
  const size = Math.floor(extent / count);
  if (size === 0) return undefined;
  const part: Sizes = { ...shape, [extents[dimension]]: size };
  const even = (ofThread + unevenness) * timeOf(part, sharing) + forking;
  const left = extent - size * count;
  const remainder: Sizes | undefined = left === 0 ? undefined : { ...shape, [extents[dimension]]: left };
  // Before the remainder is divided, which takes time itself; it takes no less than this.
  if (even + (remainder === undefined ? 0 : timeOf(remainder, sharing) / threads) >= below) return undefined;
  const rest = remainder && bestParts(remainder, sharing);
  const time = even + (rest?.time ?? 0);
  if (time >= below) return undefined;
  return {
    partsOf: (checked) => ({
      kind: 'shared',
      dimension,
      size,
      count,
      part: withExtent(checked, dimension, size),
      rest: rest?.partsOf(withExtent(checked, dimension, left)),
    }),
    time,
  };
};

const timeOf = (
  { batch, inputChannels, filterHeight, filterWidth, filters, outputHeight, outputWidth, groups }: Sizes,
  { packing }: Sharing,
): number => {
  const depth = (inputChannels / groups) * filterHeight * filterWidth;
  const windows = outputHeight * outputWidth;
  const computed = inTiles(windows, tile.windows) * inTiles(filters, tile.filters);
  return batch * depth * (computed + packing * (windows + filters));
};

/** An extent; what is missing in the last tile counts half, since there are smaller kernels for it. */
const inTiles = (extent: number, size: number): number => (extent + Math.ceil(extent / size) * size) / 2;

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
