/** The linear probe of a convolution with its own groups and padding. */
import type { ConvolutionShape } from '@sconv/csa';
import { paddedInput } from '@sconv/csa';
import { checkByProbe } from '@sconv/interpreter';
import type { Data } from '../bench/workload.ts';

/** How many output pixels of a result, over all filters of a group, are not those of the convolution. */
export const wrongPixels = (
  shape: ConvolutionShape,
  { input, filters }: Data,
  result: Float32Array,
): number => {
  const { batch, groups, outputHeight, outputWidth, filterHeight, filterWidth } = shape;
  const inputChannels = shape.inputChannels / groups;
  const filtersOfGroup = shape.filters / groups;
  const { h: inputHeight, w: inputWidth } = paddedInput(shape);
  const part = {
    batch: 1,
    inputChannels,
    inputHeight,
    inputWidth,
    filters: filtersOfGroup,
    filterHeight,
    filterWidth,
    strides: shape.strides,
    dilations: shape.dilations,
  };
  const filterSize = filtersOfGroup * inputChannels * filterHeight * filterWidth;
  const outputSize = filtersOfGroup * outputHeight * outputWidth;
  const initial = new Float32Array(outputSize);
  let wrong = 0;
  for (let n = 0; n < batch; n++) {
    for (let g = 0; g < groups; g++) {
      const at = n * groups + g;
      const { mismatches } = checkByProbe(part, {
        input: paddedChannels(shape, input, at * inputChannels, inputChannels),
        filters: filters.subarray(g * filterSize, (g + 1) * filterSize),
        initial,
        result: result.subarray(at * outputSize, (at + 1) * outputSize),
      });
      wrong += mismatches;
    }
  }
  return wrong;
};

/** Channels of the input, with zeros around each. */
const paddedChannels = (
  shape: ConvolutionShape,
  input: Float32Array,
  first: number,
  count: number,
): Float32Array => {
  const { inputHeight, inputWidth, padding } = shape;
  const size = inputHeight * inputWidth;
  const channels = input.subarray(first * size, (first + count) * size);
  const { h, w } = paddedInput(shape);
  if (h === inputHeight && w === inputWidth) return channels;
  const result = new Float32Array(count * h * w);
  for (let row = 0; row < count * inputHeight; row++) {
    const [c, y] = [Math.floor(row / inputHeight), row % inputHeight];
    const to = (c * h + y + padding.top) * w + padding.left;
    result.set(channels.subarray(row * inputWidth, (row + 1) * inputWidth), to);
  }
  return result;
};
