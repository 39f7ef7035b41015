/** A convolution as plain loops, independent of any IR. */
import type { ConvolutionShape } from './convolution-shape.ts';
import { convolutionSizes, unit } from './convolution-shape.ts';

/**
 * `output + conv2d(input, filters)` in NCHW/FCHW; `output` is the initial value and is not changed. Sums are made in
 * double and rounded to f32 once, so that the result is exact whenever the sums are, as for small integers. With the
 * columns of the output innermost it makes about 10^9 multiply-adds in a second.
 */
export const referenceConvolution = (
  shape: ConvolutionShape,
  input: ArrayLike<number>,
  filters: ArrayLike<number>,
  output: ArrayLike<number>,
): Float32Array => {
  const { batch, inputChannels, inputHeight, inputWidth, filterHeight, filterWidth } = shape;
  const { strides = unit, dilations = unit } = shape;
  const sizes = convolutionSizes(shape);
  const { outputHeight, outputWidth } = sizes;
  checkLength('input', input, sizes.input);
  checkLength('filters', filters, sizes.filters);
  checkLength('output', output, sizes.output);

  const source = Float64Array.from(input);
  const sums = Float64Array.from(output);
  for (let n = 0; n < batch; n++) {
    for (let f = 0; f < shape.filters; f++) {
      for (let c = 0; c < inputChannels; c++) {
        for (let fh = 0; fh < filterHeight; fh++) {
          for (let fw = 0; fw < filterWidth; fw++) {
            const weight = filters[((f * inputChannels + c) * filterHeight + fh) * filterWidth + fw]!;
            for (let oh = 0; oh < outputHeight; oh++) {
              const ih = oh * strides.h + fh * dilations.h;
              const from = ((n * inputChannels + c) * inputHeight + ih) * inputWidth + fw * dilations.w;
              const to = ((n * shape.filters + f) * outputHeight + oh) * outputWidth;
              addScaledRow(sums, to, source, from, strides.w, weight, outputWidth);
            }
          }
        }
      }
    }
  }
  return Float32Array.from(sums);
};

/** `sums[to + i] += weight * source[from + i * stride]` */
const addScaledRow = (
  sums: Float64Array,
  to: number,
  source: Float64Array,
  from: number,
  stride: number,
  weight: number,
  count: number,
): void => {
  for (let i = 0; i < count; i++) sums[to + i]! += weight * source[from + i * stride]!;
};

const checkLength = (name: string, data: ArrayLike<number>, expected: number): void => {
  if (data.length !== expected) {
    throw new RangeError(`${name} has ${data.length} elements, but the shape needs ${expected}`);
  }
};
