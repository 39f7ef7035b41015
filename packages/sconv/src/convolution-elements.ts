/** Element types of convolutions, and the typed arrays that hold them. */
import type { ElementArrays, ElementName, OwnElementArrays } from '@sconv/backend';

/** The elements of input and filters, and for each those of the sums. */
export const sumElements = {
  f32: 'f32',
  f64: 'f64',
  f16: 'f32',
  bf16: 'f32',
  i8: 'i32',
} as const satisfies Partial<Record<ElementName, ElementName>>;

/** The elements of input and filters. */
export type ConvolutionElement = keyof typeof sumElements;

export const convolutionElements = Object.keys(sumElements) as readonly ConvolutionElement[];

/** The array of an input or filters; `f16` and `bf16` are the bits of each element, as `halfBits` makes them. */
export type OperandArray<E extends ConvolutionElement> = ElementArrays[E];

/** The array of an output, a bias, a residual or an initial output. */
export type SumArray<E extends ConvolutionElement> = ElementArrays[(typeof sumElements)[E]];

/** The array of a result: a `SumArray` whose memory is not shared. */
export type ResultArray<E extends ConvolutionElement> = OwnElementArrays[(typeof sumElements)[E]];
