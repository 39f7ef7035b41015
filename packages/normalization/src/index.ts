export { contractionLayout } from './contraction-layout.ts';
export type { ContractionLayout, OperandLayout } from './contraction-layout.ts';
export { contractionOf, factorPositions } from './contraction-of.ts';
export {
  convolutionForms,
  convolutionGeometry,
  formMaps,
  formedConvolution,
  isProductForm,
} from './convolution-geometry.ts';
export type {
  ConvolutionForm,
  ConvolutionGeometry,
  Extent,
  FormedConvolution,
} from './convolution-geometry.ts';
export { decomposeInterfaceOp } from './decompose-interface-op.ts';
export { decomposeOp } from './decompose-op.ts';
export { decomposeWinogradOp } from './decompose-winograd-op.ts';
export { delinearizeOp } from './delinearize-op.ts';
export { dropUnitGroupOp } from './drop-unit-group-op.ts';
export { foldPadOp } from './fold-pad-op.ts';
export { fuseElementwise, fuseElementwisePass } from './fuse-elementwise.ts';
export { biasAfterSums, biasAfterSumsPass } from './bias-after-sums.ts';
export { generalizePass } from './generalize-pass.ts';
export { specializePass } from './specialize-pass.ts';
export { specializeOp } from './specialize-op.ts';
export { flattenElementwiseOp } from './flatten-elementwise-op.ts';
export { generalizeOp } from './generalize-op.ts';
export { img2colOp } from './img2col-op.ts';
export type { Img2colResult } from './img2col-op.ts';
export { interchangeOp } from './interchange-op.ts';
export { insertSliceToCopyOp } from './insert-slice-to-copy-op.ts';
export { linearizeOp } from './linearize-op.ts';
export { normalizeContractionOp } from './normalize-contraction-op.ts';
export { transposeConv2dOp, transposeMatmulOp } from './transpose-ops.ts';
export { winogradConv2dOp } from './winograd-op.ts';
