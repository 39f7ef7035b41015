/** A convolution as plain loops, independent of any IR. */
import { addTap } from './add-tap.ts';
import type { ReferenceShape } from './convolution-shape.ts';
import { convolutionSizes } from './convolution-shape.ts';

/**
 * `output + conv2d(input, filters)` in NCHW/FCHW; `output` is the initial value and is not changed. Accumulates in
 * double and rounds to f32 once, so the result is exact whenever the sums are, as for small integers. With the output
 * columns innermost it does about 10^9 multiply-adds per second.
 */
export const referenceConvolution = (
  shape: ReferenceShape,
  input: ArrayLike<number>,
  filters: ArrayLike<number>,
  output: ArrayLike<number>,
): ReturnType<typeof Float32Array.of> => {
  const sizes = convolutionSizes(shape);
  const { batch, inputChannels, inputHeight, inputWidth, filterHeight, filterWidth, groups = 1 } = shape;
  const window = sizes.outputHeight * sizes.outputWidth;
  checkLength('input', input, sizes.input);
  checkLength('filters', filters, sizes.filters);
  checkLength('output', output, sizes.output);

  const source = Float64Array.from(input);
  const sums = Float64Array.from(output);
  const [channels, ofGroup] = [inputChannels / groups, shape.filters / groups];
  for (let n = 0; n < batch; n++) {
    for (let f = 0; f < shape.filters; f++) {
      const firstChannel = n * inputChannels + Math.floor(f / ofGroup) * channels;
      for (let c = 0; c < channels; c++) {
        const channel = (firstChannel + c) * inputHeight * inputWidth;
        for (let row = 0; row < filterHeight; row++) {
          for (let column = 0; column < filterWidth; column++) {
            const weight = filters[((f * channels + c) * filterHeight + row) * filterWidth + column]!;
            addTap(shape, source, { row, column, weight, channel }, sums, (n * shape.filters + f) * window);
          }
        }
      }
    }
  }
  return Float32Array.from(sums);
};

const checkLength = (name: string, data: ArrayLike<number>, expected: number): void => {
  if (data.length !== expected) {
    throw new RangeError(`${name} has ${data.length} elements, but the shape needs ${expected}`);
  }
};
