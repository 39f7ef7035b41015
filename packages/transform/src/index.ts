export {
  consumes,
  defineTransformOp,
  isTransformOp,
  produces,
  producesAll,
  reads,
  readsAll,
} from './define-transform-op.ts';
export type {
  ApplyContext,
  FailureSpec,
  HandleEffect,
  HandleSpec,
  ResultHandleSpec,
  TransformExample,
  TransformOp,
  TransformOpDefinition,
  TransformOpSpec,
} from './define-transform-op.ts';
export { exampleConvolution, matchConvolution } from './example-payload.ts';
export { foreach, mergeHandles, splitHandle } from './foreach.ts';
export { anyOp, handleType, opHandleType, promisedName } from './handle-type.ts';
export { match } from './match.ts';
export { include, namedSequence, yieldOp } from './named-sequence.ts';
export { renderTransformDocs } from './render-docs.ts';
export type { ShownExample } from './render-docs.ts';
export { findSequence, runSchedule, ScheduleRun } from './run.ts';
export type { AbortSignalLike, Expansion, RunOptions, RunResult } from './run.ts';
export { callSite, recorderOf, schedule } from './schedule.ts';
export type { Handle, Recorder, Schedule } from './schedule.ts';
export { entryPoint, stageAttribute } from './script.ts';
export { transformDialect, transformDialectOf } from './transform-dialect.ts';
