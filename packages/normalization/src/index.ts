export { convolutionGeometry } from './convolution-geometry.ts';
export type { ConvolutionGeometry, Extent } from './convolution-geometry.ts';
export { delinearizeOp } from './delinearize-op.ts';
export { generalizePass } from './generalize-pass.ts';
export { generalizeOp } from './generalize-op.ts';
export { linearizeOp } from './linearize-op.ts';
