export {
  consumes,
  defineTransformOp,
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
export { findSequence } from './find-sequence.ts';
export { foreach, mergeHandles, splitHandle } from './foreach.ts';
export { anyOp, handleType, opHandleType, promisedName } from './handle-type.ts';
export { isTransformOp } from './is-transform-op.ts';
export { match } from './match.ts';
export { include, namedSequence, yieldOp } from './named-sequence.ts';
export {
  emptyPayload,
  idsIn,
  operationsPayload,
  paramsPayload,
  payloadKindOf,
  valuesPayload,
} from './payload.ts';
export type { Payload, PayloadItem, ResolvedPayload } from './payload.ts';
export { renderTransformDocs } from './render-docs.ts';
export type { ShownExample } from './render-docs.ts';
export { runSchedule } from './run.ts';
export type { AbortSignalLike, Expansion, RunOptions, RunResult } from './run-options.ts';
export type { Binding, EditList, RunState, TrackedPayload } from './run-state.ts';
export { callSite, recorderOf, schedule } from './schedule.ts';
export type { Handle, Recorder, Schedule } from './schedule.ts';
export { ScheduleRun } from './schedule-run.ts';
export { entryPoint, stageAttribute } from './script.ts';
export { transformDialect, transformDialectOf } from './transform-dialect.ts';
