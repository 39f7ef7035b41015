/** Convolutions as contractions, and back. */
import type { AffineExpr } from '@sconv/affine';
import { add, dim, evaluate, makeMap, mul } from '@sconv/affine';
import type { Contraction, ContractionDimension, ContractionOperand } from '@sconv/plans';
import type { ElementType } from '@sconv/targets';
import { elementBytes, isElementType } from '@sconv/targets';
import { expectList, expectRecord } from './errors.ts';
import type { ConvolutionShape } from './shape.ts';
import { convolution, paddedInput, unpackedElementBytes } from './shape.ts';

/** The dimensions of a convolution as a contraction, in their order; a plan's windows are rows and columns, fused. */
const names = [
  'batch',
  'group',
  'filters',
  'rows',
  'columns',
  'channels',
  'filterRows',
  'filterColumns',
] as const;

type Name = (typeof names)[number];

const at = Object.fromEntries(names.map((name, position) => [name, dim(position)])) as Readonly<
  Record<Name, AffineExpr>
>;

/** The contraction that a convolution is, padding included; channels and filters are per group. */
export const contractionOf = (shape: ConvolutionShape): Contraction => {
  expectRecord('shape', shape, 'strides', 'dilations', 'padding');
  const { batch, groups, strides, dilations, outputHeight, outputWidth, filterHeight, filterWidth } = shape;
  const channels = shape.inputChannels / groups;
  const filters = shape.filters / groups;
  const dimension = (name: Name, extent: number, iterator: ContractionDimension['iterator']) => ({
    name,
    extent,
    iterator,
  });
  const operand = (
    name: string,
    indices: readonly AffineExpr[],
    sizes: readonly number[],
    bytes: number,
  ): ContractionOperand => ({ name, map: makeMap(names.length, 0, indices), sizes, bytes });
  const { h, w } = paddedInput(shape);
  const row = add(mul(at.rows, strides.h), mul(at.filterRows, dilations.h));
  const column = add(mul(at.columns, strides.w), mul(at.filterColumns, dilations.w));
  return {
    dimensions: [
      dimension('batch', batch, 'parallel'),
      dimension('group', groups, 'parallel'),
      dimension('filters', filters, 'parallel'),
      dimension('rows', outputHeight, 'parallel'),
      dimension('columns', outputWidth, 'parallel'),
      dimension('channels', channels, 'reduction'),
      dimension('filterRows', filterHeight, 'reduction'),
      dimension('filterColumns', filterWidth, 'reduction'),
    ],
    operands: [
      operand(
        'input',
        [at.batch, at.group, at.channels, row, column],
        [batch, groups, channels, h, w],
        unpackedElementBytes(shape, 'input'),
      ),
      operand(
        'filters',
        [at.group, at.filters, at.channels, at.filterRows, at.filterColumns],
        [groups, filters, channels, filterHeight, filterWidth],
        unpackedElementBytes(shape, 'filters'),
      ),
      operand(
        'output',
        [at.batch, at.group, at.filters, at.rows, at.columns],
        [batch, groups, filters, outputHeight, outputWidth],
        shape.elementBytes,
      ),
    ],
    elementType: shape.elementType,
  };
};

/**
 * The convolution that a contraction is, by the names of its dimensions; undefined for another contraction. Padding is
 * part of the input.
 */
export const convolutionOf = (contraction: Contraction): ConvolutionShape | undefined => {
  expectRecord('contraction', contraction);
  expectList('contraction.dimensions', contraction.dimensions);
  expectList('contraction.operands', contraction.operands);
  const { dimensions, operands, elementType } = contraction;
  const isNamed = names.every((name, i) => dimensions[i]?.name === name);
  if (!isNamed || dimensions.length !== names.length || !isElementType(elementType)) return undefined;
  const [batch, group, filters, , , channels, filterHeight, filterWidth] = dimensions.map(
    ({ extent }) => extent,
  ) as [number, number, number, number, number, number, number, number];
  const [input, weights] = operands;
  const [height, width] = input.sizes.slice(-2) as [number, number];
  const step = (name: Name, index: 3 | 4): number => {
    const unit = names.map((each) => (each === name ? 1 : 0));
    return evaluate(input.map, unit)[index]!;
  };
  return convolution({
    batch,
    groups: group,
    inputChannels: group * channels,
    inputHeight: height,
    inputWidth: width,
    filters: group * filters,
    filterHeight,
    filterWidth,
    strides: { h: step('rows', 3), w: step('columns', 4) },
    dilations: { h: step('filterRows', 3), w: step('filterColumns', 4) },
    elementType,
    ...unpacked(elementType, input.bytes, weights.bytes),
  });
};

const unpacked = (elementType: ElementType, input: number, filters: number) =>
  input === elementBytes(elementType) && filters === input ? {} : { unpackedBytes: { input, filters } };
