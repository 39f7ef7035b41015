/**
 * What a generic convolution is, read off its indexing maps: so that a pass asks for what it needs and not for an op
 * name.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { equals, makeMap, dim } from '@sconv/affine';
import type { StructuredOp } from '@sconv/dialects/linalg';
import type { TensorType } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';

/** A pair along height and width. */
export interface Extent {
  readonly h: number;
  readonly w: number;
}

/** A convolution in NCHW/FCHW with its sizes in elements (ST §2.1), padding included in the input. */
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
}

/** `(d_window * stride + d_filter * dilation)`: both factors, or undefined if `expr` is something else. */
const strideAndDilation = (
  expr: AffineExpr,
  window: number,
  filter: number,
): { readonly stride: number; readonly dilation: number } | undefined => {
  if (expr.kind !== 'add') return undefined;
  const stride = factorOf(expr.lhs, window);
  const dilation = factorOf(expr.rhs, filter);
  return stride === undefined || dilation === undefined ? undefined : { stride, dilation };
};

const factorOf = (expr: AffineExpr, position: number): number | undefined => {
  if (expr.kind === 'dim') return expr.position === position ? 1 : undefined;
  if (expr.kind !== 'mul' || expr.rhs.kind !== 'constant' || expr.rhs.value <= 0) return undefined;
  return expr.lhs.kind === 'dim' && expr.lhs.position === position ? expr.rhs.value : undefined;
};

const filterMap = makeMap(7, 0, [dim(1), dim(4), dim(5), dim(6)]);
const outputMap = makeMap(7, 0, [dim(0), dim(1), dim(2), dim(3)]);
/** How many of the seven dimensions index the output; the others are reduced. */
const parallelDimensions = 4;

/**
 * The geometry of a structured op over (N, F, OH, OW, C, FH, FW) with the maps of `linalg.conv_2d_nchw_fchw`, named or
 * generalized, on tensors of static shape; undefined for anything else.
 */
export const convolutionGeometry = ({
  inputs,
  outputs,
  indexingMaps,
  iteratorTypes,
}: StructuredOp): ConvolutionGeometry | undefined => {
  if (iteratorTypes.some((type, i) => (type === 'parallel') !== i < parallelDimensions)) return undefined;
  const [input, filter] = inputs;
  const [output] = outputs;
  if (input === undefined || filter === undefined || output === undefined) return undefined;
  if (inputs.length !== 2 || outputs.length !== 1) return undefined;
  const shapes = [input, filter, output].map((value) => staticTensor(value.type));
  const [inputShape, filterShape, outputShape] = shapes;
  if (inputShape === undefined || filterShape === undefined || outputShape === undefined) return undefined;
  const windows = windowFactors(indexingMaps);
  if (windows === undefined) return undefined;
  const [batch, inputChannels, inputHeight, inputWidth] = inputShape;
  const [filters, , filterHeight, filterWidth] = filterShape;
  const [, , outputHeight, outputWidth] = outputShape;
  return {
    batch: batch!,
    inputChannels: inputChannels!,
    inputHeight: inputHeight!,
    inputWidth: inputWidth!,
    filters: filters!,
    filterHeight: filterHeight!,
    filterWidth: filterWidth!,
    outputHeight: outputHeight!,
    outputWidth: outputWidth!,
    strides: { h: windows.rows.stride, w: windows.columns.stride },
    dilations: { h: windows.rows.dilation, w: windows.columns.dilation },
  };
};

const windowFactors = (maps: readonly AffineMap[]) => {
  const [input, filter, output] = maps;
  if (input?.numDims !== 7 || filter === undefined || output === undefined) return undefined;
  if (!equals(filter, filterMap) || !equals(output, outputMap)) return undefined;
  const [batch, channel, row, column] = input.results;
  if (input.results.length !== 4) return undefined;
  if (batch?.kind !== 'dim' || batch.position !== 0 || channel?.kind !== 'dim' || channel.position !== 4) {
    return undefined;
  }
  const rows = strideAndDilation(row!, 2, 5);
  const columns = strideAndDilation(column!, 3, 6);
  return rows === undefined || columns === undefined ? undefined : { rows, columns };
};

const staticTensor = (type: { readonly kind: string }): readonly number[] | undefined =>
  type.kind === 'tensor' && isStaticShape(type as TensorType) ? (type as TensorType).shape : undefined;
