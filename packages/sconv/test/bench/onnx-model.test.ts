import { parseShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import type { OnnxAttribute, OnnxGraph, OnnxValueInfo } from '@sconv/onnx';
import { readOnnx } from '@sconv/onnx';
import { describe, expect, it } from 'vitest';
import { convolutionModel } from '../../src/bench/onnx-model.ts';

const shape = parseShape('1x2x200x7,3x2x3x1,s2x1,d1x2,p1x2x3x4');
const graphOf = (model: Uint8Array): OnnxGraph => unwrap(readOnnx(model)).graph!;
const names = (values: readonly { readonly name: string }[]): readonly string[] =>
  values.map(({ name }) => name);
const attributesOf = ({ node: [convolution] }: OnnxGraph): readonly OnnxAttribute[] => convolution!.attribute;
const sizesOf = ({ type }: OnnxValueInfo): readonly unknown[] =>
  type!.tensorType!.shape!.dim.map(({ value }) => Number(value.value));

describe('the ONNX model of a convolution', () => {
  it('takes filters that are arguments as an input', () => {
    const graph = graphOf(convolutionModel(shape, undefined));
    expect(names(graph.input)).toEqual(['x', 'w']);
    expect(names(graph.initializer)).toEqual([]);
    expect(names(graph.output)).toEqual(['y']);
  });
  it('holds filters that are bound, with their elements', () => {
    const filters = Float32Array.from({ length: 18 }, (_, i) => i - 9);
    const graph = graphOf(convolutionModel(shape, filters));
    expect(names(graph.input)).toEqual(['x']);
    const [tensor] = graph.initializer;
    expect(tensor!.dims.map(Number)).toEqual([3, 2, 3, 1]);
    expect(new Float32Array(tensor!.rawData.slice().buffer)).toEqual(filters);
  });
  it('says strides, dilations and padding, all beginnings before all ends', () => {
    const attributes = attributesOf(graphOf(convolutionModel(shape, undefined)));
    expect(Object.fromEntries(attributes.map(({ name, ints }) => [name, ints.map(Number)]))).toEqual({
      strides: [2, 1],
      dilations: [1, 2],
      pads: [1, 3, 2, 4],
    });
  });
  it('says the groups, where there are several', () => {
    const graph = graphOf(convolutionModel(parseShape('1x6x5x5,4x3x3x3,g2'), undefined));
    expect(Object.fromEntries(attributesOf(graph).map(({ name, i }) => [name, Number(i)]))).toMatchObject({
      group: 2,
    });
    expect(sizesOf(graph.input[1]!)).toEqual([4, 3, 3, 3]);
  });
  it('says sizes of more than one byte', () => {
    expect(sizesOf(graphOf(convolutionModel(shape, undefined)).input[0]!)).toEqual([1, 2, 200, 7]);
  });
});
