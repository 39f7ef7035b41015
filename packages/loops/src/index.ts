export { promoteIfOneIterationOp } from './promote-if-one-iteration-op.ts';
export { unrollOp } from './unroll-op.ts';
