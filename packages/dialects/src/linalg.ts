/** The linalg dialect: structured operations on tensors and buffers. */
import type { Dialect, Operation } from '@sconv/ir';
import { aggregates } from './linalg-aggregate.ts';
import { contractions } from './linalg-contractions.ts';
import { convolutions, poolings } from './linalg-conv.ts';
import { elementwiseOps } from './linalg-elementwise.ts';
import { generic, indexOp, yieldOp } from './linalg-generic.ts';
import type { NamedStructure } from './linalg-named.ts';
import { broadcast, map, reduce, transpose } from './linalg-shape-ops.ts';
import type { StructuredView } from './linalg-view.ts';
import { structuredOp } from './linalg-view.ts';

const namedOps = [...contractions, ...convolutions, ...poolings, ...elementwiseOps];

/** Whether an operation is a named convolution (not a pooling). */
export const isConvolution = (operation: Operation): boolean =>
  convolutions.some((definition) => definition.name === operation.name);

/** Whether an operation is a named convolution or pooling: those of upstream's `ConvolutionOpInterface`. */
export const isConvolutionLike = (operation: Operation): boolean =>
  isConvolution(operation) || poolings.some((definition) => definition.name === operation.name);

export {
  pairedMicrokernelMaps,
  isConvertedMultiplyAdd,
  isMultiplyAdd,
  microkernelMaps,
  panelledMaps,
  panelWidthOf,
} from './multiply-add.ts';
export type { PanelWidths } from './multiply-add.ts';
export { panelProduct } from './panel-product.ts';
export type { PanelProduct } from './panel-product.ts';

export { elementwiseOps };

/** The structure of a named op, by its name: `linalg.matmul`. */
export const namedStructure = (name: string): NamedStructure | undefined =>
  namedOps.find((definition) => definition.name === name)?.structure;

export {
  matmul,
  matmulTransposeA,
  matmulTransposeB,
  quantizedMatmul,
  mmt4d,
  batchMmt4d,
  batchMatmul,
  batchMatmulTransposeA,
  batchMatmulTransposeB,
  quantizedBatchMatmul,
  batchReduceMatmul,
  matvec,
  vecmat,
  batchMatvec,
  batchVecmat,
  dot,
} from './linalg-contractions.ts';
export {
  conv1d,
  conv2d,
  conv3d,
  conv1dNwcWcf,
  conv1dNcwFcw,
  conv2dNhwcHwcf,
  conv2dNhwcFhwc,
  conv2dNhwcHwcfQ,
  conv2dNhwcFhwcQ,
  conv2dNchwFchw,
  conv2dNgchwFgchw,
  conv2dNgchwGfchw,
  conv2dNgchwGfchwQ,
  conv3dNdhwcDhwcf,
  conv3dNdhwcDhwcfQ,
  conv3dNcdhwFcdhw,
  depthwiseConv1dNwcWc,
  depthwiseConv1dNcwCw,
  depthwiseConv1dNwcWcm,
  depthwiseConv2dNhwcHwc,
  depthwiseConv2dNchwChw,
  depthwiseConv2dNhwcHwcQ,
  depthwiseConv2dNhwcHwcm,
  depthwiseConv2dNhwcHwcmQ,
  depthwiseConv3dNdhwcDhwc,
  depthwiseConv3dNcdhwCdhw,
  depthwiseConv3dNdhwcDhwcm,
  poolingNhwcSum,
  poolingNchwSum,
  poolingNhwcMax,
  poolingNhwcMaxUnsigned,
  poolingNchwMax,
  poolingNhwcMin,
  poolingNhwcMinUnsigned,
  poolingNwcSum,
  poolingNcwSum,
  poolingNwcMax,
  poolingNwcMaxUnsigned,
  poolingNcwMax,
  poolingNwcMin,
  poolingNwcMinUnsigned,
  poolingNdhwcSum,
  poolingNdhwcMax,
  poolingNdhwcMin,
} from './linalg-conv.ts';
export {
  fill,
  copy,
  elemwiseUnary,
  elemwiseBinary,
  fillRng2d,
  exp,
  log,
  abs,
  ceil,
  floor,
  negf,
  reciprocal,
  round,
  sqrt,
  rsqrt,
  square,
  tanh,
  erf,
  add,
  sub,
  mul,
  div,
  divUnsigned,
  max,
  min,
  powf,
  select,
} from './linalg-elementwise.ts';
export { softmax } from './linalg-aggregate.ts';
export {
  winogradFilterTransform,
  winogradInputTransform,
  winogradOutputTransform,
} from './linalg-winograd.ts';
export { transposedMatrix, winogradMatrices } from './winograd-matrices.ts';
export type { Matrix, WinogradMatrices } from './winograd-matrices.ts';
export { contractions } from './linalg-contractions.ts';
export { convolutions, poolings } from './linalg-conv.ts';
export { generic, genericView, indexOp as index, yieldOp } from './linalg-generic.ts';
export { broadcast, map, reduce, transpose } from './linalg-shape-ops.ts';
export { iteratorAttribute } from './linalg-iterators.ts';
export type { IteratorType } from './linalg-iterators.ts';
export { contractionDimensions, convolutionDimensions } from './linalg-dimensions.ts';
export type { ContractionDimensions, ConvolutionDimensions } from './linalg-dimensions.ts';
export { copyBody, multiplyThenAdd } from './linalg-body.ts';
export { bodyArgumentTypes, buildNamedBody, namedOpBody, scalarBody } from './linalg-named.ts';
export type { NamedStructure } from './linalg-named.ts';
export {
  isStructured,
  loopRangesOf,
  memoizedMaps,
  structured,
  structuredInterfaces,
  structuredOp,
  structuredViewOf,
} from './linalg-view.ts';
export type { NamedOpDefinition } from './linalg-named.ts';
export type { StructuredOp, StructuredView } from './linalg-view.ts';

const structuredOps = [generic, map, reduce, transpose, broadcast, ...namedOps];

/** The dialect, for a registry. */
export const linalgDialect: Dialect = {
  name: 'linalg',
  operations: [...structuredOps, indexOp, yieldOp, ...aggregates],
};

/** The views of the structured ops by name, to attach models to all of them. */
export const structuredViews: ReadonlyMap<string, StructuredView> = new Map(
  structuredOps.map(({ name, models }) => [name, models.get(structuredOp.name) as StructuredView]),
);
