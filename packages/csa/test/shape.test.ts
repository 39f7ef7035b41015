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
    ['', 'input', /'' is not|expected a number/],
    ['1x8x9x9', 'filters', /missing; write it as FxCxHxW/],
    ['1x8x9,4x8x3x3', 'input', /not of the form NxCxHxW/],
    ['1x8x9x9,4x8x3', 'filters', /not of the form FxCxHxW/],
    ['1x8x9xq,4x8x3x3', 'input', /expected a number, found 'q'/],
    ['1x8x9x9,4x8x3x3,q', 'shape', /'q' is no option/],
    ['1x8x9x9,4x8x3x3,s1x2x3', 'strides', /neither one number nor HEIGHTxWIDTH/],
    ['1x8x9x9,4x8x3x3,s2,s3', 'strides', /given twice/],
    ['1x8x9x9,4x8x3x3,s0', 'strides.h', /must be a positive integer/],
    ['1x8x9x9,4x7x3x3', 'filters', /7 channels a filter, but the input has 8 in 1 group/],
    ['1x8x9x9,4x8x3x3,g3', 'groups', /3 groups do not divide 8 input channels and 4 filters/],
    ['1x8x2x9,4x8x3x3', 'filterHeight', /a dilated filter of 3 does not fit an input of 2/],
    ['1x8x9x-9,4x8x3x3', 'input', /found '-9'/],
  ])('refuses %j, naming %s', (text, field, message) => {
    const error = (() => {
      try {
        parseShape(text);
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(CsaError);
    expect(error).toMatchObject({ field });
    expect(String(error)).toMatch(message);
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
  const bad = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 1e300];
  it.each(counts.flatMap((field) => bad.map((value) => [field, value] as const)))(
    '%s = %d is refused by name',
    (field, value) => {
      expect(() => convolution({ ...base, [field]: value })).toThrow(expect.objectContaining({ field }));
    },
  );

  it.each([
    [{ strides: { h: 0, w: 1 } }, 'strides.h'],
    [{ dilations: { h: 1, w: Number.NaN } }, 'dilations.w'],
    [{ padding: { top: 0, bottom: 0, left: -1, right: 0 } }, 'padding.left'],
    [{ inputHeight: 2 ** 30, inputWidth: 2 ** 30 }, 'input'],
    [{ filters: 2 ** 30, inputChannels: 2 ** 20 }, 'filters'],
    [{ filters: 2 ** 20, inputHeight: 2 ** 12, inputWidth: 2 ** 12 }, 'output'],
    [{ inputChannels: 2 ** 16, inputHeight: 2 ** 10, inputWidth: 2 ** 10, filters: 2 ** 19 }, 'shape'],
  ] as const)('%j names %s', (change, field) => {
    expect(() => convolution({ ...base, ...change })).toThrow(expect.objectContaining({ field }));
  });
});
