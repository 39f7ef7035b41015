import { describe, expect, it } from 'vitest';
import { exponentialOf, mathFunctions, preciseLogarithm, singleFunctions } from '../src/index.ts';
import type { Datum } from './number-kit.ts';
import { doubleKit, singleKit, singleUnitsApart, unitsApart } from './number-kit.ts';

/** 2/√π. */
const twoOverRootOfPi = 1.1283791670955126;
/** Binary digits behind the point of the integers that stand for numbers in `erf`. */
const digits = 300n;

/** erf by its series, which converges for any number: the terms for 6 reach e^36 first. */
const erf = (x: number): number => {
  if (Math.abs(x) < 2 ** -30) return x * twoOverRootOfPi;
  // Exact: a number of f64 has 53 digits.
  const at = BigInt(x * 2 ** 90) << (digits - 90n);
  let [sum, power] = [0n, at];
  for (let n = 0n; n < 300n; n += 1n) {
    sum += power / (2n * n + 1n);
    power = -((((power * at) >> digits) * at) >> digits) / (n + 1n);
  }
  return (Number(sum >> (digits - 200n)) / 2 ** 200) * twoOverRootOfPi;
};

const references: Readonly<Record<string, (x: number) => number>> = {
  'math.exp': Math.exp,
  'math.exp2': (x) => 2 ** x,
  'math.expm1': Math.expm1,
  'math.log': Math.log,
  'math.log2': Math.log2,
  'math.log10': Math.log10,
  'math.log1p': Math.log1p,
  'math.tanh': Math.tanh,
  'math.sinh': Math.sinh,
  'math.cosh': Math.cosh,
  'math.erf': (x) => (Math.abs(x) > 6 || Number.isNaN(x) ? Math.sign(x) : erf(x)),
  'math.cbrt': Math.cbrt,
  'math.rsqrt': (x) => 1 / Math.sqrt(x),
};

/** Numbers of all sizes, of both signs, dense where functions change from one formula to another. */
const arguments_ = (): readonly number[] => {
  const spread = Array.from({ length: 400 }, (_, i) => (i + 0.37) / 40);
  const sizes = Array.from({ length: 160 }, (_, i) => 1.37 * 2 ** (4 * i - 320));
  const edges = [0.5, Math.SQRT1_2, 1, Math.SQRT2, 2, 6, 10, 22, 40, 700, 709, 709.9, 744, 745.2, 1024, 1074];
  const near = edges.flatMap((edge) => [edge * (1 - 2 ** -40), edge, edge * (1 + 2 ** -40)]);
  const positive = [...spread, ...sizes, ...near, 2 ** -1060, 2 ** 1000, Infinity, 0];
  return [...positive, ...positive.map((x) => -x), NaN];
};

/** The argument that a function is farthest from its reference at. */
const worst = (
  apply: (x: number) => number,
  reference: (x: number) => number,
  apart: (a: number, b: number) => number,
) =>
  arguments_()
    .map((x) => ({ x, units: apart(apply(x), reference(x)) }))
    .reduce((most, each) => (each.units > most.units ? each : most));

describe('a function of f64', () => {
  it('has a reference', () => {
    expect(Object.keys(mathFunctions)).toEqual(Object.keys(references));
  });

  it.each(Object.keys(references))('%s is the function of its name', (name) => {
    const apply = (x: number): number => mathFunctions[name]!<Datum>(doubleKit, x) as number;
    const { x, units } = worst(apply, references[name]!, unitsApart);
    // Those of JavaScript are off by a unit themselves.
    expect({ x, units, isClose: units <= 3 }).toEqual({ x, units, isClose: true });
  });

  it('is undone by another one: the exponential of a precise logarithm', () => {
    const apply = (x: number): number => {
      const { high, low } = preciseLogarithm<Datum>(doubleKit, x);
      return exponentialOf<Datum>(doubleKit, high, 0, low) as number;
    };
    const isUsual = (x: number): boolean => x > 2 ** -1022 && x < Infinity;
    const { x, units } = worst(
      (x) => (isUsual(x) ? apply(x) : x),
      (x) => x,
      unitsApart,
    );
    expect({ x, units, isClose: units <= 1 }).toEqual({ x, units, isClose: true });
  });

  it('may be scaled, beyond what it is without that', () => {
    const half = (x: number): Datum => exponentialOf<Datum>(doubleKit, x, -1);
    expect(half(5)).toBe((exponentialOf<Datum>(doubleKit, 5) as number) / 2);
    expect(exponentialOf<Datum>(doubleKit, 710)).toBe(Infinity);
    expect(half(710)).toBeLessThan(Number.MAX_VALUE);
  });
});

describe('a function of f32', () => {
  it.each(Object.keys(singleFunctions))('%s is the function of its name', (name) => {
    const apply = (x: number): number => singleFunctions[name]!<Datum>(singleKit, Math.fround(x)) as number;
    const reference = (x: number): number => references[name]!(Math.fround(x));
    const { x, units } = worst(apply, reference, singleUnitsApart);
    expect({ x, units, isClose: units <= 2 }).toEqual({ x, units, isClose: true });
  });
});
