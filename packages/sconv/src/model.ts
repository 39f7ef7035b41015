/** Whole models: `sconv/model`. */
export { compileModel } from './model/compile-model.ts';
export type { CompiledModel, ModelOptions, ModelProgress, ModelStage } from './model/compile-model.ts';
export type { ModelTensor, NamedElements, RunnableModel } from './model/runnable-model.ts';
export type { ModelSource, ModelStream } from './model/read-model.ts';
export { saveModel } from './model/save-model.ts';
export type { SavedModel } from './model/save-model.ts';
export { profileModel } from './model/profile-model.ts';
export type { PartTime } from './model/profile-model.ts';
export { importOnnx } from '@sconv/onnx';
export type { ImportedModel, ImportOptions, InputSizes, OnnxTensor } from '@sconv/onnx';
