export { describeValue } from './describe-value.ts';
export {
  andThen,
  collect,
  definite,
  DiagnosticError,
  failedWhenApplied,
  mapSuccess,
  silenceable,
  silenceableError,
  success,
  expectDiagnosed,
  isDiagnosed,
  unwrap,
  wrongOpKind,
} from './diagnosed.ts';
export type { Diagnosed, Failed } from './diagnosed.ts';
export { closestName, didYouMean, unknownName } from './did-you-mean.ts';
export { expectFunction, expectList, expectObject, expectText } from './expect-argument.ts';
export { FieldError, fieldChecks } from './field-error.ts';
export type { FieldChecks } from './field-error.ts';
export { recordProblem } from './record-problem.ts';
export { diagnosticDocument, locationDocument, noteDocument } from './diagnostic-document.ts';
export type { DiagnosticDocument, LocationDocument, NoteDocument } from './diagnostic-document.ts';
export { error, remark, render, warning } from './diagnostic.ts';
export type { Diagnostic, Note, Sources } from './diagnostic.ts';
export { fileLocation, filePosition, printLocation, unknownLocation } from './location.ts';
export type {
  CallLocation,
  FileLocation,
  FusedLocation,
  Location,
  NameLocation,
  UnknownLocation,
} from './location.ts';
