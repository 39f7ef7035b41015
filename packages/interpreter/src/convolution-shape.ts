/** Shapes of the plain convolutions that results are compared with. */

/** A pair along height and width. */
export interface Pair {
  readonly h: number;
  readonly w: number;
}

/** Stride or dilation where none is given. */
export const unit: Pair = { h: 1, w: 1 };

/** A 2-D convolution in NCHW/FCHW without padding; sizes in elements. */
export interface ConvolutionShape {
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
}

/** Sizes that follow from a shape, in elements. */
export interface ConvolutionSizes {
  readonly outputHeight: number;
  readonly outputWidth: number;
  /** Elements of batch × inputChannels × inputHeight × inputWidth. */
  readonly input: number;
  /** Elements of filters × inputChannels × filterHeight × filterWidth. */
  readonly filters: number;
  /** Elements of batch × filters × outputHeight × outputWidth. */
  readonly output: number;
}

/** The sizes that follow from a shape. Throws a RangeError if the dilated filter is larger than the input. */
export const convolutionSizes = (shape: ConvolutionShape): ConvolutionSizes => {
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const { strides = unit, dilations = unit } = shape;
  const outputHeight = Math.floor((inputHeight - (filterHeight - 1) * dilations.h - 1) / strides.h) + 1;
  const outputWidth = Math.floor((inputWidth - (filterWidth - 1) * dilations.w - 1) / strides.w) + 1;
  if (!(outputHeight >= 1 && outputWidth >= 1)) {
    throw new RangeError(
      `a filter of ${filterHeight}x${filterWidth} does not fit an input of ${inputHeight}x${inputWidth}`,
    );
  }
  return {
    outputHeight,
    outputWidth,
    input: batch * inputChannels * inputHeight * inputWidth,
    filters: filters * inputChannels * filterHeight * filterWidth,
    output: batch * filters * outputHeight * outputWidth,
  };
};
