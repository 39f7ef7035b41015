/**
 * ONNX files as data, and back. The types stand here by themselves: those of the decoder take a newer TypeScript than
 * users may have.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { decodeModel, encodeModel } from './model.ts';

/** An ONNX model: `ModelProto` of onnx.proto, without the fields that no import reads, as in all that follow. */
export interface OnnxModel {
  irVersion: bigint;
  producerName: string;
  producerVersion: string;
  graph?: OnnxGraph | undefined;
  opsetImport: { domain: string; version: bigint }[];
}

/** `GraphProto`. */
export interface OnnxGraph {
  node: OnnxNodeFields[];
  name: string;
  initializer: OnnxTensorFields[];
  input: OnnxValueInfo[];
  output: OnnxValueInfo[];
  valueInfo: OnnxValueInfo[];
}

/** `NodeProto`. */
export interface OnnxNodeFields {
  input: string[];
  output: string[];
  name: string;
  opType: string;
  attribute: OnnxAttribute[];
  domain: string;
}

/** `AttributeProto`. */
export interface OnnxAttribute {
  name: string;
  f: number;
  i: bigint;
  s: Uint8Array;
  t?: OnnxTensorFields | undefined;
  floats: number[];
  ints: bigint[];
  strings: Uint8Array[];
  type: number;
  refAttrName: string;
}

/** `TensorProto`. */
export interface OnnxTensorFields {
  dims: bigint[];
  dataType: number;
  name: string;
  rawData: Uint8Array;
  /** The file that elements lie in, if it is another one: `location`, `offset` and `length`. */
  externalData: { key: string; value: string }[];
  dataLocation: number;
}

/** `ValueInfoProto`. */
export interface OnnxValueInfo {
  name: string;
  type?:
    | { tensorType?: { elemType: number; shape?: { dim: OnnxDimension[] } | undefined } | undefined }
    | undefined;
}

/** `TensorShapeProto.Dimension`: a size, or the name of one. */
export interface OnnxDimension {
  value:
    | { case: 'dimValue'; value: bigint }
    | { case: 'dimParam'; value: string }
    | { case: undefined; value?: undefined };
}

/** What a message is made of; fields that are left out are empty. */
export type OnnxFields<T> = T extends bigint | number | string | Uint8Array | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly OnnxFields<E>[]
    : T extends { case: unknown }
      ? Readonly<T>
      : { readonly [K in keyof T]?: OnnxFields<T[K]> };

/** The fields of a model that are not empty. */
export type OnnxModelFields = OnnxFields<OnnxModel>;

/**
 * The model in a file; the bytes of its weights are views of it. Fails with `onnx/malformed` for what is no ONNX file,
 * or a part of one.
 */
export const readOnnx = (file: Uint8Array): Diagnosed<OnnxModel> => decodeModel(file);

/** The file of a model. */
export const writeOnnx = (model: OnnxModelFields): ReturnType<(typeof Uint8Array)['of']> =>
  encodeModel(model as Parameters<typeof encodeModel>[0]);
