/** Shapes of the plain convolutions used as references. */
import { describeValue } from '@sconv/diagnostics';

/** A height-width pair. */
export interface Pair {
  readonly h: number;
  readonly w: number;
}

/** The default stride and dilation. */
export const unit: Pair = { h: 1, w: 1 };

/** Zero padding around each image. */
export interface Margins {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** No zeros. */
export const noMargins: Margins = { top: 0, bottom: 0, left: 0, right: 0 };

/** A 2-D convolution in NCHW/FCHW; sizes in elements, over all groups, without padding. */
export interface ReferenceShape {
  readonly batch: number;
  readonly inputChannels: number;
  readonly inputHeight: number;
  readonly inputWidth: number;
  readonly filters: number;
  readonly filterHeight: number;
  readonly filterWidth: number;
  /** Default 1. */
  readonly strides?: Pair;
  /** Default 1. */
  readonly dilations?: Pair;
  /** Default none. */
  readonly padding?: Margins;
  /** Number of groups into which channels and filters are divided; default 1. A filter spans its group's channels. */
  readonly groups?: number;
}

/** Sizes derived from a shape, in elements. */
export interface ConvolutionSizes {
  readonly outputHeight: number;
  readonly outputWidth: number;
  /** Elements of batch × inputChannels × inputHeight × inputWidth. */
  readonly input: number;
  /** Elements of filters × inputChannels / groups × filterHeight × filterWidth. */
  readonly filters: number;
  /** Elements of batch × filters × outputHeight × outputWidth. */
  readonly output: number;
}

/**
 * The sizes derived from a shape. Throws a RangeError if the dilated filter is larger than the input, or the groups do
 * not divide channels and filters.
 */
export const convolutionSizes = (shape: ReferenceShape): ConvolutionSizes => {
  if (typeof (shape as unknown) !== 'object' || (shape as unknown) === null) {
    throw new TypeError(`expected the sizes of a convolution, not ${describeValue(shape)}`);
  }
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const { strides = unit, dilations = unit, padding = noMargins, groups = 1 } = shape;
  const height = padding.top + inputHeight + padding.bottom;
  const width = padding.left + inputWidth + padding.right;
  const outputHeight = Math.floor((height - (filterHeight - 1) * dilations.h - 1) / strides.h) + 1;
  const outputWidth = Math.floor((width - (filterWidth - 1) * dilations.w - 1) / strides.w) + 1;
  if (inputChannels % groups !== 0 || filters % groups !== 0) {
    throw new RangeError(
      `${groups} groups do not divide ${inputChannels} input channels and ${filters} filters`,
    );
  }
  if (!(outputHeight >= 1 && outputWidth >= 1)) {
    throw new RangeError(
      `a filter of ${filterHeight}x${filterWidth} does not fit an input of ${height}x${width}`,
    );
  }
  return {
    outputHeight,
    outputWidth,
    input: batch * inputChannels * inputHeight * inputWidth,
    filters: filters * (inputChannels / groups) * filterHeight * filterWidth,
    output: batch * filters * outputHeight * outputWidth,
  };
};
