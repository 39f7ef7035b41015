export { passes } from './passes.ts';
export { vectorizeOp } from './vectorize-op.ts';
export type { VectorizeOptions } from './vectorize-op.ts';
