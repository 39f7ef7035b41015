/**
 * How elements of a type are represented: typed array, poison for uninitialized elements, rounding.
 *
 * Scalars of `index`, floats and integers up to 32 bits are numbers; wider integers are bigints, since only those are
 * exact. Signless integers are held sign-extended, `i1` as 0 or 1. Elements of `index` are held as doubles, exact up to
 * 2^53. `f16` and `bf16` are held as `f32` values rounded to their type.
 */
import type { Type } from '@sconv/ir';

/** Elements that are numbers. */
export type NumberArray =
  Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array;
/** Elements that are bigints. */
export type BigArray = BigInt64Array | BigUint64Array;
/** The elements of a tensor or buffer. */
export type ElementArray = NumberArray | BigArray;

/** One scalar: a bigint for integers of more than 32 bits. */
export type Scalar = number | bigint;

/** Whether scalars of this type are numbers, which live in a frame's `numbers`. */
export const isNumberType = (type: Type): boolean =>
  type.kind === 'index' || type.kind === 'float' || (type.kind === 'integer' && type.width <= 32);

/** The representation of one element type. */
export interface ElementKind {
  /** The value of an uninitialized element: NaN, or a conspicuous bit pattern. */
  readonly poison: Scalar;
  readonly allocate: (length: number) => ElementArray;
}

const numbers = (poison: number, allocate: (length: number) => NumberArray): ElementKind => ({
  poison,
  allocate,
});

const float32 = numbers(NaN, (length) => new Float32Array(length));
const float64 = numbers(NaN, (length) => new Float64Array(length));
const index = numbers(0xdeadbeef, (length) => new Float64Array(length));
const signed = {
  1: numbers(1, (length) => new Uint8Array(length)),
  8: numbers(-0x53, (length) => new Int8Array(length)),
  16: numbers(0xdead - 0x10000, (length) => new Int16Array(length)),
  32: numbers(0xdeadbeef | 0, (length) => new Int32Array(length)),
};
const unsigned = {
  1: signed[1],
  8: numbers(0xad, (length) => new Uint8Array(length)),
  16: numbers(0xdead, (length) => new Uint16Array(length)),
  32: numbers(0xdeadbeef, (length) => new Uint32Array(length)),
};
const signed64: ElementKind = {
  poison: BigInt.asIntN(64, 0xdeadbeefdeadbeefn),
  allocate: (length) => new BigInt64Array(length),
};
const unsigned64: ElementKind = {
  poison: 0xdeadbeefdeadbeefn,
  allocate: (length) => new BigUint64Array(length),
};

const floatKinds: Readonly<Record<string, ElementKind>> = {
  f16: float32,
  bf16: float32,
  f32: float32,
  f64: float64,
};

/** The representation of `type`; undefined for unsupported types. */
export const elementKind = (type: Type): ElementKind | undefined => {
  switch (type.kind) {
    case 'index':
      return index;
    case 'float':
      return floatKinds[type.name];
    case 'integer': {
      const kinds = type.signedness === 'unsigned' ? unsigned : signed;
      if (type.width === 1) return kinds[1];
      if (type.width <= 8) return kinds[8];
      if (type.width <= 16) return kinds[16];
      if (type.width <= 32) return kinds[32];
      if (type.width <= 64) return type.signedness === 'unsigned' ? unsigned64 : signed64;
      return undefined;
    }
    default:
      return undefined;
  }
};

/** Writes one element; the caller ensures that `data` holds such scalars. */
export const setElement = (data: ElementArray, position: number, value: Scalar): void => {
  // A typed array accepts only its own kind of scalar, and the element type determines both.
  (data as Record<number, Scalar>)[position] = value;
};

/** Writes `value` to every element from `start` up to `end`. */
export const fillElements = (data: ElementArray, value: Scalar, start?: number, end?: number): void => {
  (data as { fill(value: Scalar, start?: number, end?: number): unknown }).fill(value, start, end);
};

/** Copies `source` into `target` from `position` on; both hold the same kind of elements. */
export const setElements = (target: ElementArray, source: ElementArray, position: number): void => {
  (target as { set(source: ElementArray, position: number): void }).set(source, position);
};

/**
 * Rounds to nearest, ties to even, to a format with `fraction` explicit significand bits and normal exponents from
 * `leastExponent` on; magnitudes of `overflow` and above become infinite.
 */
const roundTo = (value: number, fraction: number, leastExponent: number, overflow: number): number => {
  if (value === 0 || !Number.isFinite(value)) return value;
  const magnitude = Math.abs(value);
  let exponent = Math.floor(Math.log2(magnitude));
  // `log2` may round up to the next integer just below a power of two.
  if (2 ** exponent > magnitude) exponent -= 1;
  const unit = 2 ** (Math.max(exponent, leastExponent) - fraction);
  const units = magnitude / unit;
  const floor = Math.floor(units);
  const rest = units - floor;
  const even = floor % 2 === 0 ? floor : floor + 1;
  const rounded = (rest > 0.5 ? floor + 1 : rest < 0.5 ? floor : even) * unit;
  return Math.sign(value) * (rounded >= overflow ? Infinity : rounded);
};

const identity = (value: number): number => value;

const rounders: Readonly<Record<string, (value: number) => number>> = {
  f16: (value) => roundTo(value, 10, -14, 2 ** 16),
  bf16: (value) => roundTo(value, 7, -126, 2 ** 128),
  f32: Math.fround,
  f64: identity,
};

/**
 * Rounds an exact or double result to a float type. One operation in double followed by this rounding is correctly
 * rounded for `+ - * /` and square roots in every type up to f32, since double has more than twice their precision.
 */
export const rounderOf = (type: Type): ((value: number) => number) | undefined =>
  type.kind === 'float' ? rounders[type.name] : undefined;

/** Whether the elements are bigints. */
export const isBigArray = (data: ElementArray): data is BigArray =>
  data instanceof BigInt64Array || data instanceof BigUint64Array;
