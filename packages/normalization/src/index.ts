export { convolutionGeometry } from './convolution-geometry.ts';
export type { ConvolutionGeometry, Extent } from './convolution-geometry.ts';
export { delinearizeOp } from './delinearize-op.ts';
export { generalizePass } from './generalize-pass.ts';
export { generalizeOp } from './generalize-op.ts';
export { img2colOp } from './img2col-op.ts';
export type { Img2colResult } from './img2col-op.ts';
export { interchangeOp } from './interchange-op.ts';
export { linearizeOp } from './linearize-op.ts';
