export { isSlicingSchedule, slicingSchedule } from './slicing-schedule.ts';
export type { SlicingSchedule } from './slicing-schedule.ts';
export { planAttribute, planOfAttribute } from './plan-attribute.ts';
export { contractionIn, planProblemIn, storedPlan } from './stored-plan.ts';
export type { PlannedShape } from './stored-plan.ts';
export {
  convolutionName,
  convolutionNames,
  contractionNames,
  convolutionShape,
  planOperation,
  productNames,
  slicedAs,
  slicedNames,
} from './plan-operation.ts';
export type { ConvolutionName, GroupedShape } from './plan-operation.ts';
export { recordChecked, recordTiling, sconv } from './sconv.ts';
export type { SconvOptions } from './sconv.ts';
export { targetOf } from './sconv-op.ts';
export type { SconvAttributes } from './sconv-op.ts';
export {
  recordGroups,
  recordKnownPlan,
  recordNormalization,
  recordPlan,
  sconvSchedule,
  sconvStages,
} from './sconv-schedule.ts';
export type {
  PackedPanels,
  PlanRecording,
  SlicedAs,
  SlicedHandles,
  UngroupedHandles,
} from './sconv-schedule.ts';
export { packGreedilyOp } from './pack-greedily.ts';
export type { ProductOptions } from './pack-greedily.ts';
