export { formKernels, withKernels } from './form-kernels.ts';
export type { FormKernelsOptions, KernelUnit } from './form-kernels.ts';
export { maximumLanes } from './match-packing.ts';
export { passes } from './passes.ts';
