export { importOnnx } from './import-onnx.ts';
export type { ImportedModel, ImportOptions } from './import-onnx.ts';
export type { InputSizes, OnnxTensor } from './graph-inputs.ts';
export type { ElementType } from './element-type.ts';
export { readOnnx, writeOnnx } from './model.ts';
export type { OnnxModel, OnnxModelFields } from './model.ts';
