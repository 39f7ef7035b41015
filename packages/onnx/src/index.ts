export { externalFilesOf } from './external-files.ts';
export type { ExternalData } from './external-data.ts';
export { importOnnx } from './import-onnx.ts';
export type { ImportedModel, ImportOptions } from './import-onnx.ts';
export type { InputSizes, OnnxTensor } from './onnx-tensor.ts';
export type { ElementType } from './element-type.ts';
export { readOnnx, writeOnnx } from './onnx-file.ts';
export type {
  OnnxAttribute,
  OnnxDimension,
  OnnxFields,
  OnnxGraph,
  OnnxModel,
  OnnxModelFields,
  OnnxNodeFields,
  OnnxTensorFields,
  OnnxValueInfo,
} from './onnx-file.ts';
