import { affineMap, dim } from '@sconv/affine';
import { f32, f64, i32, indexType, memrefType, tensorType, vectorType, DYNAMIC } from '@sconv/ir';
import type { Type } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { hasStaticSizes, touchedRange, tryAffine } from '../src/affine-planning.ts';
import { evaluateMap } from '../src/evaluate-map.ts';
import { findOperation } from './support.ts';

describe('touchedRange', () => {
  it.each<[string, readonly number[], { lo: number; hi: number; exact: boolean }]>([
    ['(d0, d1) -> (d0 * 2 + d1)', [4, 3], { lo: 0, hi: 9, exact: true }],
    ['(d0, d1) -> (d0 * 2 + d1)', [1, 1], { lo: 0, hi: 1, exact: true }],
    ['(d0, d1) -> (d0 * 2 + d1)', [4, 0], { lo: 0, hi: 0, exact: true }],
    // A dimension without iterations matters only where it is used.
    ['(d0, d1) -> (d0 + 5)', [4, 0], { lo: 5, hi: 9, exact: true }],
    ['(d0, d1) -> (7)', [0, 0], { lo: 7, hi: 8, exact: true }],
    ['(d0, d1) -> (3 - d1)', [1, 4], { lo: 0, hi: 4, exact: true }],
  ])('of %s over %j', (map, extents, expected) => {
    expect(touchedRange(affineMap(map).results[0]!, extents)).toEqual(expected);
  });
});

it.each<[Type, boolean]>([
  [tensorType([4, 1], f32), true],
  [tensorType([4, DYNAMIC], f32), false],
  [{ kind: 'unranked-tensor', elementType: f32 }, false],
  [memrefType([4], f32), false],
  [vectorType([4], f32), false],
  [f64, true],
  [i32, true],
  [indexType, true],
  [{ kind: 'none' }, false],
])('an operand of static size: %j: %s', (type, expected) => {
  const operand = { id: 0, type };
  const view = { iteratorTypes: [], indexingMaps: [], loopRanges: [4], body: undefined };
  expect(hasStaticSizes({ ...view, inputs: [operand], outputs: [] })).toBe(expected);
  expect(hasStaticSizes({ ...view, inputs: [], outputs: [operand] })).toBe(expected);
  expect(hasStaticSizes({ ...view, inputs: [operand], outputs: [], loopRanges: [4, DYNAMIC] })).toBe(false);
});

describe('what the algebra refuses', () => {
  const broken = (): never => {
    throw new Error('nothing of the algebra');
  };
  const operation = findOperation('func.func private @f()', 'func.func');

  it('is a failure of the payload', () => {
    expect(tryAffine(operation, 'test/affine', () => 3)).toMatchObject({ status: 'success', value: 3 });
    expect(
      tryAffine(operation, 'test/affine', () =>
        dim(0)
          .mul(2 ** 52)
          .mul(4),
      ),
    ).toMatchObject({
      status: 'silenceable',
      diagnostics: [{ code: 'test/affine', location: operation.location }],
    });
    expect(() => tryAffine(operation, 'test/affine', broken)).toThrow('nothing of the algebra');
  });

  it('has no value at a point', () => {
    expect(evaluateMap(affineMap('(d0)[s0] -> (d0 floordiv s0, 1)'), [7], [2])).toEqual([3, 1]);
    expect(evaluateMap(affineMap('(d0)[s0] -> (d0 floordiv s0)'), [7], [0])).toBeUndefined();
    expect(evaluateMap(affineMap('() -> (4)'), [])).toEqual([4]);
  });
});
