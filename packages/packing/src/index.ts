export { formMicrokernel, formMicrokernelOp, microkernelAttribute } from './form-microkernel.ts';
export { multipack, multipackOp } from './multipack.ts';
export { packFilters, packFiltersOp } from './pack-filters.ts';
export { packOperand } from './pack-operand.ts';
export { packWindows, packWindowsOp } from './pack-windows.ts';
export type { PackResult } from './pack-windows.ts';
export { transforms } from './transforms.ts';
