export { operandWindow } from './operand-window.ts';
export type { OperandWindow, WindowedDimension } from './operand-window.ts';
export { splitOp } from './split-op.ts';
export type { SplitResult } from './split-op.ts';
