/**
 * ONNX models of one convolution, written as protobuf by hand: a handful of fields, against a dependency of megabytes.
 * Field numbers from onnx.proto3 (ONNX 1.14, opset 13, IR version 7).
 */

const varint = (value) => {
  const bytes = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
};
const integer = (field, value) => [...varint(field << 3), ...varint(value)];
const message = (field, content) => [...varint((field << 3) | 2), ...varint(content.length), ...content];
/** A string of ASCII characters. */
const text = (field, value) =>
  message(
    field,
    [...value].map((character) => character.charCodeAt(0)),
  );

const FLOAT = 1;
const INTS = 7;

const tensorInfo = (name, shape) => {
  const dimensions = shape.flatMap((size) => message(1, integer(1, size)));
  const tensorType = [...integer(1, FLOAT), ...message(2, dimensions)];
  return [...text(1, name), ...message(2, message(1, tensorType))];
};
const intsAttribute = (name, values) => [
  ...text(1, name),
  ...integer(20, INTS),
  ...values.flatMap((value) => integer(8, value)),
];

/** `y = Conv(x, w)`, NCHW, f32; `x` and `w` are both inputs of the graph. */
export const convolutionModel = ({ input, filter, output, strides, dilations }) => {
  const node = [
    ...text(1, 'x'),
    ...text(1, 'w'),
    ...text(2, 'y'),
    ...text(4, 'Conv'),
    ...message(5, intsAttribute('strides', strides)),
    ...message(5, intsAttribute('dilations', dilations)),
  ];
  const graph = [
    ...message(1, node),
    ...text(2, 'convolution'),
    ...message(11, tensorInfo('x', input)),
    ...message(11, tensorInfo('w', filter)),
    ...message(12, tensorInfo('y', output)),
  ];
  return new Uint8Array([...integer(1, 7), ...message(7, graph), ...message(8, integer(2, 13))]);
};
