import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  convolution,
  CsaError,
  multiplyAdds,
  parseShape,
  printShape,
  type ConvolutionFields,
} from '../src/index.ts';

describe('parseShape', () => {
  it.each([
    ['1x32x152x152,256x32x3x3,s2', { outputHeight: 75, outputWidth: 75, strides: { h: 2, w: 2 }, groups: 1 }],
    ['2x8x9x10,4x8x3x2,s2x1', { batch: 2, outputHeight: 4, outputWidth: 9 }],
    ['1x8x9x10,4x8x3x3,p1', { padding: { top: 1, bottom: 1, left: 1, right: 1 }, outputHeight: 9 }],
    ['1x8x9x10,4x8x3x3,p0x1', { padding: { top: 0, bottom: 0, left: 1, right: 1 } }],
    ['1x8x9x10,4x8x3x3,p0x1x2x3', { padding: { top: 0, bottom: 1, left: 2, right: 3 } }],
    ['1x8x9x10,4x8x3x3,d2', { outputHeight: 5, outputWidth: 6 }],
    ['1x8x9x9,4x2x3x3,g4', { groups: 4, inputChannels: 8, filters: 4 }],
    ['1x8x9x9, 4x8x3x3, f16', { elementType: 'f16', elementBytes: 2 }],
  ])('reads %s', (text, fields) => {
    expect(parseShape(text)).toMatchObject(fields);
  });

  it.each([
    ['', 'csa/syntax', 'input', /'' is not|expected a number/],
    ['1x8x9x9', 'csa/syntax', 'filters', /missing; write it as FxCxHxW/],
    ['1x8x9,4x8x3x3', 'csa/syntax', 'input', /not of the form NxCxHxW/],
    ['1x8x9x9,4x8x3', 'csa/syntax', 'filters', /not of the form FxCxHxW/],
    ['1x8x9xq,4x8x3x3', 'csa/syntax', 'input', /expected a number, found 'q'/],
    ['1x8x9x9,4x8x3x3,q', 'csa/syntax', 'shape', /'q' is no option/],
    ['1x8x9x9,4x8x3x3,f33', 'csa/syntax', 'shape', /or an element type; did you mean 'f32'\?/],
    ['1x8x9x9,4x8x3x3,s1x2x3', 'csa/syntax', 'strides', /neither one number nor HEIGHTxWIDTH/],
    ['1x8x9x9,4x8x3x3,s2,s3', 'csa/syntax', 'strides', /given twice/],
    ['1x8x9x9,4x8x3x3,s0', 'csa/not-positive', 'strides.h', /must be a positive integer/],
    ['1x8x9x9,4x7x3x3', 'csa/channels', 'filters', /7 channels a filter, but the input has 8 in 1 group/],
    ['1x8x9x9,4x8x3x3,g3', 'csa/groups', 'groups', /3 groups do not divide 8 input channels and 4 filters/],
    ['1x8x2x9,4x8x3x3', 'csa/no-output', 'filterHeight', /a dilated filter of 3 does not fit an input of 2/],
    ['1x8x9x-9,4x8x3x3', 'csa/syntax', 'input', /found '-9'/],
  ])('refuses %j with %s, naming %s', (text, code, field, message) => {
    const call = () => parseShape(text);
    expect(call).toThrow(CsaError);
    expect(call).toThrow(expect.objectContaining({ code, field }));
    expect(call).toThrow(message);
  });

  it('reads nothing but text', () => {
    expect(() => parseShape([1, 8, 9, 9] as unknown as string)).toThrow('expected text, not [1, 8, 9, 9]');
  });
});

const small = fc.integer({ min: 1, max: 40 });

const fields: fc.Arbitrary<ConvolutionFields> = fc
  .record({
    batch: fc.integer({ min: 1, max: 4 }),
    channels: small,
    filtersEach: small,
    groups: fc.integer({ min: 1, max: 4 }),
    extra: fc.record({ h: fc.integer({ min: 0, max: 30 }), w: fc.integer({ min: 0, max: 30 }) }),
    filterHeight: fc.integer({ min: 1, max: 7 }),
    filterWidth: fc.integer({ min: 1, max: 7 }),
    strides: fc.record({ h: fc.integer({ min: 1, max: 4 }), w: fc.integer({ min: 1, max: 4 }) }),
    dilations: fc.record({ h: fc.integer({ min: 1, max: 3 }), w: fc.integer({ min: 1, max: 3 }) }),
    padding: fc.record({
      top: fc.nat({ max: 3 }),
      bottom: fc.nat({ max: 3 }),
      left: fc.nat({ max: 3 }),
      right: fc.nat({ max: 3 }),
    }),
    elementType: fc.constantFrom('f32' as const, 'f16' as const, 'i8' as const, 'f64' as const),
  })
  .map(({ channels, filtersEach, groups, extra, ...rest }) => ({
    ...rest,
    groups,
    inputChannels: channels * groups,
    filters: filtersEach * groups,
    inputHeight: (rest.filterHeight - 1) * rest.dilations.h + 1 + extra.h,
    inputWidth: (rest.filterWidth - 1) * rest.dilations.w + 1 + extra.w,
  }));

