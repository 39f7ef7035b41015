import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  floatFromBits,
  floatToBits,
  floatTypeNames,
  floatWidth,
  printFloat,
  roundToFloat,
} from '../src/float-format.ts';

describe('the text of floats', () => {
  // As mlir-opt 19.1.7 prints them.
  it.each([
    [0, 'f32', '0.000000e+00'],
    [-0, 'f32', '-0.000000e+00'],
    [1, 'f32', '1.000000e+00'],
    [0.1, 'f32', '1.000000e-01'],
    [1.5e-7, 'f64', '1.500000e-07'],
    [1e300, 'f64', '1.000000e+300'],
    [12345678, 'f32', '0x4B3C614E'],
    [1.2345678e-20, 'f32', '1.23456779E-20'],
    [1234567890.5, 'f64', '1234567890.5'],
    [7.8, 'f64', '7.7999999999999998'],
    [3.14159265, 'f32', '3.14159274'],
    [0.1, 'f16', '9.997550e-02'],
    [Infinity, 'f32', '0x7F800000'],
    [-Infinity, 'f64', '0xFFF0000000000000'],
    [NaN, 'f32', '0x7FC00000'],
    [NaN, 'bf16', '0x7FC0'],
    [NaN, 'f8E4M3FN', '0x7F'],
    [NaN, 'f8E5M2FNUZ', '0x80'],
  ])('%d as %s is %s', (value, name, text) => {
    expect(printFloat(roundToFloat(value, name), name).text).toBe(text);
  });

  it.each(['f16', 'bf16', 'f32', 'f64', 'f8E5M2', 'f8E4M3FN'])(
    'of type %s reads back as the same value',
    (name) => {
      fc.assert(
        fc.property(fc.bigInt({ min: 0n, max: 2n ** BigInt(floatWidth(name)) - 1n }), (bits) => {
          const value = floatFromBits(bits, name);
          const { text, isHexadecimal } = printFloat(value, name);
          const again = isHexadecimal ? floatFromBits(BigInt(text), name) : roundToFloat(Number(text), name);
          expect(again).toBe(value);
        }),
        { numRuns: 500 },
      );
    },
  );
});

describe('the bits of floats', () => {
  it('are those of JavaScript for f32 and f64', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        const view = new DataView(new ArrayBuffer(8));
        view.setFloat64(0, value);
        expect(floatToBits(value, 'f64')).toBe(view.getBigUint64(0));
        expect(floatFromBits(view.getBigUint64(0), 'f64')).toBe(value);
        const single = Math.fround(value);
        view.setFloat32(0, single);
        expect(floatToBits(single, 'f32')).toBe(BigInt(view.getUint32(0)));
        expect(floatFromBits(BigInt(view.getUint32(0)), 'f32')).toBe(single);
      }),
    );
  });

  it.each([...floatTypeNames].filter((name) => floatWidth(name) <= 19))(
    'of every number of %s lead to it and back, and rounding keeps it',
    (name) => {
      for (let bits = 0; bits < 2 ** floatWidth(name); bits += floatWidth(name) > 8 ? 61 : 1) {
        const value = floatFromBits(BigInt(bits), name);
        if (Number.isNaN(value)) continue;
        expect(floatToBits(value, name)).toBe(BigInt(bits));
        expect(roundToFloat(value, name)).toBe(value);
      }
    },
  );

  it.each([...floatTypeNames])('of %s hold what it rounds to', (name) => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e40, max: 1e40 }), (number) => {
        const value = roundToFloat(number, name);
        if (!Number.isNaN(value)) expect(floatFromBits(floatToBits(value, name), name)).toBe(value);
      }),
    );
  });

  it.each([
    [65519, 'f16', 65504],
    [65520, 'f16', Infinity],
    [2 ** -25, 'f16', 0],
    [1.5 * 2 ** -25, 'f16', 2 ** -24],
    [1 + 2 ** -11, 'f16', 1],
    [1 + 3 * 2 ** -11, 'f16', 1 + 2 ** -9],
    [480, 'f8E4M3FN', NaN],
    [448, 'f8E4M3FN', 448],
    [-0, 'f16', -0],
    [-(2 ** -30), 'f16', -0],
    [-0, 'f8E4M3FN', -0],
    [-0, 'f8E5M2FNUZ', 0],
    [-(2 ** -30), 'f8E5M2FNUZ', 0],
    [-Infinity, 'bf16', -Infinity],
    [Infinity, 'f8E4M3FN', NaN],
    [-Infinity, 'f8E4M3FNUZ', NaN],
    [-0, 'f64', -0],
    [-0, 'f32', -0],
  ])('%d is rounded in %s to %d', (value, name, rounded) => {
    expect(roundToFloat(value, name)).toBe(rounded);
  });
});

it('the width of each type', () => {
  expect([...floatTypeNames].map((name) => floatWidth(name))).toEqual([
    16, 16, 32, 32, 64, 80, 128, 8, 8, 8, 8, 8, 8,
  ]);
});

it('the NaN of each type', () => {
  const patterns = [...floatTypeNames].map((name) => `${name} ${floatToBits(NaN, name).toString(16)}`);
  expect(patterns).toMatchInlineSnapshot(`
    [
      "f16 7e00",
      "bf16 7fc0",
      "tf32 3fe00",
      "f32 7fc00000",
      "f64 7ff8000000000000",
      "f80 7fffc000000000000000",
      "f128 7fff8000000000000000000000000000",
      "f8E5M2 7e",
      "f8E4M3 7c",
      "f8E4M3FN 7f",
      "f8E5M2FNUZ 80",
      "f8E4M3FNUZ 80",
      "f8E4M3B11FNUZ 80",
    ]
  `);
});
