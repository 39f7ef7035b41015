export { gatherOperandOp } from './gather-operand-op.ts';
export { swapInductionVarsOp } from './swap-induction-vars-op.ts';
export { tileExactlyUsingForOp } from './tile-exactly-using-for-op.ts';
export { tileExactlyUsingForallOp } from './tile-exactly-using-forall-op.ts';
export { tileUsingForOp } from './tile-using-for-op.ts';
export type { TileResult } from './tile-using-for-op.ts';
export { tileUsingForallOp } from './tile-using-forall-op.ts';
export type { ForallTileResult, ForallTiling } from './tile-using-forall-op.ts';
