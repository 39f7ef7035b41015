import { expect, it } from 'vitest';
import type { ReferenceShape } from '../src/convolution-shape.ts';
import { convolutionSizes } from '../src/convolution-shape.ts';
import { integerData } from '../src/integer-data.ts';
import { referenceConvolution } from '../src/reference-convolution.ts';

const row = (width: number, taps: number, more: Partial<ReferenceShape> = {}): ReferenceShape => ({
  batch: 1,
  inputChannels: 1,
  inputHeight: 1,
  inputWidth: width,
  filters: 1,
  filterHeight: 1,
  filterWidth: taps,
  ...more,
});

it.each<[string, ReferenceShape, number[], number[], number[], number[]]>([
  ['adds to the initial output', row(3, 2), [1, 2, 3], [10, 1], [100, 200], [112, 223]],
  ['horizontal stride', row(5, 2, { strides: { h: 1, w: 2 } }), [1, 2, 3, 4, 5], [10, 1], [0, 0], [12, 34]],
  [
    'horizontal dilation',
    row(5, 2, { dilations: { h: 1, w: 3 } }),
    [1, 2, 3, 4, 5],
    [10, 1],
    [0, 0],
    [14, 25],
  ],
  [
    'vertical stride and dilation',
    row(1, 1, { inputHeight: 6, filterHeight: 2, strides: { h: 2, w: 1 }, dilations: { h: 3, w: 1 } }),
    [1, 2, 3, 4, 5, 6],
    [10, 1],
    [0, 0],
    [14, 36],
  ],
  ['channels', row(2, 1, { inputChannels: 2 }), [1, 2, 3, 4], [10, 1], [0, 0], [13, 24]],
  ['filters', row(2, 1, { filters: 2 }), [1, 2], [10, 1], [0, 0, 0, 0], [10, 20, 1, 2]],
  [
    'groups, two filters each',
    row(1, 1, { inputChannels: 2, filters: 4, groups: 2 }),
    [3, 5],
    [1, 10, 100, 1000],
    [0, 0, 0, 0],
    [3, 30, 500, 5000],
  ],
  [
    'padding, of which a stride leaves some out',
    row(3, 2, { padding: { top: 0, bottom: 0, left: 2, right: 1 }, strides: { h: 1, w: 2 } }),
    [1, 2, 3],
    [10, 1],
    [0, 0, 0],
    [0, 12, 30],
  ],
  [
    'rows of padding',
    row(1, 1, { inputHeight: 2, filterHeight: 2, padding: { top: 1, bottom: 2, left: 0, right: 0 } }),
    [1, 2],
    [10, 1],
    [0, 0, 0, 0],
    [1, 12, 20, 0],
  ],
  ['batch', row(2, 1, { batch: 2 }), [1, 2, 3, 4], [10], [0, 0, 0, 0], [10, 20, 30, 40]],
])('%s', (_, shape, input, filters, output, expected) => {
  expect([...referenceConvolution(shape, input, filters, output)]).toEqual(expected);
});

it('agrees with the definition of each element', () => {
  const shape: ReferenceShape = {
    batch: 2,
    inputChannels: 3,
    inputHeight: 10,
    inputWidth: 9,
    filters: 4,
    filterHeight: 3,
    filterWidth: 2,
    strides: { h: 2, w: 1 },
    dilations: { h: 1, w: 3 },
  };
  const sizes = convolutionSizes(shape);
  const { outputHeight, outputWidth } = sizes;
  const [input, filters, initial] = [sizes.input, sizes.filters, sizes.output].map((n, seed) =>
    integerData(n, seed),
  ) as [Float32Array, Float32Array, Float32Array];
  const result = referenceConvolution(shape, input, filters, initial);
  const at = (n: number, f: number, oh: number, ow: number): number => {
    let sum = initial[((n * 4 + f) * outputHeight + oh) * outputWidth + ow]!;
    for (let c = 0; c < 3; c++)
      for (let fh = 0; fh < 3; fh++)
        for (let fw = 0; fw < 2; fw++)
          sum +=
            input[((n * 3 + c) * 10 + oh * 2 + fh) * 9 + ow + fw * 3]! *
            filters[((f * 3 + c) * 3 + fh) * 2 + fw]!;
    return sum;
  };
  let i = 0;
  for (let n = 0; n < 2; n++)
    for (let f = 0; f < 4; f++)
      for (let oh = 0; oh < outputHeight; oh++)
        for (let ow = 0; ow < outputWidth; ow++) expect(result[i++]).toBe(at(n, f, oh, ow));
  expect(i).toBe(result.length);
});

it('refuses data that do not fit the shape, and a filter that does not fit the input', () => {
  expect(() => referenceConvolution(row(3, 2), [1, 2], [1, 2], [0, 0])).toThrow(
    new RangeError('input has 2 elements, but the shape needs 3'),
  );
  expect(() => referenceConvolution(row(3, 2), [1, 2, 3], [1], [0, 0])).toThrow(
    new RangeError('filters has 1 elements, but the shape needs 2'),
  );
  expect(() => referenceConvolution(row(3, 2), [1, 2, 3], [1, 2], [0, 0, 0])).toThrow(
    new RangeError('output has 3 elements, but the shape needs 2'),
  );
  expect(() => referenceConvolution(row(3, 4), [1, 2, 3], [1, 2, 3, 4], [])).toThrow(/does not fit/);
  expect(() => referenceConvolution(row(3, 1, { groups: 2 }), [1, 2, 3], [1], [])).toThrow(
    new RangeError('2 groups do not divide 1 input channels and 1 filters'),
  );
});

it('integerData is deterministic, and covers its range and nothing else', () => {
  expect(integerData(20, 7)).toEqual(integerData(20, 7));
  expect(integerData(20, 7)).not.toEqual(integerData(20, 8));
  expect(new Set(integerData(1000, 1, 2))).toEqual(new Set([-2, -1, 0, 1, 2]));
});
