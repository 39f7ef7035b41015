export { bisect } from './bisect.ts';
export type { Bisection, BisectOptions, Fault } from './bisect.ts';
export { changesBetween } from './changes.ts';
export type { LineChange, Word } from './changes.ts';
export { marksOf, runStates, textOf } from './moments.ts';
export type { NodeStates, RunState } from './moments.ts';
export { explanationPage } from './explanation-page.ts';
export { interpreterFor } from './observe.ts';
export type { Execute } from './observe.ts';
export { printExplanation } from './print-explanation.ts';
export type { ExplanationOptions, LineKind } from './print-explanation.ts';
export { reduceRun } from './reduce-run.ts';
export type { ReduceOptions, RunInput } from './reduce-run.ts';
export { recordRun } from './record-run.ts';
export type { RecordedRun, RecordOptions } from './record-run.ts';
export type { StepFilter } from './step-filter.ts';
export type { NumberedText } from './text-delta.ts';
export { traceVersion } from './trace-document.ts';
export type {
  HandleDocument,
  Line,
  Moment,
  NodeDocument,
  OperationDocument,
  RunDocument,
  SourceDocument,
  Splice,
  TextDelta,
  TraceDocument,
} from './trace-document.ts';
