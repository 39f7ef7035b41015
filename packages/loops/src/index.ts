export { coalesceOp } from './coalesce-op.ts';
export { forallToForOp, forallToParallelOp } from './forall-to-loops-op.ts';
export { outlineOp } from './outline-op.ts';
export type { Outlined } from './outline-op.ts';
export { peelFrontOp, peelOp } from './peel-op.ts';
export type { PeeledLoop } from './peel-op.ts';
export { promoteIfOneIterationOp } from './promote-if-one-iteration-op.ts';
export { unrollOp } from './unroll-op.ts';
export { unrollAndJamOp } from './unroll-and-jam-op.ts';
