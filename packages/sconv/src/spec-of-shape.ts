/** From a shape, as in texts, ConvBench and plans, to the options that compile it. */
import type { ConvolutionShape } from '@sconv/csa';
import { checkShape, CsaError } from '@sconv/csa';
import { describeValue } from '@sconv/diagnostics';
import type { ConvolutionElement } from './convolution-elements.ts';
import { convolutionElements } from './convolution-elements.ts';
import type { ConvolutionSpec } from './convolution-spec.ts';

/** The options of `compileConvolution` that a shape determines. */
export type ShapeSpec = Required<
  Pick<
    ConvolutionSpec<ConvolutionElement>,
    'input' | 'filters' | 'strides' | 'dilations' | 'padding' | 'groups' | 'elementType'
  >
>;

/**
 * The options for a shape. Throws `CsaError`: `csa/not-a-record` for what is no shape, `csa/element-type` for
 * elements that are not compiled.
 */
export const specOfShape = (shape: ConvolutionShape): ShapeSpec => {
  checkShape(shape);
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const { strides, dilations, padding, groups } = shape;
  const elementType = convolutionElements.find((name) => name === shape.elementType);
  if (elementType === undefined) {
    const message = `${describeValue(shape.elementType)} is not compiled; ${convolutionElements.join(', ')} are`;
    throw new CsaError('csa/element-type', 'elementType', message);
  }
  return {
    input: [batch, inputChannels, inputHeight, inputWidth],
    filters: [filters, inputChannels / groups, filterHeight, filterWidth],
    elementType,
    strides: [strides.h, strides.w],
    dilations: [dilations.h, dilations.w],
    padding,
    groups,
  };
};
