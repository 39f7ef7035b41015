export { kernelCallSizes } from './kernel-type.ts';
export { lowerToBlasOp } from './lower-to-blas-op.ts';
export type { KernelPanels, LowerToBlasOptions } from './lower-to-blas-op.ts';
