/**
 * The linear probe of a convolution in any layout, of floats, or of integers modulo 2^32: for random odd r, the
 * combination Σ r_f · output_f must equal the convolution with the combined filter Σ r_f · filter_f.
 */
import type { Deviation } from '@sconv/interpreter';
import { deviation, randomIntegers } from '@sconv/interpreter';
import type { FormedConvolution } from '@sconv/normalization';

/** A convolution's operands. */
export interface FormedOperands extends FormedConvolution {
  readonly input: ArrayLike<number>;
  readonly filters: ArrayLike<number>;
  /** What it accumulates into. */
  readonly initial: ArrayLike<number>;
  /** What is subtracted from each element of the input and of the filters. */
  readonly zeroPoints: readonly [number, number];
}

type Letter = 'n' | 'g' | 'c' | 'f' | 'h' | 'w';
type ByLetter = Readonly<Record<Letter, number>>;

/** Factors are odd up to this. */
const greatestFactor = 1 << 10;

/**
 * Checks `result` at the cost of one filter; `wraps`: modulo 2^32, as sums of i32. A single wrong element is always
 * found: an odd factor is invertible modulo 2^32.
 */
export const probeForm = (
  operands: FormedOperands,
  result: ArrayLike<number>,
  { wraps, tolerance = 0 }: { readonly wraps: boolean; readonly tolerance?: number },
): Deviation => {
  const { form, geometry, input, filters, initial, zeroPoints } = operands;
  const { groups, strides, dilations } = geometry;
  const extents = {
    n: geometry.batch,
    g: groups,
    c: geometry.inputChannels / groups,
    f: geometry.filters / groups,
  };
  const image = { ...extents, h: geometry.inputHeight, w: geometry.inputWidth };
  const window = { ...extents, h: geometry.filterHeight, w: geometry.filterWidth };
  const output = { ...extents, h: geometry.outputHeight, w: geometry.outputWidth };
  const [ofInput, ofFilters, ofOutput] = [
    stepsOf(form.input, image),
    stepsOf(form.filters, window),
    stepsOf(form.output, output),
  ];
  const multiply = wraps ? Math.imul : (a: number, b: number): number => a * b;
  // Elements of an Int32Array wrap.
  const sums = (length: number): Int32Array | Float64Array =>
    wraps ? new Int32Array(length) : new Float64Array(length);
  const factors = factorsOf(extents.f);

  /** `Σ_f factors[f] · data[n, g, f, h, w]`, by n, g, h and w. */
  const combined = (data: ArrayLike<number>): Int32Array | Float64Array => {
    const all = sums(output.n * output.g * output.h * output.w);
    let to = 0;
    for (let n = 0; n < output.n; n++)
      for (let g = 0; g < output.g; g++)
        for (let h = 0; h < output.h; h++)
          for (let w = 0; w < output.w; w++, to++) {
            let from = n * ofOutput.n + g * ofOutput.g + h * ofOutput.h + w * ofOutput.w;
            for (let f = 0; f < output.f; f++, from += ofOutput.f)
              all[to]! += multiply(factors[f]!, data[from]!);
          }
    return all;
  };

  const expected = combined(initial);
  for (let g = 0; g < window.g; g++)
    for (let c = 0; c < window.c; c++)
      for (let row = 0; row < window.h; row++)
        for (let column = 0; column < window.w; column++) {
          const weight = sums(1);
          let from = g * ofFilters.g + c * ofFilters.c + row * ofFilters.h + column * ofFilters.w;
          for (let f = 0; f < window.f; f++, from += ofFilters.f)
            weight[0]! += multiply(factors[f]!, filters[from]! - zeroPoints[1]);
          for (let n = 0; n < output.n; n++)
            for (let h = 0; h < output.h; h++) {
              let to = ((n * output.g + g) * output.h + h) * output.w;
              let at =
                n * ofInput.n +
                g * ofInput.g +
                c * ofInput.c +
                (h * strides.h + row * dilations.h) * ofInput.h +
                column * dilations.w * ofInput.w;
              for (let w = 0; w < output.w; w++, to++, at += strides.w * ofInput.w)
                expected[to]! += multiply(weight[0]!, input[at]! - zeroPoints[0]);
            }
        }
  return deviation(combined(result), expected, tolerance);
};

/** The distance between elements along each dimension of a row-major layout; 0 for those that it lacks. */
const stepsOf = (layout: string, extents: ByLetter): ByLetter => {
  const steps: Record<Letter, number> = { n: 0, g: 0, c: 0, f: 0, h: 0, w: 0 };
  let step = 1;
  for (const letter of Array.from(layout).reverse() as Letter[]) {
    steps[letter] = step;
    step *= extents[letter];
  }
  return steps;
};

const factorsOf = (count: number): readonly number[] => {
  const next = randomIntegers(1);
  return Array.from({ length: count }, () => {
    const factor = (next() % greatestFactor) | 1;
    return next() % 2 === 0 ? factor : -factor;
  });
};
