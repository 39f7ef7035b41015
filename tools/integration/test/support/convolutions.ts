/** Convolutions, schedules and caches that together produce every kind of loop nest and edge. */
import type { Edges } from '@sconv/csa';
import { edgeKinds } from '@sconv/csa';
import type { ReferenceShape as OptionalShape } from '@sconv/interpreter';

/** With explicit strides and dilations, one group, no padding. */
export type ConvolutionShape = Required<Omit<OptionalShape, 'padding' | 'groups'>>;

/** A convolution and how to slice it; the caches are so small that even small sizes need several tiles. */
export interface Case {
  readonly name: string;
  readonly shape: ConvolutionShape;
  readonly schedule: 'is' | 'ws';
  /** [N_win, N_f] */
  readonly microkernel: readonly [number, number];
  /** [L1, L2, L3, line] in bytes. */
  readonly caches: readonly [number, number, number, number];
  readonly edges: Edges;
}

interface Geometry {
  readonly batch?: number;
  readonly channels: number;
  /** Height and width of the output. */
  readonly output: readonly [number, number];
  readonly filters: number;
  readonly filter: readonly [number, number];
  readonly stride?: number;
  readonly dilation?: number;
  /** Input rows and columns that no window reaches. */
  readonly slack?: number;
}

const shapeOf = (geometry: Geometry): ConvolutionShape => {
  const { batch = 1, channels, output, filters, filter, stride = 1, dilation = 1, slack = 0 } = geometry;
  const reach = (windows: number, size: number) => (windows - 1) * stride + (size - 1) * dilation + 1 + slack;
  return {
    batch,
    inputChannels: channels,
    inputHeight: reach(output[0], filter[0]),
    inputWidth: reach(output[1], filter[1]),
    filters,
    filterHeight: filter[0],
    filterWidth: filter[1],
    strides: { h: stride, w: stride },
    dilations: { h: dilation, w: dilation },
  };
};

const tiny = [768, 1536, 4096, 64] as const;
const small = [1024, 4096, 16384, 64] as const;

const geometries: readonly (readonly [string, Geometry])[] = [
  ['1x1', { channels: 7, output: [9, 11], filters: 45, filter: [1, 1] }],
  ['1x1 stride 2', { channels: 12, output: [8, 7], filters: 38, filter: [1, 1], stride: 2, slack: 1 }],
  ['3x3', { channels: 5, output: [10, 10], filters: 31, filter: [3, 3] }],
  ['3x3 non-square', { channels: 4, output: [6, 17], filters: 30, filter: [3, 3] }],
  ['3x3 tall', { channels: 3, output: [19, 5], filters: 26, filter: [3, 3] }],
  ['3x3 stride 2', { channels: 6, output: [9, 9], filters: 29, filter: [3, 3], stride: 2, slack: 1 }],
  ['3x3 stride 4', { channels: 3, output: [7, 8], filters: 6, filter: [3, 3], stride: 4 }],
  ['3x3 dilation 2', { channels: 4, output: [8, 9], filters: 7, filter: [3, 3], dilation: 2 }],
  [
    '3x3 stride 2 dilation 2',
    { channels: 3, output: [7, 9], filters: 9, filter: [3, 3], stride: 2, dilation: 2 },
  ],
  ['5x5', { channels: 3, output: [8, 11], filters: 27, filter: [5, 5] }],
  ['5x5 stride 2', { channels: 2, output: [9, 6], filters: 10, filter: [5, 5], stride: 2, slack: 1 }],
  ['7x7 stride 2', { channels: 3, output: [8, 8], filters: 5, filter: [7, 7], stride: 2 }],
  ['7x7 stride 4', { channels: 2, output: [6, 7], filters: 9, filter: [7, 7], stride: 4, slack: 3 }],
  ['1x7', { channels: 4, output: [9, 8], filters: 29, filter: [1, 7] }],
  ['7x1', { channels: 4, output: [7, 9], filters: 23, filter: [7, 1] }],
  ['3x5 stride 2', { channels: 3, output: [6, 9], filters: 8, filter: [3, 5], stride: 2, slack: 1 }],
  ['batch 2', { batch: 2, channels: 4, output: [7, 9], filters: 23, filter: [3, 3] }],
  ['batch 3, 1x1', { batch: 3, channels: 9, output: [5, 7], filters: 6, filter: [1, 1] }],
  ['one row', { channels: 5, output: [1, 37], filters: 35, filter: [3, 3] }],
  ['one column', { channels: 5, output: [37, 1], filters: 9, filter: [3, 3] }],
  ['prime sizes', { channels: 11, output: [13, 11], filters: 47, filter: [3, 3] }],
  ['many channels', { channels: 67, output: [6, 7], filters: 10, filter: [3, 3] }],
  ['many filters', { channels: 3, output: [6, 6], filters: 91, filter: [3, 3] }],
  ['many windows', { channels: 2, output: [23, 19], filters: 6, filter: [3, 3] }],
];

