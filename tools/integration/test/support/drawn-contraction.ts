/** Random contractions as ops on tensors, and what plain loops compute of them. */
import fc from 'fast-check';
import { evaluate } from '@sconv/affine';
import { contractionOf, convolution, extentsOf, slice } from '@sconv/csa';
import type { ConvolutionShape } from '@sconv/csa';
import { integerData } from '@sconv/interpreter';
import type { Contraction } from '@sconv/plans';
import type { ConvolutionName } from '@sconv/slicing';
import type { DrawnSpace } from './draw-plan.ts';

/** A contraction as an op on tensors. */
export interface Drawn {
  readonly name: ConvolutionName;
  readonly attributes: string;
  readonly shape: ConvolutionShape;
  readonly contraction: Contraction;
  readonly space: DrawnSpace;
}

const size = (max: number) => fc.integer({ min: 1, max });

const sizes = fc
  .record({
    batch: size(2),
    inputChannels: size(6),
    filters: size(9),
    rows: size(5),
    columns: size(6),
    filterHeight: size(3),
    filterWidth: size(3),
    stride: size(2),
    dilation: size(2),
  })
  .map(({ rows, columns, stride, dilation, ...others }) =>
    convolution({
      ...others,
      inputHeight: (rows - 1) * stride + (others.filterHeight - 1) * dilation + 1,
      inputWidth: (columns - 1) * stride + (others.filterWidth - 1) * dilation + 1,
      strides: { h: stride, w: stride },
      dilations: { h: dilation, w: dilation },
    }),
  );

const openExtents = (shape: ConvolutionShape): DrawnSpace['open'] => ({
  batch: shape.batch,
  group: 1,
  channels: shape.inputChannels,
  filters: shape.filters,
  rows: shape.outputHeight,
  columns: shape.outputWidth,
  tapRows: shape.filterHeight,
  tapColumns: shape.filterWidth,
});

/** A convolution with operands that lie so. */
export const ofLayout =
  (
    name: ConvolutionName,
    layouts: { readonly input: string; readonly filters: string; readonly output: string },
  ) =>
  (shape: ConvolutionShape): Drawn => {
    const { strides, dilations, inputWidth, outputWidth } = shape;
    const isChannelsLast = layouts.output.endsWith('f');
    // Windows one after another, at equal distances; along lanes next to each other.
    const isEven = outputWidth === 1 || strides.h * inputWidth === strides.w * outputWidth;
    const isDense = isChannelsLast || outputWidth === 1 || strides.w === 1;
    const isDenseFused =
      isChannelsLast || (outputWidth === 1 ? strides.h * inputWidth === 1 : strides.w === 1);
    return {
      name,
      attributes: `{dilations = dense<${dilations.h}> : tensor<2xi64>, strides = dense<${strides.h}> : tensor<2xi64>}`,
      shape,
      contraction: contractionOf(shape, layouts),
      space: {
        extents: extentsOf(slice(shape, { windows: 1, filters: 1 })),
        open: openExtents(shape),
        isChannelsLast,
        mayReadInput: { windows: isEven && isDenseFused, rows: isDense },
      },
    };
  };

/** A product, or `groups` of them. */
export const product = ({ inputChannels, filters, inputHeight }: ConvolutionShape, groups = 1): Drawn => {
  const shape = convolution({
    filterHeight: 1,
    filterWidth: 1,
    inputWidth: 1,
    inputChannels: groups * inputChannels,
    filters: groups * filters,
    inputHeight,
    groups,
  });
  const batch = groups === 1 ? '' : 'g';
  return {
    name: groups === 1 ? 'linalg.matmul' : 'linalg.batch_matmul',
    attributes: '',
    shape,
    contraction: contractionOf(shape, { input: `${batch}ch`, filters: `${batch}fc`, output: `${batch}fh` }),
    space: {
      extents: extentsOf(slice(shape, { windows: 1, filters: 1 })),
      open: undefined,
      isChannelsLast: false,
      mayReadInput: { windows: true, rows: false },
    },
  };
};

export const contractions = fc.oneof(
  sizes.map(ofLayout('linalg.conv_2d_nchw_fchw', { input: 'nchw', filters: 'fchw', output: 'nfhw' })),
  sizes.map(ofLayout('linalg.conv_2d_nhwc_hwcf', { input: 'nhwc', filters: 'hwcf', output: 'nhwf' })),
  sizes.map((shape) => product(shape)),
  sizes.map((shape) => product(shape, 3)),
);

export const textOf = ({ name, attributes, contraction: { operands } }: Drawn): string => {
  const [input, filters, output] = operands.map((each) => `tensor<${each.sizes.join('x')}xf32>`);
  // A product has the filters first.
  const isProduct = name.endsWith('matmul');
  const [first, second] = isProduct ? ['%f', '%x'] : ['%x', '%f'];
  const [a, b] = isProduct ? [filters, input] : [input, filters];
  return `func.func @f(%x: ${input!}, %f: ${filters!}, %y: ${output!}) -> ${output!} {
    %0 = ${name} ${attributes} ins(${first}, ${second} : ${a!}, ${b!}) outs(%y : ${output!}) -> ${output!}
    return %0 : ${output!}
  }`;
};

/** The operands' data, and what plain loops add to the output. */
export const dataOf = ({ operands, dimensions }: Contraction) => {
  const [input, filters, output] = operands.map(({ sizes: of }, i) =>
    integerData(
      of.reduce((all, each) => all * each, 1),
      i + 1,
    ),
  ) as [Float32Array, Float32Array, Float32Array];
  const steps = operands.map(({ map, sizes: of }) =>
    dimensions.map((_, d) => {
      const at = evaluate(
        map,
        dimensions.map((__, i) => (i === d ? 1 : 0)),
      );
      return at.reduce(
        (sum, index, i) => sum + index * of.slice(i + 1).reduce((all, each) => all * each, 1),
        0,
      );
    }),
  );
  const expected = output.slice();
  const visit = (d: number, places: readonly number[]): void => {
    const dimension = dimensions[d];
    if (dimension === undefined) {
      expected[places[2]!]! += input[places[0]!]! * filters[places[1]!]!;
      return;
    }
    for (let i = 0; i < dimension.extent; i += 1)
      visit(
        d + 1,
        places.map((place, operand) => place + i * steps[operand]![d]!),
      );
  };
  visit(0, [0, 0, 0]);
  return { input, filters, output, expected };
};

/** Operands, and what plain loops add to the output. */
export type DataOf = ReturnType<typeof dataOf>;
