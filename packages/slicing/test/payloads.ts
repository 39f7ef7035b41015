/** Shared by the tests of this package. */
import type { convolutionNames } from '../src/index.ts';
import { firstDifference } from '@sconv/interpreter/testing';
import { transforms as normalization } from '@sconv/normalization/transforms';
import { transforms as packing } from '@sconv/packing/transforms';
import { transforms as splitting } from '@sconv/splitting/transforms';
import { transforms as tiling } from '@sconv/tiling/transforms';
import { scriptPrinter, scriptTester } from '@sconv/transform/testing';
import { transforms } from '../src/transforms.ts';

/** The transform and everything that it expands to. */
export const allTransforms = [...normalization, ...splitting, ...tiling, ...packing, ...transforms];

/** Also checks that each payload computes the same afterwards. */
export const apply = scriptTester(allTransforms, { difference: firstDifference });

export const printed = scriptPrinter(allTransforms);

/** Slices the ops with this name: `%kernels`, `%loops`. */
export const sconv = (attributes: string, op = 'linalg.conv_2d_nchw_fchw'): string =>
  `%conv = transform.structured.match ops{["${op}"]} in %root : (!transform.any_op) -> !transform.any_op
%kernels, %loops = transform.structured.sconv %conv ${attributes} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`;

/** Input, filter and output layouts of the supported ops, as letters. */
const layouts = {
  'linalg.conv_2d_nchw_fchw': ['nchw', 'fchw', 'nfhw'],
  'linalg.conv_2d_nhwc_hwcf': ['nhwc', 'hwcf', 'nhwf'],
  'linalg.conv_2d_nhwc_fhwc': ['nhwc', 'fhwc', 'nhwf'],
  'linalg.conv_2d_ngchw_fgchw': ['ngchw', 'fgchw', 'ngfhw'],
  'linalg.conv_2d_ngchw_gfchw': ['ngchw', 'gfchw', 'ngfhw'],
  'linalg.conv_2d_nhwc_hwcf_q': ['nhwc', 'hwcf', 'nhwf'],
  'linalg.conv_2d_nhwc_fhwc_q': ['nhwc', 'fhwc', 'nhwf'],
  'linalg.conv_2d_ngchw_gfchw_q': ['ngchw', 'gfchw', 'ngfhw'],
} as const satisfies Record<NamedConvolution, readonly [string, string, string]>;

/** The named convolutions. */
export type NamedConvolution = (typeof convolutionNames)[number];

/** Element types of an input, filters and output, and of the zero points of a quantized convolution. */
export interface Elements {
  readonly input: string;
  readonly filters: string;
  readonly output: string;
  readonly zeroPoint?: string;
}

const alike = (type: string): Elements => ({ input: type, filters: type, output: type, zeroPoint: type });

export const loopsOf = (text: string): number => text.match(/scf\.for/g)?.length ?? 0;
export const microkernelsOf = (text: string): number => text.match(/\{microkernel\}/g)?.length ?? 0;

/** A convolution, with channels and filters per group; pairs are height and width. */
export interface Convolution {
  readonly op?: NamedConvolution;
  readonly groups?: number;
  /** One for all operands, or one for each; f32 by default. */
  readonly element?: string | Elements;
  readonly batch?: number;
  readonly channels: number;
  readonly filters: number;
  readonly filter: readonly [number, number];
  readonly output: readonly [number, number];
  readonly strides?: readonly [number, number];
  readonly dilations?: readonly [number, number];
  /** Rows and columns of the input that no window reaches. */
  readonly slack?: readonly [number, number];
}

/** A named convolution; `linalg.conv_2d_nchw_fchw` by default. The zero points of a quantized one are arguments. */
export const convolutionText = (shape: Convolution): string => {
  const { op = 'linalg.conv_2d_nchw_fchw', groups = 1, batch = 1, channels, filters, filter, output } = shape;
  const { element = 'f32' } = shape;
  const elements = typeof element === 'string' ? alike(element) : element;
  const types = [elements.input, elements.filters, elements.output];
  const { strides = [1, 1], dilations = [1, 1], slack = [0, 0] } = shape;
  const [height, width] = [0, 1].map(
    (i) => (output[i]! - 1) * strides[i]! + (filter[i]! - 1) * dilations[i]! + 1 + slack[i]!,
  );
  const sizes = [
    { h: height, w: width },
    { h: filter[0], w: filter[1] },
    { h: output[0], w: output[1] },
  ].map((each) => ({ n: batch, g: groups, c: channels, f: filters, ...each }));
  const [input, weights, result] = layouts[op].map(
    (letters, i) =>
      `tensor<${Array.from(letters, (letter) => sizes[i]![letter as keyof (typeof sizes)[number]]).join('x')}x${types[i]!}>`,
  );
  const zeroPoints = op.endsWith('_q') ? ['%za', '%zb'] : [];
  const zeroPoint = elements.zeroPoint ?? elements.output;
  const names = ['%in', '%filters', ...zeroPoints];
  const inputs = [input!, weights!, ...zeroPoints.map(() => zeroPoint)];
  const parameters = names.map((name, i) => `${name}: ${inputs[i]!}`).join(', ');
  return `func.func @conv(${parameters}, %out: ${result!}) -> ${result!} {
  %0 = ${op} {dilations = dense<[${dilations.join(', ')}]> : tensor<2xi64>, strides = dense<[${strides.join(', ')}]> : tensor<2xi64>} ins(${names.join(', ')} : ${inputs.join(', ')}) outs(%out : ${result!}) -> ${result!}
  return %0 : ${result!}
}
`;
};
