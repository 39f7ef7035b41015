/** ONNX files as messages, and back. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { ModelProto } from './generated/onnx_pb.ts';
import { ModelProtoSchema } from './generated/onnx_pb.ts';

/**
 * The model in a file; the bytes of its weights are views of it. Fails with `onnx/malformed` for what is no ONNX file,
 * or a part of one.
 */
export const decodeModel = (file: Uint8Array): Diagnosed<ModelProto> => {
  try {
    return success(fromBinary(ModelProtoSchema, file));
  } catch (thrown) {
    // What the decoder of protobuf throws for bytes that it cannot read.
    const details = thrown instanceof Error ? thrown.message : String(thrown);
    const message = 'this is no ONNX model, or only a part of one: its protobuf cannot be decoded';
    return definite({ ...error('onnx/malformed', message, unknownLocation), details });
  }
};

/** The file of a model. */
export const encodeModel = (model: MessageInitShape<typeof ModelProtoSchema>): Uint8Array<ArrayBuffer> =>
  toBinary(ModelProtoSchema, create(ModelProtoSchema, model));
