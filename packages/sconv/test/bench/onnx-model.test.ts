import { parseShape } from '@sconv/csa';
import { describe, expect, it } from 'vitest';
import { convolutionModel } from '../../src/bench/onnx-model.ts';

type Field = readonly [number: number, value: number | Uint8Array];

/** The fields of a message: integers, and the bytes of everything else. */
const fields = (bytes: Uint8Array): readonly Field[] => {
  const found: Field[] = [];
  let place = 0;
  const varint = (): number => {
    let [value, scale, byte] = [0, 1, 0x80];
    while (byte >= 0x80) {
      byte = bytes[place++]!;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    }
    return value;
  };
  while (place < bytes.length) {
    const key = varint();
    const value = varint();
    if ((key & 7) === 0) found.push([key >> 3, value]);
    else found.push([key >> 3, bytes.subarray(place, (place += value))]);
  }
  return found;
};
const all = (bytes: Uint8Array, field: number) =>
  fields(bytes).flatMap(([number, value]) => (number === field ? [value] : []));
const messages = (bytes: Uint8Array, field: number) => all(bytes, field) as Uint8Array[];
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

const shape = parseShape('1x2x200x7,3x2x3x1,s2x1,d1x2,p1x2x3x4');
const graphOf = (model: Uint8Array): Uint8Array => messages(model, 7)[0]!;
const names = (graph: Uint8Array, field: number, name: number): readonly string[] =>
  messages(graph, field).map((each) => text(messages(each, name)[0]));

describe('the ONNX model of a convolution', () => {
  it('takes filters that are arguments as an input', () => {
    const graph = graphOf(convolutionModel(shape, undefined));
    expect(names(graph, 11, 1)).toEqual(['x', 'w']);
    expect(names(graph, 5, 8)).toEqual([]);
    expect(names(graph, 12, 1)).toEqual(['y']);
  });
  it('holds filters that are bound, with their elements', () => {
    const filters = Float32Array.from({ length: 18 }, (_, i) => i - 9);
    const graph = graphOf(convolutionModel(shape, filters));
    expect(names(graph, 11, 1)).toEqual(['x']);
    const [tensor] = messages(graph, 5);
    expect(all(tensor!, 1)).toEqual([3, 2, 3, 1]);
    expect(new Float32Array(messages(tensor!, 9)[0]!.slice().buffer)).toEqual(filters);
  });
  it('says strides, dilations and padding, all beginnings before all ends', () => {
    const [node] = messages(graphOf(convolutionModel(shape, undefined)), 1);
    const attributes = messages(node!, 5).map((each) => [text(messages(each, 1)[0]), all(each, 8)]);
    expect(Object.fromEntries(attributes)).toEqual({
      strides: [2, 1],
      dilations: [1, 2],
      pads: [1, 3, 2, 4],
    });
  });
  it('says the groups, where there are several', () => {
    const grouped = convolutionModel(parseShape('1x6x5x5,4x3x3x3,g2'), undefined);
    const [node] = messages(graphOf(grouped), 1);
    const attributes = messages(node!, 5).map((each) => [text(messages(each, 1)[0]), all(each, 3)]);
    expect(Object.fromEntries(attributes)).toMatchObject({ group: [2] });
    const [weights] = messages(messages(messages(graphOf(grouped), 11)[1]!, 2)[0]!, 1);
    const dimensions = messages(messages(weights!, 2)[0]!, 1).flatMap((dimension) => all(dimension, 1));
    expect(dimensions).toEqual([4, 3, 3, 3]);
  });
  it('says sizes of more than one byte', () => {
    const [input] = messages(graphOf(convolutionModel(shape, undefined)), 11);
    const [type] = messages(messages(input!, 2)[0]!, 1);
    const dimensions = messages(messages(type!, 2)[0]!, 1).flatMap((dimension) => all(dimension, 1));
    expect(dimensions).toEqual([1, 2, 200, 7]);
  });
});
