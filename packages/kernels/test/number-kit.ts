/** Mathematical functions on plain numbers: the operations that they are written in, as JavaScript has them. */
import type { MathKit, SingleKit } from '../src/index.ts';

/** A number, its bits, or a condition. */
export type Datum = number | bigint | boolean;

const view = new DataView(new ArrayBuffer(8));
const bitsOfDouble = (value: number): bigint => {
  view.setFloat64(0, value);
  return view.getBigInt64(0);
};
const doubleOf = (bits: bigint): number => {
  view.setBigInt64(0, bits);
  return view.getFloat64(0);
};
const bitsOfSingle = (value: number): bigint => {
  view.setFloat32(0, value);
  return BigInt(view.getInt32(0));
};
const singleOf = (bits: bigint): number => {
  view.setInt32(0, Number(bits));
  return view.getFloat32(0);
};

const nearest = (x: number): number => {
  const floor = Math.floor(x);
  const part = x - floor;
  return part < 0.5 || (part === 0.5 && floor % 2 === 0) ? floor : floor + 1;
};

type Shared = Pick<MathKit<Datum>, keyof SingleKit<Datum> & keyof MathKit<Datum>>;

/** What both have: rounded by `round`, with bits of a width. */
const shared = (
  round: (value: number) => number,
  width: number,
  toBits: (value: number) => bigint,
  fromBits: (bits: bigint) => number,
): Shared => {
  const rounded =
    (apply: (a: number, b: number) => number) =>
    (a: Datum, b: Datum): number =>
      round(apply(a as number, b as number));
  const onBits =
    (apply: (a: bigint, b: bigint) => bigint) =>
    (a: Datum, b: Datum): bigint =>
      BigInt.asIntN(width, apply(a as bigint, b as bigint));
  return {
    of: round,
    bitsOf: (value) => BigInt.asIntN(width, value),
    keep: (a) => a,
    add: rounded((a, b) => a + b),
    sub: rounded((a, b) => a - b),
    mul: rounded((a, b) => a * b),
    div: rounded((a, b) => a / b),
    abs: (a) => Math.abs(a as number),
    neg: (a) => -(a as number),
    lt: (a, b) => a < b,
    choose: (condition, a, b) => (condition === true ? a : b),
    toBits: (a) => toBits(a as number),
    fromBits: (a) => fromBits(a as bigint),
    addBits: onBits((a, b) => a + b),
    subBits: onBits((a, b) => a - b),
    andBits: onBits((a, b) => a & b),
    orBits: onBits((a, b) => a | b),
    shiftLeft: (bits, count) => BigInt.asIntN(width, (bits as bigint) << BigInt(count)),
    shiftRight: (bits, count) => (bits as bigint) >> BigInt(count),
  };
};

/** Of f64. */
export const doubleKit: MathKit<Datum> = {
  ...shared((value) => value, 64, bitsOfDouble, doubleOf),
  min: (a, b) => Math.min(a as number, b as number),
  max: (a, b) => Math.max(a as number, b as number),
  sqrt: (a) => Math.sqrt(a as number),
  floor: (a) => Math.floor(a as number),
  nearest: (a) => nearest(a as number),
  le: (a, b) => a <= b,
  eq: (a, b) => a === b,
};

/** Of f32. */
export const singleKit: SingleKit<Datum> = {
  ...shared(Math.fround, 32, bitsOfSingle, singleOf),
  lesser: (a, b) => (b < a ? b : a),
  greater: (a, b) => (b > a ? b : a),
};

/** How many units in the last place a number of f64 is from another one; of equal ones, and two NaN, none. */
export const unitsApart = (a: number, b: number): number => {
  if (Object.is(a, b)) return 0;
  if (Number.isNaN(a) || Number.isNaN(b) || Math.sign(a) !== Math.sign(b)) return Infinity;
  return Math.abs(Number(bitsOfDouble(a) - bitsOfDouble(b)));
};

/** The same of f32, beside a number of f64. */
export const singleUnitsApart = (a: number, b: number): number => {
  if (Object.is(a, Math.fround(b))) return 0;
  if (Number.isNaN(a) || Number.isNaN(b)) return Infinity;
  const magnitude = Math.abs(Math.fround(b));
  if (!Number.isFinite(magnitude) || !Number.isFinite(a)) return Infinity;
  return Math.abs(a - b) / (singleOf(bitsOfSingle(magnitude) + 1n) - magnitude);
};
