import type { Operation } from '@sconv/ir';
import { createRegistry, f32, indexType, modelOf } from '@sconv/ir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atomicCombiner, combinerName, combiningKindOf, combiningKinds } from '../src/combining-kinds.ts';
import { combinerOf, payloadDialects } from '../src/index.ts';
import type { FloatOp } from '../src/scalar-op.ts';
import { scalarOp } from '../src/scalar-op.ts';

const registry = createRegistry(payloadDialects);

/** What an op on floats computes; undefined for other ops. */
const compute = (name: string): FloatOp['compute'] | undefined => {
  const scalar = modelOf(registry, scalarOp, { name });
  return scalar?.kind === 'floats' ? scalar.compute : undefined;
};

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

describe('an op on floats', () => {
  it.each(points)('%s of %j is %d', (name, [a = NaN, b = NaN, c = NaN], result) => {
    expect(compute(name)?.(a, b, c)).toBe(result);
  });

  it('has a point above', () => {
    const tried = new Set(points.map(([name]) => name));
    const names = [...registry.operations.keys()].filter((name) => compute(name) !== undefined);
    expect(names.filter((name) => !tried.has(name))).toEqual([]);
  });

  it('math.roundeven gives the nearest integer, with the sign of its operand', () => {
    const round = compute('math.roundeven')!;
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

describe('a neutral element', () => {
  const scalars = [...registry.operations.keys()].flatMap((name) => {
    const scalar = modelOf(registry, scalarOp, { name });
    return scalar === undefined || scalar.kind === 'composed' ? [] : [{ name, scalar }];
  });
  const width = 8;
  const bytes = Array.from({ length: 2 ** width }, (_, i) => BigInt.asIntN(width, BigInt(i)));

  it.each(scalars.filter(({ scalar }) => scalar.neutral !== undefined))(
    'of $name is one',
    ({ name, scalar }) => {
      if (scalar.kind === 'floats') {
        const neutral = scalar.neutral![0]!;
        for (const value of [0, -0, 1, -2.5, Infinity, -Infinity, NaN]) {
          expect(scalar.compute(value, neutral, NaN)).toBe(value);
          expect(scalar.compute(neutral, value, NaN)).toBe(value);
        }
      } else {
        const neutral = scalar.neutral!(width);
        const differ = bytes.filter(
          (value) => BigInt.asIntN(width, scalar.compute(value, neutral, width)!) !== value,
        );
        expect(differ).toEqual([]);
      }
      expect(combinerOf(registry, { name, results: [0] } as unknown as Operation)).toBe(name);
    },
  );

  it('is that of each combining kind', () => {
    const combiners = scalars.filter(({ scalar }) => scalar.neutral !== undefined).map(({ name }) => name);
    const named = combiningKinds.flatMap((kind) =>
      [f32, indexType].flatMap((type) => combinerName(kind, type) ?? []),
    );
    expect(new Set(named)).toEqual(new Set(combiners));
    expect(named.map((name) => combiningKindOf({ name })).every((kind) => kind !== undefined)).toBe(true);
  });
});

it.each([
  ['assign', undefined],
  ['addf', { on: 'float', name: 'arith.addf' }],
  ['maxs', { on: 'integer', name: 'arith.maxsi' }],
  ['minu', { on: 'integer', name: 'arith.minui' }],
  ['ori', { on: 'integer', name: 'arith.ori' }],
  ['minnumf', { on: 'float', name: 'arith.minnumf' }],
] as const)('the atomic kind %s stands for %j', (kind, combiner) => {
  expect(atomicCombiner(kind)).toEqual(combiner);
});
