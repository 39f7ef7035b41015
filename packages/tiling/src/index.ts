export { gatherOperand, gatherOperandOp } from './gather-operand.ts';
export { swapInductionVars, swapInductionVarsOp } from './swap-induction-vars.ts';
export { tileUsingFor, tileUsingForOp } from './tile-using-for.ts';
export type { TileResult } from './tile-using-for.ts';
export { transforms } from './transforms.ts';