const microkernels = [
  [4, 4],
  [8, 2],
  [5, 3],
  [16, 4],
] as const;

/** Each geometry under both schedules; microkernel, caches and edges vary along the list. */
export const cases: readonly Case[] = geometries.flatMap(([name, geometry], i) =>
  (['is', 'ws'] as const).map((schedule, k): Case => {
    const microkernel = microkernels[(i + k) % microkernels.length]!;
    return {
      name: `${name}, ${schedule}, ${microkernel.join('x')}`,
      shape: shapeOf(geometry),
      schedule,
      microkernel,
      caches: (i + k) % 3 === 0 ? small : tiny,
      edges: edgeKinds[(i + k) % edgeKinds.length]!,
    };
  }),
);

/** ST's Listing 1 on ST's default machine, under both schedules; too large for the interpreter. */
export const listing1: readonly Case[] = (['is', 'ws'] as const).map((schedule) => ({
  name: `Listing 1, ${schedule}`,
  shape: {
    batch: 1,
    inputChannels: 32,
    inputHeight: 152,
    inputWidth: 152,
    filters: 256,
    filterHeight: 3,
    filterWidth: 3,
    strides: { h: 2, w: 2 },
    dilations: { h: 1, w: 1 },
  },
  schedule,
  microkernel: [16, 8],
  caches: [32768, 1048576, 4194304, 128],
  edges: 'scalar',
}));

/** The payload: one named convolution in one function. */
export const payloadText = ({ shape }: Case): string => {
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const [outputHeight, outputWidth] = outputOf(shape);
  const input = `tensor<${batch}x${inputChannels}x${inputHeight}x${inputWidth}xf32>`;
  const filter = `tensor<${filters}x${inputChannels}x${filterHeight}x${filterWidth}xf32>`;
  const output = `tensor<${batch}x${filters}x${outputHeight}x${outputWidth}xf32>`;
  const pair = ({ h, w }: { readonly h: number; readonly w: number }) =>
    `dense<[${h}, ${w}]> : tensor<2xi64>`;
  return `func.func @conv(%in: ${input}, %filters: ${filter}, %out: ${output}) -> ${output} {
  %0 = linalg.conv_2d_nchw_fchw {dilations = ${pair(shape.dilations)}, strides = ${pair(shape.strides)}}
    ins(%in, %filters : ${input}, ${filter}) outs(%out : ${output}) -> ${output}
  return %0 : ${output}
}`;
};

/** Height and width of the output. */
export const outputOf = (shape: ConvolutionShape): readonly [number, number] => {
  const extent = (input: number, filter: number, stride: number, dilation: number) =>
    Math.floor((input - (filter - 1) * dilation - 1) / stride) + 1;
  return [
    extent(shape.inputHeight, shape.filterHeight, shape.strides.h, shape.dilations.h),
    extent(shape.inputWidth, shape.filterWidth, shape.strides.w, shape.dilations.w),
  ];
};

/** The schedule: ST's Listing 9 with the attributes of the case. */
export const scheduleText = ({ schedule, microkernel, caches, edges }: Case): string => {
  const attributes = [
    `mk_info = [${microkernel.join(', ')}]`,
    `arch_info = [${caches.join(', ')}]`,
    `schedule = "${schedule}"`,
    `edges = "${edges}"`,
  ].join(', ');
  return `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %convs = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.op<"linalg.conv_2d_nchw_fchw">
    %kernels, %loops = transform.structured.sconv %convs {${attributes}} : (!transform.op<"linalg.conv_2d_nchw_fchw">) -> (!transform.op<"linalg.generic">, !transform.any_op)
    transform.yield
  }
}`;
};

/** A function with a convolution, on tensors. */
export const convolutionFunction = (name: string, shape: ConvolutionShape): string => {
  const type = (...sizes: readonly number[]): string => `tensor<${sizes.join('x')}xf32>`;
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const input = type(batch, inputChannels, inputHeight, inputWidth);
  const weights = type(filters, inputChannels, filterHeight, filterWidth);
  const output = type(batch, filters, ...outputOf(shape));
  const pair = ({ h, w }: { readonly h: number; readonly w: number }): string =>
    `dense<[${h}, ${w}]> : tensor<2xi64>`;
  return `func.func @${name}(%i: ${input}, %f: ${weights}, %o: ${output}) -> ${output} {
    %r = linalg.conv_2d_nchw_fchw {strides = ${pair(shape.strides)}, dilations = ${pair(shape.dilations)}}
      ins(%i, %f : ${input}, ${weights}) outs(%o : ${output}) -> ${output}
    return %r : ${output}
  }`;
};
