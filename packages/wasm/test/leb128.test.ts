import fc from 'fast-check';
import { expect, it } from 'vitest';
import { signed, signed32, unsigned } from '../src/leb128.ts';

it.each([
  [0, [0x00]],
  [127, [0x7f]],
  [128, [0x80, 0x01]],
  [624485, [0xe5, 0x8e, 0x26]],
])('writes %d unsigned', (value, bytes) => {
  expect(unsigned(value)).toEqual(bytes);
});

it.each([
  [0n, [0x00]],
  [63n, [0x3f]],
  [64n, [0xc0, 0x00]],
  [-1n, [0x7f]],
  [-123456n, [0xc0, 0xbb, 0x78]],
])('writes %d signed', (value, bytes) => {
  expect(signed(value)).toEqual(bytes);
});

it('refuses what is no unsigned integer', () => {
  for (const value of [-1, 0.5, NaN, 2 ** 60]) expect(() => unsigned(value)).toThrow(RangeError);
});

it('writes every 64-bit integer so that it reads back', () => {
  const read = (bytes: readonly number[]): bigint =>
    BigInt.asIntN(
      7 * bytes.length,
      bytes.reduce((sum, byte, i) => sum | (BigInt(byte & 0x7f) << BigInt(7 * i)), 0n),
    );
  fc.assert(fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => read(signed(value)) === value));
});

it('writes every 32-bit integer as one of 64 bits', () => {
  fc.assert(
    fc.property(fc.integer(), (value) => {
      expect(signed32(value)).toEqual(signed(BigInt(value)));
    }),
  );
});
