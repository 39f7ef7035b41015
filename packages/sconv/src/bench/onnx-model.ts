/**
 * ONNX models of one convolution, encoded as protobuf by hand: a few fields instead of a dependency of megabytes. Field
 * numbers from onnx.proto3 (ONNX 1.14, opset 13, IR version 7).
 */
import type { ConvolutionShape } from '@sconv/csa';
import { filterSizes, inputSizes, outputSizes } from './workload.ts';

type Bytes = readonly Uint8Array[];

const bytesLength = (parts: Bytes): number => parts.reduce((sum, { length }) => sum + length, 0);

const varint = (value: number): Uint8Array => {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Uint8Array.from([...bytes, rest]);
};
const integer = (field: number, value: number): Bytes => [varint(field << 3), varint(value)];
const message = (field: number, ...content: readonly Bytes[]): Bytes => {
  const parts = content.flat();
  return [varint((field << 3) | 2), varint(bytesLength(parts)), ...parts];
};
const bytes = (field: number, content: Uint8Array): Bytes => message(field, [content]);
const text = (field: number, value: string): Bytes => bytes(field, new TextEncoder().encode(value));

const FLOAT = 1;
const INT = 2;
const INTS = 7;

const tensorInfo = (name: string, sizes: readonly number[]): Bytes => {
  const dimensions = sizes.map((size) => message(1, integer(1, size)));
  const tensorType = message(1, integer(1, FLOAT), message(2, ...dimensions));
  return [...text(1, name), ...message(2, tensorType)];
};

/** A tensor with its little-endian elements. */
const tensor = (name: string, sizes: readonly number[], data: Float32Array): Bytes => [
  ...sizes.flatMap((size) => integer(1, size)),
  ...integer(2, FLOAT),
  ...text(8, name),
  ...bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
];

const intsAttribute = (name: string, values: readonly number[]): Bytes =>
  message(5, text(1, name), integer(20, INTS), ...values.map((value) => integer(8, value)));

const intAttribute = (name: string, value: number): Bytes =>
  message(5, text(1, name), integer(20, INT), integer(3, value));

/**
 * `y = Conv(x, w)`, NCHW, f32. The filters `w`, if given, are an initializer, which the runtime may pack once;
 * otherwise an input of the graph.
 */
export const convolutionModel = (
  shape: ConvolutionShape,
  filters: Float32Array | undefined,
): Uint8Array<ArrayBuffer> => {
  const { strides, dilations, padding, groups } = shape;
  const node = message(
    1,
    text(1, 'x'),
    text(1, 'w'),
    text(2, 'y'),
    text(4, 'Conv'),
    intsAttribute('strides', [strides.h, strides.w]),
    intsAttribute('dilations', [dilations.h, dilations.w]),
    intsAttribute('pads', [padding.top, padding.left, padding.bottom, padding.right]),
    ...(groups === 1 ? [] : [intAttribute('group', groups)]),
  );
  const graph = message(
    7,
    node,
    text(2, 'convolution'),
    ...(filters === undefined ? [] : [message(5, tensor('w', filterSizes(shape), filters))]),
    message(11, tensorInfo('x', inputSizes(shape))),
    ...(filters === undefined ? [message(11, tensorInfo('w', filterSizes(shape)))] : []),
    message(12, tensorInfo('y', outputSizes(shape))),
  );
  const parts = [...integer(1, 7), ...graph, ...message(8, integer(2, 13))];
  const model = new Uint8Array(bytesLength(parts));
  let place = 0;
  for (const part of parts) {
    model.set(part, place);
    place += part.length;
  }
  return model;
};
