/** Whole models: `sconv/model`. */
export { compileModel } from './model/compile-model.ts';
export type { CompiledModel, ModelOptions, ModelProgress, ModelStage } from './model/compile-model.ts';
export type { ModelTensor, NamedElements, RunnableModel } from './model/runnable-model.ts';
export { readModel } from './model/read-model.ts';
export type { ModelSource, ModelStream, ReadOptions } from './model/read-model.ts';
export { saveModel } from './model/save-model.ts';
export type { SavedModel } from './model/save-model.ts';
export { timeParts } from './model/time-parts.ts';
export type { TimedPart, TimingOptions } from './model/time-parts.ts';
export { importOnnx } from '@sconv/onnx';
export type { ImportedModel, ImportOptions, InputSizes, OnnxTensor } from '@sconv/onnx';
