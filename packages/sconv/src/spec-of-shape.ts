/** From a shape, as in texts, ConvBench and plans, to the options that compile it. */
import type { ConvolutionShape } from '@sconv/csa';
import { CsaError } from '@sconv/csa';
import type { ConvolutionSpec } from './convolution-spec.ts';

/** The options of `compileConvolution` that a shape determines. */
export type ShapeSpec = Required<
  Pick<ConvolutionSpec, 'input' | 'filters' | 'strides' | 'dilations' | 'padding' | 'groups'>
>;

/** The options for a shape. Throws `CsaError` (`csa/element-type`) for elements other than f32. */
export const specOfShape = (shape: ConvolutionShape): ShapeSpec => {
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const { strides, dilations, padding, groups, elementType } = shape;
  if (elementType !== 'f32') {
    throw new CsaError('csa/element-type', 'elementType', `only f32 is compiled, not ${elementType}`);
  }
  return {
    input: [batch, inputChannels, inputHeight, inputWidth],
    filters: [filters, inputChannels / groups, filterHeight, filterWidth],
    strides: [strides.h, strides.w],
    dilations: [dilations.h, dilations.w],
    padding,
    groups,
  };
};
