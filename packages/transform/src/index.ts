export { alternatives } from './alternatives.ts';
export { applyRegisteredPass } from './apply-registered-pass.ts';
export { appliedToItself, itselfFailures } from './applied-to-itself.ts';
export { callSite } from './call-site.ts';
export { cast } from './cast.ts';
export { defineTransformOp } from './define-transform-op.ts';
export {
  consumes,
  consumesExactly,
  produces,
  producesAll,
  producesParam,
  producesAny,
  producesAnyOp,
  producesExactly,
  producesEither,
  producesValues,
  reads,
  readsAll,
  readsAny,
  readsOptional,
  readsOptionalSize,
  readsOptionalValues,
  readsParam,
  readsParams,
  readsSizes,
  readsValues,
} from './handle-specs.ts';
export type {
  ApplyContext,
  FailureSpec,
  RecordOptions,
  TransformOp,
  TransformOpDefinition,
  TransformOpSpec,
} from './define-transform-op.ts';
export type { HandleEffect, HandleSpec, ResultHandleSpec } from './handle-specs.ts';
export {
  boolsAttribute,
  flagsArrayAttribute,
  integerArray,
  integersAttribute,
  integersOf,
  mappingAttribute,
  pairAttribute,
  permutationsAttribute,
} from './attribute-kinds.ts';
export { directives } from './directives.ts';
export { functional, oneResultType, semiFunctional, typed, typedTo } from './forms.ts';
export { permutationErrors } from './permutation.ts';
export { descriptorErrors, patternDescriptor } from './pattern-descriptor.ts';
export type { PatternDescriptor } from './pattern-descriptor.ts';
export { notImplemented } from './not-implemented.ts';
export { findSequence } from './find-sequence.ts';
export { foreach } from './foreach.ts';
export { collectMatching, foreachMatch } from './foreach-match.ts';
export {
  getConsumersOfResult,
  getDefiningOp,
  getOperand,
  getParentOp,
  getProducerOfOperand,
  getResult,
  getType,
  numAssociations,
  replicate,
  select,
} from './handle-ops.ts';
export { annotate, emitParamAsRemark, emitRemarkAt, print, verify } from './payload-ops.ts';
export { recorderOf } from './handle.ts';
export type { Handle, Param, ParamValue, ScriptValue, ValueHandle } from './handle.ts';
export { anyOp, anyParam, anyValue, handleType, opHandleType, paramOf, promisedName } from './handle-type.ts';
export { irDiff } from './ir-diff.ts';
export type { IrDiff, OperationChange } from './ir-diff.ts';
export { hasBehaviour, isTransformOp } from './is-transform-op.ts';
export { match } from './match.ts';
export type { MatchOptions } from './match.ts';
export { mergeHandles } from './merge-handles.ts';
export { include, namedSequence, yieldOp } from './named-sequence.ts';
export type { NamedSequence } from './named-sequence.ts';
export { constantParam } from './param.ts';
export type { FailureMode } from './failure-mode.ts';
export type { Yields } from './yields.ts';
export {
  emptyPayload,
  idsIn,
  operationsPayload,
  paramsPayload,
  payloadKindOf,
  valuesPayload,
} from './payload.ts';
export type { Payload, PayloadItem, ResolvedPayload } from './payload.ts';
export { payloadSizes } from './payload-sizes.ts';
export { renderTransformDocs } from './render-docs.ts';
export type { ShownExample } from './render-docs.ts';
export type { Recorder } from './recorder.ts';
export { interpreterPassWith, transformInterpreterPass, withLibrary } from './interpreter-pass.ts';
export type { InterpreterPassOptions } from './interpreter-pass.ts';
export { runSchedule } from './run.ts';
export type {
  AbortSignalLike,
  Expansion,
  RunOptions,
  RunResult,
  RunResultOf,
  TracedRunResult,
} from './run-options.ts';
export type { Binding, EditList, RunState, TrackedPayload } from './run-state.ts';
export { schedule } from './schedule.ts';
export type { Schedule } from './schedule.ts';
export { ScheduleRun } from './schedule-run.ts';
export { entryPoint } from './script.ts';
export { sequence, suppress } from './sequence.ts';
export { payloadSources } from './payload-source.ts';
export { splitHandle } from './split-handle.ts';
export { collectTrace, expansionsIn, traceNodes } from './trace.ts';
export type {
  GroupRole,
  HandleChange,
  Trace,
  TraceGroup,
  TraceNode,
  TraceObserver,
  TraceSpan,
  TraceStatus,
  TraceStep,
} from './trace.ts';
export { TraceRecorder } from './trace-recorder.ts';
export { transformDialect, transformDialectOf } from './transform-dialect.ts';
export { tuneAlternatives, tuneKnob } from './tune-ops.ts';
export { resolveTuning, tuningChoices } from './tuning-choices.ts';
export type { TuningChoice, TuningSelection } from './tuning-choices.ts';
