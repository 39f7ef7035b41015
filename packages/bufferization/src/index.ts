export { bufferize, oneShotBufferize } from './one-shot-bufferize.ts';
export { bufferizationInterfaces } from './models.ts';
export { structuredModel } from './structured-model.ts';
export { bufferizable, noOperands, readsOnly, viewOf } from './op-model.ts';
export type { Alias, ModelContext, OpModel, Use } from './op-model.ts';
export type { BufferizationContext } from './bufferization-context.ts';
export { hoistAllocations } from './hoist-allocations.ts';
export { oneShotBufferizePass } from './one-shot-bufferize-pass.ts';
export type { BoundaryLayout, BufferizeOptions } from './options.ts';
