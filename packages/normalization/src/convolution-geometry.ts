/**
 * The geometry of a convolution, derived from its indexing maps, so that passes match structure instead of op names. A
 * matrix product is one with a single tap: the rows of its first operand are filters, the columns of the second windows
 * of an image one column wide.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import type { NamedOpDefinition, StructuredOp } from '@sconv/dialects/linalg';
import {
  batchMatmul,
  batchMatmulTransposeA,
  batchMatmulTransposeB,
  conv2dNchwFchw,
  conv2dNgchwFgchw,
  conv2dNgchwGfchw,
  conv2dNgchwGfchwQ,
  conv2dNhwcFhwc,
  conv2dNhwcFhwcQ,
  conv2dNhwcHwcf,
  conv2dNhwcHwcfQ,
  depthwiseConv2dNchwChw,
  depthwiseConv2dNhwcHwc,
  depthwiseConv2dNhwcHwcm,
  depthwiseConv2dNhwcHwcmQ,
  depthwiseConv2dNhwcHwcQ,
  matmul,
  matmulTransposeA,
  matmulTransposeB,
  quantizedBatchMatmul,
  quantizedMatmul,
} from '@sconv/dialects/linalg';
import type { TensorType } from '@sconv/ir';
import { isShaped, isStaticShape } from '@sconv/ir';

/** A pair of height and width. */
export interface Extent {
  readonly h: number;
  readonly w: number;
}

/** The sizes of a convolution in elements (ST §2.1), over all groups; the input includes padding. */
export interface ConvolutionGeometry {
  readonly batch: number;
  /** I_c */
  readonly inputChannels: number;
  readonly inputHeight: number;
  readonly inputWidth: number;
  /** O_c */
  readonly filters: number;
  readonly filterHeight: number;
  readonly filterWidth: number;
  readonly outputHeight: number;
  readonly outputWidth: number;
  readonly strides: Extent;
  readonly dilations: Extent;
  readonly groups: number;
}

/**
 * Operand layouts of a convolution, one letter per dimension: n image, g group, c channel, f filter, h row, w column.
 * A matrix product has no w.
 */
export interface ConvolutionForm {
  /** The named op, if there is one; a generic with its maps has the same form. */
  readonly definition?: NamedOpDefinition;
  /** The same with two scalars after the filters: the zero points of input and filters. */
  readonly quantized?: NamedOpDefinition;
  /** Each group of a `grouped` convolution is a `dense` one; the groups of a `depthwise` one have a single channel. */
  readonly kind: 'dense' | 'grouped' | 'depthwise';
  readonly input: string;
  readonly filters: string;
  readonly output: string;
  /** The positions of input and filters among the operands. */
  readonly operands: readonly [input: number, filters: number];
}

/** A convolution with its form. */
export interface FormedConvolution {
  readonly form: ConvolutionForm;
  readonly geometry: ConvolutionGeometry;
}

const form = (
  definition: NamedOpDefinition | undefined,
  kind: ConvolutionForm['kind'],
  [input, filters, output]: readonly [string, string, string],
  quantized?: NamedOpDefinition,
): ConvolutionForm => ({
  ...(definition === undefined ? {} : { definition }),
  kind,
  input,
  filters,
  output,
  operands: [0, 1],
  ...(quantized === undefined ? {} : { quantized }),
});

/** A matrix product by the layouts of its operands in their order; the channels are those of both. */
const product = (
  definition: NamedOpDefinition | undefined,
  filters: string,
  input: string,
  quantized?: NamedOpDefinition,
): ConvolutionForm => {
  const isBatch = input.includes('g');
  const layouts = [input, filters, isBatch ? 'gfh' : 'fh'] as const;
  return { ...form(definition, isBatch ? 'grouped' : 'dense', layouts, quantized), operands: [1, 0] };
};

