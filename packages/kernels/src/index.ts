export { formKernels, withKernels } from './form-kernels.ts';
export type { FormKernelsOptions, KernelUnit } from './form-kernels.ts';
export { keptPackings } from './kept-packings.ts';
export type { Keeping, KeptCall, KeptPacking, KeptPackings } from './kept-packings.ts';
export { maximumLanes } from './match-packing.ts';
export type { Source } from './packed-source.ts';
export { passes } from './passes.ts';
export { distinctRows, linearLanes, straightLanes } from './straight-lanes.ts';
export type { Row, StraightLanes } from './straight-lanes.ts';
