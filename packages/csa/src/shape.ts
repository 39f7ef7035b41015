/** The convolution shape that this package works on: NCHW input, FCHW filters. */

import { describeValue, unknownName } from '@sconv/diagnostics';
import { elementBytes, elementTypes, isElementType, type ElementType } from '@sconv/targets';
import { CsaError, expectRecord } from './errors.ts';

/** A height-width pair. */
export interface Extent2 {
  readonly h: number;
  readonly w: number;
}

/** Zero padding of the input, in elements. */
export interface Padding {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Bytes of an element of each operand as it lies in memory. */
export interface UnpackedBytes {
  readonly input: number;
  readonly filters: number;
}

/** A 2-D convolution: all sizes in elements, all counts over the whole operation (not per group). */
export interface ConvolutionShape {
  readonly batch: number;
  /** I_c (ST §2.1), over all groups. */
  readonly inputChannels: number;
  /** Without padding. */
  readonly inputHeight: number;
  readonly inputWidth: number;
  /** O_c (ST §2.1): filters over all groups, the output's channels. */
  readonly filters: number;
  readonly filterHeight: number;
  readonly filterWidth: number;
  readonly strides: Extent2;
  readonly dilations: Extent2;
  readonly padding: Padding;
  readonly groups: number;
  /** Of the sums, and of operands that are packed. */
  readonly elementType: ElementType;
  /** Bytes of one element (SC Eq. 1: DT). */
  readonly elementBytes: number;
  /** Bytes of one element of the operands in memory, where packing converts them to the type of the sums. */
  readonly unpackedBytes?: UnpackedBytes;
  readonly outputHeight: number;
  readonly outputWidth: number;
}

/** What a caller specifies of a convolution; the rest has defaults or is derived. */
export interface ConvolutionFields {
  readonly batch?: number;
  readonly inputChannels: number;
  readonly inputHeight: number;
  readonly inputWidth: number;
  readonly filters: number;
  readonly filterHeight: number;
  readonly filterWidth: number;
  /** Default 1. */
  readonly strides?: Extent2;
  /** Default 1. */
  readonly dilations?: Extent2;
  /** Default 0. */
  readonly padding?: Padding;
  /** Default 1. */
  readonly groups?: number;
  /** Default `f32`. */
  readonly elementType?: ElementType;
  /** Default those of `elementType`. */
  readonly unpackedBytes?: UnpackedBytes;
}

/** Largest extent of one dimension: MLIR and LLVM index with 64 bits, but real tensors stay below this. */
const maxExtent = 2 ** 31 - 1;

/** Bound on elements and multiply-adds: all products in the cost models stay exact in a double. */
const maxElements = 2 ** 40;
const maxMultiplyAdds = 2 ** 48;

const whole = (field: string, value: number, least: 0 | 1): number => {
  if (Number.isInteger(value) && value >= least && value <= maxExtent) return value;
  const what = least === 1 ? 'a positive integer' : 'an integer from 0';
  const code = typeof value === 'number' && value > maxExtent ? 'csa/too-large' : 'csa/not-positive';
  throw new CsaError(code, field, `must be ${what} up to 2^31 - 1, not ${describeValue(value)}`);
};

const extent2 = (field: string, value: Extent2 | undefined): Extent2 => ({
  h: whole(`${field}.h`, value?.h ?? 1, 1),
  w: whole(`${field}.w`, value?.w ?? 1, 1),
});

const noPadding: Padding = { top: 0, bottom: 0, left: 0, right: 0 };

const paddingOf = (value: Padding): Padding => ({
  top: whole('padding.top', value.top, 0),
  bottom: whole('padding.bottom', value.bottom, 0),
  left: whole('padding.left', value.left, 0),
  right: whole('padding.right', value.right, 0),
});

const outputExtent = (
  field: string,
  input: number,
  filter: number,
  stride: number,
  dilation: number,
): number => {
  const reach = dilation * (filter - 1) + 1;
  if (reach > input) {
    throw new CsaError(
      'csa/no-output',
      field,
      `a dilated filter of ${reach} does not fit an input of ${input}`,
    );
  }
  return Math.floor((input - reach) / stride) + 1;
};

const groupsOf = (groups: number, channels: number, filters: number): number => {
  whole('groups', groups, 1);
  if (channels % groups === 0 && filters % groups === 0) return groups;
  throw new CsaError(
    'csa/groups',
    'groups',
    `${groups} groups do not divide ${channels} input channels and ${filters} filters`,
  );
};

const bounded = (field: string, value: number, limit: number, what: string): void => {
  if (value <= limit) return;
  throw new CsaError('csa/too-large', field, `${value} ${what}, more than 2^${Math.log2(limit)}`);
};

/** The convolution with defaults and output size filled in; throws `CsaError` if it is impossible. */
export const convolution = (fields: ConvolutionFields): ConvolutionShape => {
  if (typeof (fields as unknown) !== 'object' || (fields as unknown) === null) {
    const message = `expected the sizes of a convolution, not ${describeValue(fields)}`;
    throw new CsaError('csa/not-a-record', 'sizes', message);
  }
  const batch = whole('batch', fields.batch ?? 1, 1);
  const inputChannels = whole('inputChannels', fields.inputChannels, 1);
  const inputHeight = whole('inputHeight', fields.inputHeight, 1);
  const inputWidth = whole('inputWidth', fields.inputWidth, 1);
  const filters = whole('filters', fields.filters, 1);
  const filterHeight = whole('filterHeight', fields.filterHeight, 1);
  const filterWidth = whole('filterWidth', fields.filterWidth, 1);
  const strides = extent2('strides', fields.strides);
  const dilations = extent2('dilations', fields.dilations);
  const padding = paddingOf(fields.padding ?? noPadding);
  const groups = groupsOf(fields.groups ?? 1, inputChannels, filters);
  const elementType = fields.elementType ?? 'f32';
  if (!isElementType(elementType)) {
    const message = unknownName('element type', elementType, elementTypes);
    throw new CsaError('csa/element-type', 'elementType', message);
  }
  const paddedHeight = inputHeight + padding.top + padding.bottom;
  const paddedWidth = inputWidth + padding.left + padding.right;
  const outputHeight = outputExtent('filterHeight', paddedHeight, filterHeight, strides.h, dilations.h);
  const outputWidth = outputExtent('filterWidth', paddedWidth, filterWidth, strides.w, dilations.w);
  const channels = inputChannels / groups;
  const reduction = channels * filterHeight * filterWidth;
  const outputs = batch * filters * outputHeight * outputWidth;
  bounded('input', batch * inputChannels * paddedHeight * paddedWidth, maxElements, 'elements');
  bounded('filters', filters * reduction, maxElements, 'elements');
  bounded('output', outputs, maxElements, 'elements');
  bounded('shape', outputs * reduction, maxMultiplyAdds, 'multiply-adds');
  return Object.freeze({
    batch,
    inputChannels,
    inputHeight,
    inputWidth,
    filters,
    filterHeight,
    filterWidth,
    strides,
    dilations,
    padding,
    groups,
    elementType,
    elementBytes: elementBytes(elementType),
    ...unpackedBytesOf(fields.unpackedBytes, elementBytes(elementType)),
    outputHeight,
    outputWidth,
  });
};

/** What is said of the operands in memory, where that is something else than of packed ones. */
const unpackedBytesOf = (
  given: UnpackedBytes | undefined,
  packed: number,
): Pick<ConvolutionShape, 'unpackedBytes'> => {
  if (given === undefined) return {};
  const unpackedBytes = {
    input: whole('unpackedBytes.input', given.input, 1),
    filters: whole('unpackedBytes.filters', given.filters, 1),
  };
  return unpackedBytes.input === packed && unpackedBytes.filters === packed ? {} : { unpackedBytes };
};

/** Bytes of an element of an operand as it lies in memory. */
export const unpackedElementBytes = (
  { unpackedBytes, elementBytes: packed }: ConvolutionShape,
  operand: keyof UnpackedBytes,
): number => unpackedBytes?.[operand] ?? packed;

/** Height and width of the padded input. */
export const paddedInput = (shape: ConvolutionShape): Extent2 => {
  expectRecord('shape', shape, 'padding');
  const { inputHeight, inputWidth, padding } = shape;
  return { h: inputHeight + padding.top + padding.bottom, w: inputWidth + padding.left + padding.right };
};

/** Multiply-adds of the whole convolution. */
export const multiplyAdds = (shape: ConvolutionShape): number => {
  expectRecord('shape', shape);
  const { batch, filters, outputHeight, outputWidth, inputChannels, filterHeight, filterWidth, groups } =
    shape;
  return (batch * filters * outputHeight * outputWidth * inputChannels * filterHeight * filterWidth) / groups;
};