/** linalg's two-dimensional convolutions, and its products of two matrices. */
export const convolutionForms: readonly ConvolutionForm[] = [
  form(conv2dNchwFchw, 'dense', ['nchw', 'fchw', 'nfhw']),
  form(conv2dNhwcHwcf, 'dense', ['nhwc', 'hwcf', 'nhwf'], conv2dNhwcHwcfQ),
  form(conv2dNhwcFhwc, 'dense', ['nhwc', 'fhwc', 'nhwf'], conv2dNhwcFhwcQ),
  form(conv2dNgchwFgchw, 'grouped', ['ngchw', 'fgchw', 'ngfhw']),
  form(conv2dNgchwGfchw, 'grouped', ['ngchw', 'gfchw', 'ngfhw'], conv2dNgchwGfchwQ),
  form(depthwiseConv2dNchwChw, 'depthwise', ['nghw', 'ghw', 'nghw']),
  form(depthwiseConv2dNhwcHwc, 'depthwise', ['nhwg', 'hwg', 'nhwg'], depthwiseConv2dNhwcHwcQ),
  form(depthwiseConv2dNhwcHwcm, 'depthwise', ['nhwg', 'hwgf', 'nhwgf'], depthwiseConv2dNhwcHwcmQ),
  product(matmul, 'fc', 'ch', quantizedMatmul),
  product(matmulTransposeA, 'cf', 'ch'),
  product(matmulTransposeB, 'fc', 'hc'),
  product(undefined, 'cf', 'hc'),
  product(batchMatmul, 'gfc', 'gch', quantizedBatchMatmul),
  product(batchMatmulTransposeA, 'gcf', 'gch'),
  product(batchMatmulTransposeB, 'gfc', 'ghc'),
  product(undefined, 'gcf', 'ghc'),
];

/** Whether a form is that of a matrix product. */
export const isProductForm = ({ output }: ConvolutionForm): boolean => !output.includes('w');

/** A structured op without scalars after its first two inputs; these do not depend on the iteration. */
const withoutZeroPoints = (view: StructuredOp): StructuredOp => {
  const { inputs, indexingMaps } = view;
  const isZeroPoint = inputs.map(({ type }, i) => i >= 2 && !isShaped(type));
  return {
    ...view,
    inputs: inputs.filter((_, i) => isZeroPoint[i] !== true),
    indexingMaps: indexingMaps.filter((_, i) => isZeroPoint[i] !== true),
  };
};

/** `(d_window * stride + d_filter * dilation)`: both factors; undefined for any other `expr`. */
const strideAndDilation = (
  expr: AffineExpr | undefined,
  window: number,
  filter: number,
): { readonly stride: number; readonly dilation: number } | undefined => {
  if (expr?.kind !== 'add') return undefined;
  const stride = factorOf(expr.lhs, window);
  const dilation = factorOf(expr.rhs, filter);
  return stride === undefined || dilation === undefined ? undefined : { stride, dilation };
};

const factorOf = (expr: AffineExpr, position: number): number | undefined => {
  if (expr.kind === 'dim') return expr.position === position ? 1 : undefined;
  if (expr.kind !== 'mul' || expr.rhs.kind !== 'constant' || expr.rhs.value <= 0) return undefined;
  return expr.lhs.kind === 'dim' && expr.lhs.position === position ? expr.rhs.value : undefined;
};

/**
 * The form and sizes of a structured op, named or generalized, quantized or not; undefined for anything else, and for
 * dynamic sizes.
 */
export const formedConvolution = (whole: StructuredOp): FormedConvolution | undefined => {
  const view = withoutZeroPoints(whole);
  if (view.inputs.length !== 2 || view.outputs.length !== 1) return undefined;
  const [first, second, outputShape] = [...view.inputs, ...view.outputs].map(({ type }) =>
    staticTensor(type),
  );
  if (first === undefined || second === undefined || outputShape === undefined) return undefined;
  const shapes = [first, second];
  for (const each of convolutionForms) {
    const factors = windowFactors(view, each);
    if (factors === undefined) continue;
    const sizes = (letters: string, shape: readonly number[]) => (letter: string) =>
      shape[letters.indexOf(letter)] ?? 1;
    const ofInput = sizes(each.input, shapes[each.operands[0]]!);
    const ofFilter = sizes(each.filters, shapes[each.operands[1]]!);
    const ofOutput = sizes(each.output, outputShape);
    const groups = ofInput('g');
    return {
      form: each,
      geometry: {
        batch: ofInput('n'),
        inputChannels: groups * ofInput('c'),
        inputHeight: ofInput('h'),
        inputWidth: ofInput('w'),
        filters: groups * ofFilter('f'),
        filterHeight: ofFilter('h'),
        filterWidth: ofFilter('w'),
        outputHeight: ofOutput('h'),
        outputWidth: ofOutput('w'),
        strides: { h: factors.h.stride, w: factors.w.stride },
        dilations: { h: factors.h.dilation, w: factors.w.dilation },
        groups,
      },
    };
  }
  return undefined;
};

/**
 * The geometry of a structured op over (N, F, OH, OW, C, FH, FW) with the maps of `linalg.conv_2d_nchw_fchw`, named or
 * generalized, on tensors of static shape; undefined for anything else.
 */
