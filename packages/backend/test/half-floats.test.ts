import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HalfName } from '../src/index.ts';
import { halfBits, halfValues } from '../src/index.ts';

describe('halfBits', () => {
  it.each<[HalfName, number, number]>([
    ['f16', 1, 0x3c00],
    ['f16', -2, 0xc000],
    ['f16', 65504, 0x7bff],
    ['f16', 65519, 0x7bff],
    ['f16', 65520, 0x7c00],
    ['f16', -Infinity, 0xfc00],
    ['f16', NaN, 0x7e00],
    ['f16', -0, 0x8000],
    ['f16', 2 ** -24, 1],
    ['f16', 2 ** -25, 0],
    ['f16', 1.5 * 2 ** -24, 2],
    ['f16', 2 ** -14 - 2 ** -26, 0x400],
    ['f16', 1 + 2 ** -11, 0x3c00],
    ['f16', 1 + 3 * 2 ** -11, 0x3c02],
    ['f16', 1 + 2 ** -11 + 2 ** -40, 0x3c01],
    ['bf16', 1, 0x3f80],
    ['bf16', 3.14159, 0x4049],
    ['bf16', 2 ** 128, 0x7f80],
    ['bf16', 2 ** -133, 1],
    ['bf16', NaN, 0x7fc0],
    ['bf16', 1 + 2 ** -8, 0x3f80],
  ])('of %s: %d', (format, value, bits) => {
    expect(halfBits(format, [value])[0]).toBe(bits);
  });

  it.each<[unknown, string]>([
    [null, 'expected a list of numbers, not null'],
    [undefined, 'expected a list of numbers, not undefined'],
    [5, 'expected a list of numbers, not 5'],
    [{}, 'expected a list of numbers, not an object'],
    [[1, undefined], 'expected numbers, not undefined at 1'],
    [new Array(1), 'expected numbers, not undefined at 0'],
    [['1'], "expected numbers, not '1' at 0"],
    [[1n], 'expected numbers, not 1n at 0'],
  ])('refuses what are no numbers: %o', (values, message) => {
    expect(() => halfBits('f16', values as number[])).toThrow(TypeError);
    expect(() => halfBits('f16', values as number[])).toThrow(message);
    expect(() => halfValues('bf16', values as Uint16Array)).toThrow('expected a Uint16Array, not ');
  });
});

describe.each(['f16', 'bf16'] as const)('%s', (format) => {
  it('has the bits of each of its values', () => {
    const bits = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);
    const values = halfValues(format, bits);
    const numbers = bits.filter((_, i) => !Number.isNaN(values[i]));
    expect(halfBits(format, halfValues(format, numbers))).toEqual(numbers);
    expect(values.filter((value) => Number.isNaN(value))).toHaveLength(format === 'f16' ? 2046 : 254);
  });

  it('rounds to the nearest, ties to even', () => {
    // Differences of an f32 from its neighbours are exact.
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true, min: -65504, max: 65504 }), (value) => {
        const [bits] = halfBits(format, [Math.abs(value)]);
        const [own, above] = halfValues(format, Uint16Array.of(bits!, bits! + 1));
        const away = Math.abs(Math.abs(value) - own!);
        const isNearest = (other: number): boolean => {
          const distance = Math.abs(Math.abs(value) - other);
          return away < distance || (away === distance && bits! % 2 === 0);
        };
        expect(isNearest(above!)).toBe(true);
        if (bits! > 0) expect(isNearest(halfValues(format, Uint16Array.of(bits! - 1))[0]!)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
