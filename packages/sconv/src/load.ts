/** Saved programs, without the compiler: `sconv/load`. */
export { loadModel } from './program/load-model.ts';
export type { LoadedModel, LoadModelOptions, LoadProgress } from './program/load-model.ts';
export type { ProgramAddress, ProgramFiles } from './program/program-files.ts';
export type { ModelSource, ModelStream } from './model/read-model.ts';
export type { ModelTensor, NamedElements, RunnableModel } from './model/runnable-model.ts';
export { DiagnosticError, render, unwrap } from '@sconv/diagnostics';
export type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
