export { isSlicingSchedule, slicingSchedule } from './slicing-schedule.ts';
export type { SlicingSchedule } from './slicing-schedule.ts';
export { convolutionName, planOperation } from './plan-operation.ts';
export { recordTiling, sconv } from './sconv.ts';
export type { SconvOptions } from './sconv.ts';
export { attributesOfPlan, targetOf } from './sconv-op.ts';
export type { SconvAttributes } from './sconv-op.ts';
export { recordPlan, sconvSchedule, sconvStages } from './sconv-schedule.ts';
export type { SlicedHandles } from './sconv-schedule.ts';