export const convolutionGeometry = (view: StructuredOp): ConvolutionGeometry | undefined => {
  const formed = formedConvolution(view);
  return formed?.form.definition === conv2dNchwFchw ? formed.geometry : undefined;
};

const unit = { stride: 1, dilation: 1 };

/**
 * The maps of input, filters and output of a form, over the output's dimensions in their order, then the others of the
 * filters: those of the named op. A matrix product has no rows and columns of filters.
 */
export const formMaps = (
  form: ConvolutionForm,
  { strides, dilations }: Pick<ConvolutionGeometry, 'strides' | 'dilations'>,
): readonly [input: AffineMap, filters: AffineMap, output: AffineMap] => {
  const isProduct = isProductForm(form);
  const reduced = Array.from(form.filters).filter((letter) => !'gf'.includes(letter));
  const rank = form.output.length + reduced.length;
  const ofOutput = (letter: string): AffineExpr => dim(form.output.indexOf(letter));
  const ofFilters = (letter: string): AffineExpr =>
    reduced.includes(letter) ? dim(form.output.length + reduced.indexOf(letter)) : ofOutput(letter);
  const ofInput = (letter: string): AffineExpr => {
    if (letter === 'c') return ofFilters(letter);
    if (isProduct || (letter !== 'h' && letter !== 'w')) return ofOutput(letter);
    return ofOutput(letter).mul(strides[letter]).add(ofFilters(letter).mul(dilations[letter]));
  };
  const mapOf = (letters: string, of: (letter: string) => AffineExpr): AffineMap =>
    makeMap(rank, 0, Array.from(letters, of));
  return [mapOf(form.input, ofInput), mapOf(form.filters, ofFilters), mapOf(form.output, ofOutput)];
};

const unitExtent = { h: 1, w: 1 };

/** The maps of each form of a matrix product. */
const productMaps = new Map(
  convolutionForms
    .filter(isProductForm)
    .map((each) => [each, formMaps(each, { strides: unitExtent, dilations: unitExtent })] as const),
);

/** Whether a matrix product has these maps. */
const hasMapsOf = (form: ConvolutionForm, maps: readonly AffineMap[]): boolean => {
  const [input, filters, output] = productMaps.get(form)!;
  const [at, filtersAt] = form.operands;
  return equals(input, maps[at]!) && equals(filters, maps[filtersAt]!) && equals(output, maps[2]!);
};

/** Strides and dilations of an op with the maps of a form; undefined for other maps. */
const windowFactors = ({ indexingMaps, iteratorTypes }: StructuredOp, each: ConvolutionForm) => {
  const parallel = each.output.length;
  const iterators = iteratorTypes.map((_, i) => (i < parallel ? 'parallel' : 'reduction'));
  if (String(iterators) !== String(iteratorTypes)) return undefined;
  if (isProductForm(each)) {
    const isProduct = iterators.length === parallel + 1 && hasMapsOf(each, indexingMaps);
    return isProduct ? { h: unit, w: unit } : undefined;
  }
  const structure = each.definition!.structure;
  // The form's maps without strides and dilations: sums of a window and a filter position.
  const [expectedInput, expectedFilter, expectedOutput] = structure.indexingMaps([], {});
  const [input, filter, output] = indexingMaps;
  if (input?.numDims !== iterators.length || input.results.length !== each.input.length) return undefined;
  if (!equals(filter!, expectedFilter!) || !equals(output!, expectedOutput!)) return undefined;
  const others = Array.from(each.input).every((letter, i) => {
    const [own, expected] = [input.results[i]!, expectedInput!.results[i]!];
    if (letter === 'h' || letter === 'w') return true;
    return own.kind === 'dim' && expected.kind === 'dim' && own.position === expected.position;
  });
  if (!others) return undefined;
  const factors = (letter: 'h' | 'w') => {
    const [window, tap] = [
      expectedOutput!.results[each.output.indexOf(letter)]!,
      expectedFilter!.results[each.filters.indexOf(letter)]!,
    ];
    if (window.kind !== 'dim' || tap.kind !== 'dim') return undefined;
    return strideAndDilation(input.results[each.input.indexOf(letter)], window.position, tap.position);
  };
  const [h, w] = [factors('h'), factors('w')];
  return h === undefined || w === undefined ? undefined : { h, w };
};

const staticTensor = (type: { readonly kind: string }): readonly number[] | undefined =>
  type.kind === 'tensor' && isStaticShape(type as TensorType) ? (type as TensorType).shape : undefined;
