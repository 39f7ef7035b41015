export { operandWindow } from './operand-window.ts';
export type { OperandWindow } from './operand-window.ts';
export { split, splitOp } from './split.ts';
export type { SplitResult } from './split.ts';
export { transforms } from './transforms.ts';
