/**
 * Checks every output element of a large convolution at the cost of one filter: for random integers r, the combination
 * Σ r_f · output_f must equal the convolution with the combined filter Σ r_f · filter_f.
 */
import { addTap } from './add-tap.ts';
import type { ReferenceShape } from './convolution-shape.ts';
import { convolutionSizes } from './convolution-shape.ts';
import { randomIntegers } from './integer-data.ts';

/** How a result differs from the expected one. */
export interface Deviation {
  /** Elements (for a probe: windows, over all filters) that differ by more than the tolerance or are NaN. */
  readonly mismatches: number;
  /** The greatest difference; NaN counts as Infinity. */
  readonly maxError: number;
  /** Position of the first mismatch in the compared data. */
  readonly first: number | undefined;
}

/** The operands of a convolution and its result, in NCHW/FCHW. */
export interface ProbeData {
  readonly input: ArrayLike<number>;
  readonly filters: ArrayLike<number>;
  /** The initial output, which the convolution accumulates into. */
  readonly initial: ArrayLike<number>;
  readonly result: ArrayLike<number>;
}

/** Factors are integers up to this, which keeps sums of products of 24-bit data exact in double. */
const greatestFactor = 1 << 10;

/**
 * Checks `result` against `initial + conv2d(input, filters)` by one random combination of the filters. A single wrong
 * element is always found, since no factor is 0; several in one window escape with a probability of about 1/2048. The
 * check is exact for integers; for other data give a `tolerance`, which applies to the combination.
 */
export const checkByProbe = (
  shape: ReferenceShape,
  { input, filters, initial, result }: ProbeData,
  { seed = 1, tolerance = 0 }: { readonly seed?: number; readonly tolerance?: number } = {},
): Deviation => {
  const { outputHeight, outputWidth } = convolutionSizes(shape);
  const factors = probeFactors(shape.filters, seed);
  const window = outputHeight * outputWidth;
  const expected = combine(shape.batch, factors, window, initial);
  addConvolution(shape, input, combinedFilters(shape, factors, filters), expected);
  return deviation(combine(shape.batch, factors, window, result), expected, tolerance);
};

/** One filter over all channels: each group's filters combined, concatenated by group. */
const combinedFilters = (
  { inputChannels, filterHeight, filterWidth, groups = 1 }: ReferenceShape,
  factors: Float64Array,
  filters: ArrayLike<number>,
): Float64Array => {
  const size = (inputChannels / groups) * filterHeight * filterWidth;
  const combined = new Float64Array(groups * size);
  for (let f = 0; f < factors.length; f++) {
    const to = Math.floor(f / (factors.length / groups)) * size;
    for (let i = 0; i < size; i++) combined[to + i]! += factors[f]! * filters[f * size + i]!;
  }
  return combined;
};

const probeFactors = (count: number, seed: number): Float64Array => {
  const next = randomIntegers(seed);
  return Float64Array.from({ length: count }, () => {
    const factor = 1 + (next() % greatestFactor);
    return next() % 2 === 0 ? factor : -factor;
  });
};

/** `Σ_f factors[f] · data[n, f, i]` for each n and i. */
const combine = (
  batch: number,
  factors: Float64Array,
  size: number,
  data: ArrayLike<number>,
): Float64Array => {
  const combined = new Float64Array(batch * size);
  for (let n = 0; n < batch; n++) {
    for (let f = 0; f < factors.length; f++) {
      const from = (n * factors.length + f) * size;
      for (let i = 0; i < size; i++) combined[n * size + i]! += factors[f]! * data[from + i]!;
    }
  }
  return combined;
};

/**
 * Accumulates the convolution with one filter into `sums`, batch × outputHeight × outputWidth: tap by tap, along image
 * rows.
 */
const addConvolution = (
  shape: ReferenceShape,
  input: ArrayLike<number>,
  filter: Float64Array,
  sums: Float64Array,
): void => {
  const { batch, inputChannels, inputHeight, inputWidth, filterHeight, filterWidth } = shape;
  const { outputHeight, outputWidth } = convolutionSizes(shape);
  for (let n = 0; n < batch; n++) {
    for (let tap = 0; tap < filter.length; tap++) {
      const [column, rest] = [tap % filterWidth, Math.floor(tap / filterWidth)];
      const [row, c] = [rest % filterHeight, Math.floor(rest / filterHeight)];
      const channel = (n * inputChannels + c) * inputHeight * inputWidth;
      const to = n * outputHeight * outputWidth;
      addTap(shape, input, { row, column, weight: filter[tap]!, channel }, sums, to);
    }
  }
};

/** Compares element by element. Throws a RangeError if the lengths differ. */
export const deviation = (
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance = 0,
): Deviation => {
  if (actual.length !== expected.length) {
    throw new RangeError(`${actual.length} elements cannot be compared with ${expected.length}`);
  }
  let mismatches = 0;
  let maxError = 0;
  let first: number | undefined;
  for (let i = 0; i < actual.length; i++) {
    const error = Math.abs(actual[i]! - expected[i]!);
    if (error <= tolerance) {
      maxError = Math.max(maxError, error);
      continue;
    }
    // NaN gets here too, and so do equal infinities, whose difference is NaN.
    if (Object.is(actual[i], expected[i])) continue;
    mismatches += 1;
    first ??= i;
    maxError = Math.max(maxError, Number.isNaN(error) ? Infinity : error);
  }
  return { mismatches, maxError, first };
};
