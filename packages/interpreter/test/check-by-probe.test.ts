import { describe, expect, it } from 'vitest';
import { checkByProbe, deviation } from '../src/check-by-probe.ts';
import type { ReferenceShape } from '../src/convolution-shape.ts';
import { convolutionSizes } from '../src/convolution-shape.ts';
import { integerData } from '../src/integer-data.ts';
import { referenceConvolution } from '../src/reference-convolution.ts';

const shapes: readonly [string, ReferenceShape][] = [
  [
    'unit',
    {
      batch: 1,
      inputChannels: 1,
      inputHeight: 1,
      inputWidth: 1,
      filters: 1,
      filterHeight: 1,
      filterWidth: 1,
    },
  ],
  [
    '3x3',
    {
      batch: 2,
      inputChannels: 3,
      inputHeight: 9,
      inputWidth: 7,
      filters: 5,
      filterHeight: 3,
      filterWidth: 3,
    },
  ],
  [
    'strides and dilations',
    {
      batch: 1,
      inputChannels: 2,
      inputHeight: 11,
      inputWidth: 14,
      filters: 3,
      filterHeight: 2,
      filterWidth: 3,
      strides: { h: 2, w: 3 },
      dilations: { h: 3, w: 2 },
    },
  ],
  [
    'groups and padding',
    {
      batch: 2,
      inputChannels: 6,
      inputHeight: 5,
      inputWidth: 4,
      filters: 9,
      filterHeight: 3,
      filterWidth: 3,
      groups: 3,
      padding: { top: 1, bottom: 0, left: 2, right: 1 },
    },
  ],
];

const problem = (shape: ReferenceShape) => {
  const sizes = convolutionSizes(shape);
  const input = integerData(sizes.input, 1);
  const filters = integerData(sizes.filters, 2);
  const initial = integerData(sizes.output, 3);
  return { input, filters, initial, result: referenceConvolution(shape, input, filters, initial) };
};

describe('checkByProbe', () => {
  it.each(shapes)('%s: accepts the reference', (_, shape) => {
    expect(checkByProbe(shape, problem(shape))).toEqual({ mismatches: 0, maxError: 0, first: undefined });
  });

  it.each(shapes)('%s: finds any one wrong element, in its window', (_, shape) => {
    const { outputHeight, outputWidth } = convolutionSizes(shape);
    const window = outputHeight * outputWidth;
    const data = problem(shape);
    for (let i = 0; i < data.result.length; i++) {
      const result = data.result.with(i, data.result[i]! + 1);
      const batch = Math.floor(i / (shape.filters * window));
      expect(checkByProbe(shape, { ...data, result })).toMatchObject({
        mismatches: 1,
        first: batch * window + (i % window),
      });
    }
  });

  it('takes a NaN for a mismatch', () => {
    const shape = shapes[1]![1];
    const data = problem(shape);
    expect(checkByProbe(shape, { ...data, result: data.result.with(4, NaN) })).toMatchObject({
      mismatches: 1,
      maxError: Infinity,
    });
  });
});

describe('deviation', () => {
  it.each<[string, number[], number[], number, object]>([
    ['equal', [1, NaN, Infinity], [1, NaN, Infinity], 0, { mismatches: 0, maxError: 0, first: undefined }],
    ['different', [1, 2, 5], [1, 4, 6], 0, { mismatches: 2, maxError: 2, first: 1 }],
    ['within tolerance', [1, 2.5], [1, 2], 0.5, { mismatches: 0, maxError: 0.5, first: undefined }],
    ['NaN', [NaN], [0], 100, { mismatches: 1, maxError: Infinity, first: 0 }],
  ])('%s', (_, actual, expected, tolerance, result) => {
    expect(deviation(actual, expected, tolerance)).toEqual(result);
  });

  it('tolerates nothing unless it is told to', () => {
    expect(deviation([1, 1.5], [1, 1])).toEqual({ mismatches: 1, maxError: 0.5, first: 1 });
  });
  it('refuses data of different lengths', () => {
    expect(() => deviation([1], [1, 2])).toThrow(RangeError);
  });
});
