import { bf16, f16, f32, f64, i1, i32, i64, indexType, integerType } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { elementKind, rounderOf } from '../src/element.ts';

describe('rounding', () => {
  it.each([
    [f16, 1 / 3, 0.333251953125],
    [f16, 2049, 2048],
    [f16, 2051, 2052],
    [f16, 65519, 65504],
    [f16, 65520, Infinity],
    [f16, 2 ** -24, 2 ** -24],
    [f16, 2 ** -25, 0],
    [f16, -3 * 2 ** -25, -(2 ** -23)],
    [bf16, 1 / 3, 0.333984375],
    [bf16, 257, 256],
    [bf16, 259, 260],
    [bf16, 3.4e38, Infinity],
    [f32, 0.1, Math.fround(0.1)],
    [f64, 0.1, 0.1],
    [f16, NaN, NaN],
    [f16, -0, -0],
  ])('%o of %d', (type, value, expected) => {
    expect(rounderOf(type)?.(value)).toBe(expected);
  });
});

it.each([
  [i1, Uint8Array],
  [integerType(16), Int16Array],
  [integerType(17), Int32Array],
  [integerType(33), BigInt64Array],
  [integerType(16, 'unsigned'), Uint16Array],
  [integerType(32, 'unsigned'), Uint32Array],
  [integerType(64, 'unsigned'), BigUint64Array],
  [f16, Float32Array],
  [f32, Float32Array],
  [f64, Float64Array],
  [integerType(4), Int8Array],
  [i32, Int32Array],
  [i64, BigInt64Array],
  [integerType(8, 'unsigned'), Uint8Array],
  [indexType, Float64Array],
  [bf16, Float32Array],
])('%o is held in a typed array of its own', (type, array) => {
  const kind = elementKind(type)!;
  const data = kind.allocate(2);
  expect(data).toBeInstanceOf(array);
  (data as { fill(value: unknown): void }).fill(kind.poison);
  expect(data[1]).toEqual(kind.poison);
});

// Conspicuous in hexadecimal, and held by the type.
it.each([
  [i1, 1],
  [integerType(4), -0x53],
  [integerType(8), -0x53],
  [integerType(16), -0x2153],
  [i32, -0x21524111],
  [i64, -0x2152411021524111n],
  [integerType(8, 'unsigned'), 0xad],
  [integerType(16, 'unsigned'), 0xdead],
  [integerType(32, 'unsigned'), 0xdeadbeef],
  [integerType(64, 'unsigned'), 0xdeadbeefdeadbeefn],
  [indexType, 0xdeadbeef],
  [f16, NaN],
  [bf16, NaN],
  [f32, NaN],
  [f64, NaN],
])('%o that nobody has written is %d', (type, poison) => {
  expect(elementKind(type)?.poison).toBe(poison);
});

it.each([integerType(128), { kind: 'none' } as const])('%o is not supported', (type) => {
  expect(elementKind(type)).toBeUndefined();
});
