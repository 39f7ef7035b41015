export { bufferize, oneShotBufferize } from './one-shot-bufferize.ts';
export { hoistAllocations } from './hoist-allocations.ts';
export type { BoundaryLayout, BufferizeOptions } from './options.ts';
