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
const names = ['batch', 'group', 'filters', 'rows', 'columns', 'channels', 'tapRows', 'tapColumns'] as const;

type Name = (typeof names)[number];

const at = Object.fromEntries(names.map((name, position) => [name, dim(position)])) as Readonly<
  Record<Name, AffineExpr>
>;

/** The order of the dimensions of each operand: n image, g group, c channel, f filter, h row, w column. */
export interface OperandLayouts {
  readonly input: string;
  readonly filters: string;
  readonly output: string;
}

const standardLayouts: OperandLayouts = { input: 'ngchw', filters: 'gfchw', output: 'ngfhw' };

/**
 * The contraction that a convolution is, padding included; channels and filters are per group. Operands lie as those of
 * `linalg.conv_2d_ngchw_gfchw` do, or in other `layouts`.
 */
export const contractionOf = (
  shape: ConvolutionShape,
  layouts: OperandLayouts = standardLayouts,
): Contraction => {
  expectRecord('shape', shape, 'strides', 'dilations', 'padding');
  expectRecord('layouts', layouts);
  const { batch, groups, strides, dilations, outputHeight, outputWidth, filterHeight, filterWidth } = shape;
  const channels = shape.inputChannels / groups;
  const filters = shape.filters / groups;
  const dimension = (name: Name, extent: number, iterator: ContractionDimension['iterator']) => ({
    name,
    extent,
    iterator,
  });
  type Index = readonly [AffineExpr, size: number];
  const { h, w } = paddedInput(shape);
  const common = {
    n: [at.batch, batch],
    g: [at.group, groups],
    c: [at.channels, channels],
    f: [at.filters, filters],
  } satisfies Record<string, Index>;
  const operand = (
    name: keyof OperandLayouts,
    place: Readonly<Record<string, Index>>,
    bytes: number,
  ): ContractionOperand => {
    const known: Readonly<Record<string, Index>> = { ...common, ...place };
    const indices = Array.from(layouts[name]).flatMap((letter) => {
      const index = known[letter];
      return index === undefined ? [] : [index];
    });
    return {
      name,
      map: makeMap(
        names.length,
        0,
        indices.map(([expr]) => expr),
      ),
      sizes: indices.map(([, size]) => size),
      bytes,
    };
  };
  const row = add(mul(at.rows, strides.h), mul(at.tapRows, dilations.h));
  const column = add(mul(at.columns, strides.w), mul(at.tapColumns, dilations.w));
  return {
    dimensions: [
      dimension('batch', batch, 'parallel'),
      dimension('group', groups, 'parallel'),
      dimension('filters', filters, 'parallel'),
      dimension('rows', outputHeight, 'parallel'),
      dimension('columns', outputWidth, 'parallel'),
      dimension('channels', channels, 'reduction'),
      dimension('tapRows', filterHeight, 'reduction'),
      dimension('tapColumns', filterWidth, 'reduction'),
    ],
    operands: [
      operand('input', { h: [row, h], w: [column, w] }, unpackedElementBytes(shape, 'input')),
      operand(
        'filters',
        { h: [at.tapRows, filterHeight], w: [at.tapColumns, filterWidth] },
        unpackedElementBytes(shape, 'filters'),
      ),
      operand('output', { h: [at.rows, outputHeight], w: [at.columns, outputWidth] }, shape.elementBytes),
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
  const [batch, group, filters, rows, columns, channels, filterHeight, filterWidth] = dimensions.map(
    ({ extent }) => extent,
  ) as [number, number, number, number, number, number, number, number];
  const [input, weights] = operands;
  const unit = (name?: Name) => names.map((each) => (each === name ? 1 : 0));
  /** The size of the input that a dimension moves along, and by how much; of a matrix product, one column. */
  const along = (window: Name, windows: number, tap: Name, taps: number) => {
    const origin = evaluate(input.map, unit());
    const index = evaluate(input.map, unit(window)).findIndex((value, i) => value !== origin[i]);
    if (index < 0) return { size: 1, stride: 1, dilation: 1 };
    const step = (name: Name): number => evaluate(input.map, unit(name))[index]! - origin[index]!;
    const [stride, dilation] = [step(window), step(tap) || 1];
    // Rows and columns behind the last window may be enough for another one, which is not computed.
    const reached = (windows - 1) * stride + (taps - 1) * dilation + 1;
    const size = input.sizes[index]!;
    return { size: size - reached < stride ? size : reached, stride, dilation };
  };
  const vertical = along('rows', rows, 'tapRows', filterHeight);
  const horizontal = along('columns', columns, 'tapColumns', filterWidth);
  return convolution({
    batch,
    groups: group,
    inputChannels: group * channels,
    inputHeight: vertical.size,
    inputWidth: horizontal.size,
    filters: group * filters,
    filterHeight,
    filterWidth,
    strides: { h: vertical.stride, w: horizontal.stride },
    dilations: { h: vertical.dilation, w: horizontal.dilation },
    elementType,
    ...unpacked(elementType, input.bytes, weights.bytes),
  });
};

const unpacked = (elementType: ElementType, input: number, filters: number) =>
  input === elementBytes(elementType) && filters === input ? {} : { unpackedBytes: { input, filters } };
