/** Whole models: `sconv/model`. */
export { compileModel } from './model/compile-model.ts';
export type { CompiledModel, ModelOptions, NamedElements } from './model/compile-model.ts';
export { importOnnx } from '@sconv/onnx';
export type { ImportedModel, ImportOptions, InputSizes, OnnxTensor } from '@sconv/onnx';
