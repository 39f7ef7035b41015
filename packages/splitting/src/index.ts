export { operandWindow } from './operand-window.ts';
export type { OperandWindow, WindowedDimension } from './operand-window.ts';
export { splitExactlyOp } from './split-exactly-op.ts';
export type { ExactSplitResult, Renumber } from './split-exactly-op.ts';
export { splitReductionOp } from './split-reduction-op.ts';
export type { ReductionSplit, SplitReductionResult } from './split-reduction-op.ts';
export { splitManyOp, splitOp } from './split-op.ts';
export type { SplitResult } from './split-op.ts';
