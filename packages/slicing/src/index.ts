export { fragmentsOf, splitTree } from './fragments.ts';
export type { Cut, Edges, Fragment, SplitDimension, SplitTree } from './fragments.ts';
export { planOperation, sconvOp, targetOf } from './sconv-op.ts';
export type { SconvOptions } from './sconv-op.ts';
export { sconvSchedule, sconvStages } from './sconv-schedule.ts';
export { transforms } from './transforms.ts';
