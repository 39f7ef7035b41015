/** Saved programs, without the compiler: `sconv/load`. */
export { loadModel } from './program/load-model.ts';
export type { LoadedModel, LoadModelOptions, LoadProgress } from './program/load-model.ts';
export type { ProgramFiles } from './program/program-source.ts';
export type { ModelTensor, NamedElements, RunnableModel } from './model/runnable-model.ts';
export { DiagnosticError, render, unwrap } from '@sconv/diagnostics';
export type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
