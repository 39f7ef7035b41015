export { convolutionGeometry } from './convolution-geometry.ts';
export type { ConvolutionGeometry, Extent } from './convolution-geometry.ts';
export { delinearize, delinearizeOp } from './delinearize.ts';
export { generalize, generalizeOp } from './generalize.ts';
export { linearize, linearizeOp } from './linearize.ts';
export { transforms } from './transforms.ts';
