import { describe, expect, it } from 'vitest';
import {
  affineExpr,
  affineMap,
  compose,
  constant,
  dim,
  dropDims,
  dropSymbols,
  equivalent,
  evaluate,
  evaluateBigInt,
  floorDiv,
  imageSize,
  inverseProjectedPermutation,
  isAffineError,
  rowMajorPosition,
  mod,
  mul,
  permutationMap,
  range,
  splitDim,
  subMap,
  symbol,
} from '../src/index.ts';
import { AffineError } from '../src/affine-error.ts';

const [d0, d1, s0] = [dim(0), dim(1), symbol(0)];
const map = affineMap('(d0, d1)[s0] -> (d0, d1 + s0)');

describe('each refusal', () => {
  it.each<[AffineError['code'], string, () => unknown]>([
    ['affine/not-an-integer', '0.5 is not an integer', () => constant(0.5)],
    [
      'affine/overflow',
      '9007199254740992 is outside the integers that a number holds exactly (2^53)',
      () => constant(2 ** 53),
    ],
    [
      'affine/overflow',
      '-9007199254740992 is outside the integers that a number holds exactly (2^53)',
      () => constant(-(2 ** 53)),
    ],
    [
      'affine/position-out-of-range',
      'a position must be an integer in [0, 65535], not 65536',
      () => dim(65_536),
    ],
    ['affine/position-out-of-range', 'a position must be an integer in [0, 65535], not -1', () => symbol(-1)],
    [
      'affine/position-out-of-range',
      'a position must be an integer in [0, 65535], not 100.5',
      () => symbol(100.5),
    ],
    ['affine/zero-divisor', 'mod by zero', () => mod(d0, 0)],
    ['affine/zero-divisor', 'floordiv by zero', () => evaluate(floorDiv(d0, s0), [1], [0])],
    ['affine/zero-divisor', 'ceildiv by zero', () => evaluateBigInt(affineExpr('d0 ceildiv s0'), [1n], [0n])],
    [
      'affine/not-affine',
      'not affine: at least one factor of mul must be a constant or symbolic',
      () => mul(d0, d1),
    ],
    [
      'affine/not-affine',
      'not affine: the right operand of floordiv must be a constant or symbolic',
      () => floorDiv(s0, d1),
    ],
    ['affine/invalid-argument', '[0, 2] is not a permutation', () => permutationMap([0, 2])],
    [
      'affine/invalid-argument',
      'd01x names no dimension and no symbol: use d0, s0, …',
      () => range(d0, { d01x: [0, 5] }),
    ],
    [
      'affine/not-an-integer',
      'the bounds [0.5, 5) of d0 are not integers',
      () => range(d0, { d0: [0.5, 5] }),
    ],
    [
      'affine/not-an-integer',
      'the bounds [0, NaN) of s1 are not integers',
      () => range(s0, { s1: [0, NaN] }),
    ],
    ['affine/empty-domain', 'the bounds [5, 5) of d0 have no points', () => range(d0, { d0: [5, 5] })],
    ['affine/empty-domain', 'the bounds [6, 5) of s0 have no points', () => range(d0, { s0: [6, 5] })],
    [
      'affine/invalid-argument',
      'cannot compare a map with an expression',
      () => equivalent(affineMap('(d0) -> (d0)'), d0),
    ],
    [
      'affine/arity-mismatch',
      'the maps differ in arity: 1 dimensions, 0 symbols and 0 results against 0 dimensions, 1 symbols and 0 results',
      () => equivalent(affineMap('(d0) -> ()'), affineMap('()[s0] -> ()')),
    ],
    [
      'affine/domain-too-large',
      'd0 is used, but has no finite bounds',
      () => imageSize(affineMap('(d0) -> (d0 mod 3)'), { d0: [0, Infinity] }),
    ],
    [
      'affine/domain-too-large',
      'the box has 4194305 points; at most 4194304 are examined',
      () => imageSize(affineMap('(d0) -> (d0 mod 3)'), { d0: [0, 2 ** 22 + 1] }),
    ],
    [
      'affine/invalid-argument',
      '(d0) -> (d0 * 2) is not a projected permutation',
      () => inverseProjectedPermutation(affineMap('(d0) -> (d0 * 2)')),
    ],
    ['affine/position-out-of-range', 'there is no result 2: the map has 2', () => subMap(map, [0, 2])],
    ['affine/invalid-argument', 'dim 1 is used and cannot be dropped', () => dropDims(map, [1])],
    ['affine/invalid-argument', 'symbol 0 is used and cannot be dropped', () => dropSymbols(map, [0])],
    [
      'affine/arity-mismatch',
      'cannot compose: the outer map has 2 dimensions, the inner map has 1 results',
      () => compose(map, affineMap('(d0) -> (d0)')),
    ],
    ['affine/position-out-of-range', 'there is no dimension 2: the map has 2', () => splitDim(map, 2, 8)],
    ['affine/position-out-of-range', 'there is no dimension -1: the map has 2', () => splitDim(map, -1, 8)],
    ['affine/arity-mismatch', '1 indices do not fit a basis of 2', () => rowMajorPosition([d0], [2, 3])],
  ])('%s: %s', (code, message, refused) => {
    expect(refused).toThrow(new AffineError(code, message));
  });
});

describe('isAffineError', () => {
  const copy = Object.assign(new Error('of another copy of the package'), {
    name: 'AffineError',
    code: 'affine/syntax',
  });

  it.each([
    ['an error of this package', new AffineError('affine/syntax', 'no'), true],
    ['one of another copy', copy, true],
    ['another error with a code', Object.assign(new Error('no'), { code: 'ENOENT' }), false],
    ['an error of that name without a code', Object.assign(new Error('no'), { name: 'AffineError' }), false],
    ['what is no error', { name: 'AffineError', code: 'affine/syntax' }, false],
  ])('%s', (_, error, expected) => {
    expect(isAffineError(error)).toBe(expected);
  });
});
