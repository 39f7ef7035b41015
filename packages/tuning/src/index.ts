export { printFingerprint, processorOf } from './fingerprint.ts';
export type { Fingerprint } from './fingerprint.ts';
export { startMeasurer } from './measuring-process.ts';
export type { Asked, Measurer, MeasurerOptions, Outcome, TuningSignal } from './measuring-process.ts';
export { machineLock, noLock } from './machine-lock.ts';
export type { MachineLock, MachineLockOptions } from './machine-lock.ts';
export type { CompiledCode } from './measure-block.ts';
export {
  gainOf,
  invalidities,
  isUntuned,
  keyText,
  measured,
  planKey,
  printRecord,
  stages,
  untuned,
} from './record.ts';
export type {
  Configuration,
  Invalidity,
  Measurement,
  RecordKey,
  ScheduleSelection,
  Stage,
  TuningRecord,
} from './record.ts';
export { noRecords, openRecords, readRecords } from './record-files.ts';
export type { Current, RecordWriter } from './record-files.ts';
export { serveMeasurements } from './serve-measurements.ts';
export type { Answer, MeasuringSide, Question } from './serve-measurements.ts';
export { median } from './statistics.ts';
export { cacheFlusher, copiesFor, temperatures, timeSubject } from './subject.ts';
export type { Clock, Subject, Temperature, Timed, Timing, Wrong } from './subject.ts';
export { tunedPlans } from './tuned-plans.ts';
export type { TunedPlans } from './tuned-plans.ts';
export { protocolText } from './protocol.ts';
export { tuneWorkload } from './tune-workload.ts';
export type { Budget, Candidate, Progress, Propose, Scored, Tuning, TuningResult } from './tune-workload.ts';
export { collectWork, doWork } from './work.ts';
export type { Collecting, WorkOptions } from './work.ts';
export { openWorkFolder, unitName } from './work-folder.ts';
export type {
  WorkClaim,
  WorkFolder,
  WorkFolderOptions,
  WorkOutcome,
  WorkStatus,
  WorkUnit,
} from './work-folder.ts';
export type {
  CollectedFromQueues,
  QueueClaim,
  QueueProgress,
  WorkQueueKey,
  WorkQueues,
} from './work-queues.ts';
export { workloadText } from './workload.ts';
