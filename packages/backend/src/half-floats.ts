/** Floats of 16 bits, which buffers hold as their bits: f16 is IEEE 754 binary16, bf16 the upper half of an f32. */

import { describeValue } from '@sconv/diagnostics';
import type { OwnArray } from './elements.ts';
import { isArrayOf } from './elements.ts';

/** The floats of 16 bits. */
export type HalfName = 'f16' | 'bf16';

/** Bits of the fraction, the exponent of the smallest normal number, and the bits of infinity. */
const formats = {
  f16: { fraction: 10, least: -14, infinity: 0x7c00 },
  bf16: { fraction: 7, least: -126, infinity: 0x7f80 },
} as const;

/** Throws a TypeError for another name, which untyped callers may pass. */
const formatOf = (name: HalfName): (typeof formats)[HalfName] => {
  if (typeof (name as unknown) === 'string' && Object.hasOwn(formats, name)) return formats[name];
  throw new TypeError(`expected f16 or bf16 as the format, not ${describeValue(name)}`);
};

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The bits of a number, rounded once to the nearest, ties to even; a NaN is the quiet one. */
const bitsOf = (value: number, { fraction, least, infinity }: (typeof formats)[HalfName]): number => {
  double[0] = value;
  const high = words[1]!;
  const sign = (high >>> 16) & 0x8000;
  if (Number.isNaN(value)) return sign | infinity | (1 << (fraction - 1));
  const exponent = Math.max(((high >>> 20) & 0x7ff) - 1023, least);
  const units = Math.abs(value) / 2 ** (exponent - fraction);
  // The last bit of 2^52 is 1: the sum is rounded to a whole number.
  const whole = units + 2 ** 52 - 2 ** 52;
  // The leading one of a normal number counts as 1 of the exponent, as does a carry.
  return sign | Math.min((exponent - least) * 2 ** fraction + whole, infinity);
};

/**
 * Numbers as the bits of a format, each rounded once to the nearest, ties to even. Subnormals are kept; a NaN stays
 * one. Throws a TypeError for what is no list of numbers.
 */
export const halfBits = (format: HalfName, values: ArrayLike<number>): OwnArray<typeof Uint16Array> => {
  const shape = formatOf(format);
  if (typeof (values as unknown) !== 'object' || (values as unknown) === null || !('length' in values))
    throw new TypeError(`expected a list of numbers, not ${describeValue(values)}`);
  return Uint16Array.from(values, (value, i) => {
    if (typeof (value as unknown) === 'number') return bitsOf(value, shape);
    throw new TypeError(`expected numbers, not ${describeValue(value)} at ${i}`);
  });
};

/** The numbers that bits of a format stand for. */
export const halfValues = (format: HalfName, bits: Uint16Array): OwnArray<typeof Float32Array> => {
  const { fraction, least, infinity } = formatOf(format);
  if (!isArrayOf(bits, Uint16Array))
    throw new TypeError(`expected a Uint16Array, not ${describeValue(bits)}`);
  return Float32Array.from(bits, (each) => {
    const magnitude = each & 0x7fff;
    const exponent = magnitude >> fraction;
    const rest = magnitude & ((1 << fraction) - 1);
    const value =
      magnitude >= infinity
        ? magnitude === infinity
          ? Infinity
          : NaN
        : exponent === 0
          ? rest * 2 ** (least - fraction)
          : (rest + 2 ** fraction) * 2 ** (exponent - 1 + least - fraction);
    return each >= 0x8000 ? -value : value;
  });
};
