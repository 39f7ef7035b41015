import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatComparisons, floatOperations } from '../src/floats.ts';

const specials = [0, -0, 1, -1, 2.5, Infinity, -Infinity, NaN];

/** By MLIR's `CmpFPredicate`: which of the four relations of two floats a predicate accepts. */
const relations: Readonly<Record<string, readonly ('<' | '=' | '>' | '?')[]>> = {
  false: [],
  oeq: ['='],
  ogt: ['>'],
  oge: ['>', '='],
  olt: ['<'],
  ole: ['<', '='],
  one: ['<', '>'],
  ord: ['<', '=', '>'],
  ueq: ['=', '?'],
  ugt: ['>', '?'],
  uge: ['>', '=', '?'],
  ult: ['<', '?'],
  ule: ['<', '=', '?'],
  une: ['<', '>', '?'],
  uno: ['?'],
  true: ['<', '=', '>', '?'],
};

const relationOf = (a: number, b: number): '<' | '=' | '>' | '?' =>
  a < b ? '<' : a > b ? '>' : a === b ? '=' : '?';

describe('a comparison', () => {
  it.each(Object.entries(relations).map(([name, accepted], index) => ({ name, accepted, index })))(
    '$name accepts $accepted',
    ({ accepted, index }) => {
      for (const a of specials)
        for (const b of specials)
          expect(floatComparisons[index]?.(a, b), `${a}, ${b}`).toBe(accepted.includes(relationOf(a, b)));
    },
  );

  it('is one of sixteen', () => {
    expect(floatComparisons).toHaveLength(Object.keys(relations).length);
  });
});

/** Name, operands, result: each operation at a point that distinguishes it from the others in its group. */
const points: readonly (readonly [name: string, operands: readonly number[], result: number])[] = [
  ['arith.addf', [6, 4], 10],
  ['arith.subf', [6, 4], 2],
  ['arith.mulf', [6, 4], 24],
  ['arith.divf', [6, 4], 1.5],
  ['arith.divf', [1, -0], -Infinity],
  ['arith.remf', [-7, 4], -3],
  ['arith.negf', [0], -0],
  ['arith.maximumf', [1, 2], 2],
  ['arith.maximumf', [-0, 0], 0],
  ['arith.maximumf', [1, NaN], NaN],
  ['arith.maximumf', [NaN, 1], NaN],
  ['arith.minimumf', [1, 2], 1],
  ['arith.minimumf', [0, -0], -0],
  ['arith.minimumf', [1, NaN], NaN],
  ['arith.minimumf', [NaN, 1], NaN],
  ['arith.maxnumf', [1, 2], 2],
  ['arith.maxnumf', [1, NaN], 1],
  ['arith.maxnumf', [NaN, 1], 1],
  ['arith.maxnumf', [NaN, NaN], NaN],
  ['arith.minnumf', [1, 2], 1],
  ['arith.minnumf', [1, NaN], 1],
  ['arith.minnumf', [NaN, 1], 1],
  ['arith.minnumf', [NaN, NaN], NaN],
  ['math.absf', [-3], 3],
  ['math.acos', [-1], Math.PI],
  ['math.acosh', [2], Math.acosh(2)],
  ['math.asin', [1], Math.PI / 2],
  ['math.asinh', [1], Math.asinh(1)],
  ['math.atan', [Infinity], Math.PI / 2],
  ['math.atan2', [0, -1], Math.PI],
  ['math.atanh', [0.5], Math.atanh(0.5)],
  ['math.cbrt', [-27], -3],
  ['math.ceil', [-1.5], -1],
  ['math.ceil', [1.2], 2],
  ['math.copysign', [-3, 2], 3],
  ['math.copysign', [3, -2], -3],
  ['math.copysign', [3, 0], 3],
  ['math.copysign', [3, -0], -3],
  ['math.cos', [0], 1],
  ['math.cosh', [1], Math.cosh(1)],
  ['math.erf', [Infinity], 1],
  ['math.exp', [1], Math.E],
  ['math.exp2', [10], 1024],
  ['math.expm1', [2 ** -60], 2 ** -60],
  ['math.floor', [-1.5], -2],
  ['math.floor', [1.8], 1],
  ['math.fma', [2, 3, 4], 10],
  ['vector.fma', [2, 3, 4], 10],
  ['math.log', [Math.E], 1],
  ['math.log10', [1000], 3],
  ['math.log1p', [2 ** -60], 2 ** -60],
  ['math.log2', [8], 3],
  ['math.powf', [3, 4], 81],
  ['math.powf', [-8, 1 / 3], NaN],
  ['math.powf', [NaN, 0], 1],
  // As libm, not as JavaScript.
  ['math.powf', [1, NaN], 1],
  ['math.powf', [1, -Infinity], 1],
  ['math.powf', [-1, Infinity], 1],
  ['math.round', [2.5], 3],
  ['math.round', [-0.5], -1],
  ['math.round', [-0.25], -0],
  ['math.round', [0.49999999999999994], 0],
  ['math.roundeven', [0.5], 0],
  ['math.roundeven', [1.5], 2],
  ['math.roundeven', [2.5], 2],
  ['math.roundeven', [2.25], 2],
  ['math.roundeven', [2.75], 3],
  ['math.roundeven', [-0.5], -0],
  ['math.roundeven', [-0.25], -0],
  ['math.roundeven', [-1.5], -2],
  ['math.roundeven', [-2.5], -2],
  ['math.roundeven', [-2.75], -3],
  ['math.roundeven', [2 ** 52 + 1], 2 ** 52 + 1],
  ['math.roundeven', [-Infinity], -Infinity],
  ['math.roundeven', [NaN], NaN],
  ['math.rsqrt', [16], 0.25],
  ['math.sin', [Math.PI / 2], 1],
  ['math.sinh', [1], Math.sinh(1)],
  ['math.sqrt', [16], 4],
  ['math.tan', [0.75], Math.tan(0.75)],
  ['math.tanh', [Infinity], 1],
  ['math.trunc', [-1.5], -1],
  ['math.trunc', [1.8], 1],
];

describe('an operation', () => {
  it.each(points)('%s of %j is %d', (name, [a = NaN, b = NaN, c = NaN], result) => {
    expect(floatOperations[name]?.(a, b, c)).toBe(result);
  });

  it('has a point above', () => {
    const tried = new Set(points.map(([name]) => name));
    expect(Object.keys(floatOperations).filter((name) => !tried.has(name))).toEqual([]);
  });

  it('math.roundeven gives the nearest integer, with the sign of its operand', () => {
    const round = floatOperations['math.roundeven']!;
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        const rounded = round(value, 0, 0);
        expect(Number.isInteger(rounded)).toBe(true);
        expect(Math.abs(value - rounded)).toBeLessThanOrEqual(0.5);
        expect(Object.is(Math.sign(value) || value, -0) || value < 0).toBe(
          rounded < 0 || Object.is(rounded, -0),
        );
      }),
    );
  });
});
