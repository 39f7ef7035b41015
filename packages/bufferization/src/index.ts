export { bufferize, oneShotBufferize } from './one-shot-bufferize.ts';
export { hoistAllocations } from './hoist-allocations.ts';
export { oneShotBufferizeOp, oneShotBufferizePass } from './one-shot-bufferize-op.ts';
export type { BoundaryLayout, BufferizeOptions } from './options.ts';
export { transforms } from './transforms.ts';