describe('shapes', () => {
  it('are read as they are printed', () => {
    fc.assert(
      fc.property(fields, (given) => {
        const shape = convolution(given);
        expect(parseShape(printShape(shape))).toEqual(shape);
      }),
    );
  });

  it('have the output that a sliding window has', () => {
    fc.assert(
      fc.property(fields, (given) => {
        const { padding, inputHeight, filterHeight, strides, dilations, outputHeight } = convolution(given);
        const padded = inputHeight + padding.top + padding.bottom;
        let rows = 0;
        while (rows * strides.h + (filterHeight - 1) * dilations.h < padded) rows += 1;
        expect(outputHeight).toBe(rows);
      }),
    );
  });

  it('count their multiply-adds', () => {
    expect(multiplyAdds(parseShape('1x32x152x152,256x32x3x3,s2'))).toBe(414_720_000);
    expect(multiplyAdds(parseShape('2x8x3x3,8x1x3x3,g8'))).toBe(2 * 8 * 9);
  });
});

const base: ConvolutionFields = {
  inputChannels: 8,
  inputHeight: 9,
  inputWidth: 9,
  filters: 4,
  filterHeight: 3,
  filterWidth: 3,
};

describe('impossible sizes', () => {
  const counts = [
    'batch',
    'inputChannels',
    'inputHeight',
    'inputWidth',
    'filters',
    'filterHeight',
    'filterWidth',
    'groups',
  ];
  const bad = [
    ...[0, -1, 1.5, Number.NaN].map((value) => [value, 'csa/not-positive'] as const),
    ...[Number.POSITIVE_INFINITY, 2 ** 31, 1e300].map((value) => [value, 'csa/too-large'] as const),
  ];
  it.each(counts.flatMap((field) => bad.map(([value, code]) => [field, value, code] as const)))(
    '%s = %d is refused by name with %s',
    (field, value, code) => {
      expect(() => convolution({ ...base, [field]: value })).toThrow(
        expect.objectContaining({ code, field }),
      );
    },
  );

  it.each([
    [{ strides: { h: 0, w: 1 } }, 'csa/not-positive', 'strides.h'],
    [{ strides: { h: 1, w: 0 } }, 'csa/not-positive', 'strides.w'],
    [{ dilations: { h: -1, w: 1 } }, 'csa/not-positive', 'dilations.h'],
    [{ dilations: { h: 1, w: Number.NaN } }, 'csa/not-positive', 'dilations.w'],
    [{ padding: { top: 0, bottom: 0, left: -1, right: 0 } }, 'csa/not-positive', 'padding.left'],
    [{ padding: { top: 0, bottom: 0, left: 0, right: 2 ** 31 } }, 'csa/too-large', 'padding.right'],
    [{ inputHeight: 2 ** 30, inputWidth: 2 ** 30 }, 'csa/too-large', 'input'],
    [{ filters: 2 ** 30, inputChannels: 2 ** 20 }, 'csa/too-large', 'filters'],
    [{ filters: 2 ** 20, inputHeight: 2 ** 12, inputWidth: 2 ** 12 }, 'csa/too-large', 'output'],
    [
      { inputChannels: 2 ** 16, inputHeight: 2 ** 10, inputWidth: 2 ** 10, filters: 2 ** 19 },
      'csa/too-large',
      'shape',
    ],
    [{ inputHeight: 2 }, 'csa/no-output', 'filterHeight'],
    [{ dilations: { h: 1, w: 5 } }, 'csa/no-output', 'filterWidth'],
    [{ groups: 3 }, 'csa/groups', 'groups'],
    [{ groups: 8 }, 'csa/groups', 'groups'],
    [{ elementType: 'f33' as 'f32' }, 'csa/element-type', 'elementType'],
  ] as const)('%j is refused with %s, naming %s', (change, code, field) => {
    expect(() => convolution({ ...base, ...change })).toThrow(expect.objectContaining({ code, field }));
  });
  it.each([
    ['the input that just fits', { inputHeight: 3, inputWidth: 3 }],
    [
      'the elements that can just be counted',
      { inputChannels: 1, inputHeight: 2 ** 20, inputWidth: 2 ** 20, filters: 1 },
    ],
    ['the largest extent', { inputChannels: 2 ** 31 - 1 }],
  ])('%s is none', (_, change) => {
    expect(() => convolution({ ...base, ...change })).not.toThrow();
  });
  it.each([
    [{ inputHeight: 2 ** 30, inputWidth: 2 ** 30 }, 'input: 9223372036854776000 elements, more than 2^40'],
    [
      { inputChannels: 2 ** 16, inputHeight: 2 ** 10, inputWidth: 2 ** 10, filters: 2 ** 19 },
      'multiply-adds, more than 2^48',
    ],
  ])('%j: says how many there would be', (change, message) => {
    expect(() => convolution({ ...base, ...change })).toThrow(message);
  });
  it('says which element types there are', () => {
    expect(() => convolution({ ...base, elementType: 'f33' as 'f32' })).toThrow(
      "elementType: no element type 'f33'; there are f64, f32, f16, bf16, i32, i16, i8; did you mean 'f32'?",
    );
  });
});
