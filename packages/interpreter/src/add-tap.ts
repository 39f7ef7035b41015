/** One filter element on one channel, the innermost work of a plain convolution. */
import type { ReferenceShape } from './convolution-shape.ts';
import { convolutionSizes, noMargins, unit } from './convolution-shape.ts';

/** A filter element, and the start of its channel in the input. */
export interface Tap {
  readonly row: number;
  readonly column: number;
  readonly weight: number;
  readonly channel: number;
}

/**
 * Adds a tap's contribution to the windows of an output, which start at `to` in `sums`. Padding contributes nothing.
 */
export const addTap = (
  shape: ReferenceShape,
  input: ArrayLike<number>,
  { row, column, weight, channel }: Tap,
  sums: Float64Array,
  to: number,
): void => {
  const { inputHeight, inputWidth, strides = unit, dilations = unit, padding = noMargins } = shape;
  const { outputHeight, outputWidth } = convolutionSizes(shape);
  const left = column * dilations.w - padding.left;
  // The windows whose column is within the image.
  const first = Math.max(0, Math.ceil(-left / strides.w));
  const end = Math.min(outputWidth, Math.floor((inputWidth - 1 - left) / strides.w) + 1);
  for (let oh = 0; oh < outputHeight; oh++) {
    const ih = oh * strides.h + row * dilations.h - padding.top;
    if (ih < 0 || ih >= inputHeight) continue;
    addRow(
      sums,
      to + oh * outputWidth,
      input,
      channel + ih * inputWidth + left,
      strides.w,
      weight,
      first,
      end,
    );
  }
};

/** `sums[to + i] += weight * source[from + i * stride]` for `i` from `first` to below `end`. */
const addRow = (
  sums: Float64Array,
  to: number,
  source: ArrayLike<number>,
  from: number,
  stride: number,
  weight: number,
  first: number,
  end: number,
): void => {
  for (let i = first; i < end; i++) sums[to + i]! += weight * source[from + i * stride]!;
};
