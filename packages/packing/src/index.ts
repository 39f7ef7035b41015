export { formMicrokernelOp, microkernelAttribute } from './form-microkernel-op.ts';
export { multipackOp } from './multipack-op.ts';
export { packFiltersOp } from './pack-filters-op.ts';
export { packOperand } from './pack-operand.ts';
export { packWindowsOp } from './pack-windows-op.ts';
export type { PackResult } from './pack-windows-op.ts';
