import { describe, expect, it } from 'vitest';
import { affineExpr, affineMap, integerSet, printExpr, printMap, printSet, simplify } from '../src/index.ts';
import type { Box } from '../src/index.ts';

describe('simplify without bounds, as MLIR', () => {
  it.each([
    ['(d0) -> ((d0 floordiv 4) * 4 + d0 mod 4)', '(d0) -> (d0)'],
    ['(d0, d1) -> (d0 + d1 + d1 * 2 - d0)', '(d0, d1) -> (d1 * 3)'],
    ['(d0, d1) -> ((d0 * 4 + d1 * 8 + 8) floordiv 4)', '(d0, d1) -> (d0 + d1 * 2 + 2)'],
    ['(d0, d1) -> ((d0 * 6 + d1 * 2) floordiv 4)', '(d0, d1) -> ((d0 * 3 + d1) floordiv 2)'],
    ['(d0) -> ((d0 mod 75) * 2)', '(d0) -> (d0 * 2 - (d0 floordiv 75) * 150)'],
    [
      '(d0, d1, d2) -> (((d0 floordiv 75) * 2 + d1) * 152 + (d0 mod 75) * 2 + d2)',
      '(d0, d1, d2) -> (d0 * 2 + d1 * 152 + d2 + (d0 floordiv 75) * 154)',
    ],
    ['(d0) -> (4 floordiv -1 + d0)', '(d0) -> (d0 + 4 floordiv -1)'],
  ])('%s', (text, expected) => {
    expect(printMap(simplify(affineMap(text)))).toBe(expected);
  });

  it.each([
    [
      'd1 * s0 + d0 * s1 + d1 + d0 + s1 + s0 + d0 floordiv s0',
      'd0 + d0 floordiv s0 + d0 * s1 + s0 + d1 + d1 * s0 + s1',
    ],
    ['s1 * s0 + d1 * s1 + d1 + s0 * 2 + 3', 'd1 + s0 * 2 + d1 * s1 + s1 * s0 + 3'],
    ['(d1 + d0) mod s1 + d1 * s0 + d0 + 1', 'd0 + d1 * s0 + (d0 + d1) mod s1 + 1'],
    ['(d0 * s0) floordiv s0 + d1 - d0 mod s1', 'd0 + d1 - d0 mod s1'],
    ['(d0 * s0) ceildiv s0', 'd0'],
    ['(d0 * s0 * s1) floordiv s1 floordiv s0', 'd0'],
    ['((d0 floordiv 3) * s0) mod s0', '0'],
    ['(d0 * s0 + s0 * 4) floordiv s0', 'd0 + 4'],
    ['(d0 * s0 + d1) floordiv s0', '(d1 + d0 * s0) floordiv s0'],
    ['(d1 - d1 mod s0) mod s0', '0'],
    ['(d0 + d1 - (d0 + d1) mod s0) mod s0', '0'],
    ['((d0 * s0) floordiv 3) floordiv s0', 'd0 floordiv 3'],
    ['(s0 * 6) mod s0', '0'],
    ['s1 floordiv s0 + s0 floordiv s0', 's1 floordiv s0 + 1'],
    ['((d0 * s0) mod (s1 * s0)) floordiv s0', 'd0 mod s1'],
  ])('%s over d0, d1, s0, s1, as MLIR writes what has symbolic factors', (text, expected) => {
    const map = affineMap(`(d0, d1)[s0, s1] -> (${text})`);
    expect(printMap(simplify(map))).toBe(`(d0, d1)[s0, s1] -> (${expected})`);
  });

  it('keeps quotient and remainder by a symbol apart, which MLIR 19 does not', () => {
    const map = affineMap('(d0, d1)[s0, s1] -> (d1 mod s0 + d1 ceildiv s1 + d1 floordiv s0 + d0)');
    expect(printMap(simplify(map))).toBe(
      '(d0, d1)[s0, s1] -> (d0 + d1 mod s0 + d1 floordiv s0 + d1 ceildiv s1)',
    );
  });

  it('simplifies each constraint of a set', () => {
    const set = integerSet('(d0)[s0] : (d0 + s0 - d0 >= 0, d0 * 2 - d0 == 0)');
    expect(printSet(simplify(set))).toBe('(d0)[s0] : (s0 >= 0, d0 == 0)');
  });
});

describe('simplify under bounds', () => {
  const spatial = '((d2 floordiv 75) * 2 + d4) * 152 + (d2 mod 75) * 2 + d5';
  const window: Box = { dims: [undefined, undefined, [5568, 5616], undefined, [0, 3], [0, 3]] };
  const convolution: Box = { dims: [undefined, undefined, [0, 5625], undefined, [0, 3], [0, 3]] };

  it.each<[string, Box, string]>([
    ['d0 floordiv 75', { dims: [[0, 75]] }, '0'],
    ['d0 mod 75', { dims: [[0, 75]] }, 'd0'],
    ['d0 mod 75', { dims: [[0, 76]] }, 'd0 mod 75'],
    ['d0 mod 75', { dims: [[75, 150]] }, 'd0 - 75'],
    ['d0 floordiv 75', { dims: [[-75, 0]] }, '-1'],
    ['d0 ceildiv 75', { dims: [[1, 76]] }, '1'],
    ['(d0 * 152 + d1) floordiv 152', { dims: [undefined, [0, 152]] }, 'd0'],
    ['(d0 * 152 + d1) mod 152', { dims: [undefined, [0, 152]] }, 'd1'],
    ['(d0 * 152 + d1) floordiv 152', { dims: [undefined, [0, 153]] }, 'd0 + d1 floordiv 152'],
    ['(d0 * 6 + d1 * 2 + d2) mod 2', { dims: [undefined, undefined, [0, 2]] }, 'd2'],
    ['(d0 * 2 + d1) floordiv 4', { dims: [undefined, [0, 2]] }, 'd0 floordiv 2'],
    ['(d0 floordiv 4) floordiv 3', {}, 'd0 floordiv 12'],
    ['(d0 + 75 * d1) mod 75', {}, 'd0 mod 75'],
    ['(d0 + 75 * d1) mod 75', { dims: [[0, 75]] }, 'd0'],
    // 10 divides the common divisor of the larger factors, though not the smallest.
    ['(d0 * 3 + d1 * 20 + d2 * 30) floordiv 60', { dims: [[0, 4]] }, '(d1 * 2 + d2 * 3) floordiv 6'],
    ['d0 floordiv s0', { dims: [[0, 8]], symbols: [[8, 100]] }, '0'],
    ['d0 mod s0', { dims: [[0, 8]], symbols: [[8, 100]] }, 'd0'],
    ['d0 + d1', { dims: [[7, 8]] }, 'd1 + 7'],
    [`(${spatial}) floordiv 152`, window, 'd4 + 148'],
    [`(${spatial}) mod 152`, window, 'd2 * 2 + d5 - 11100'],
    [`(${spatial}) floordiv 152`, convolution, 'd4 + (d2 floordiv 75) * 2'],
    [`(${spatial}) mod 152`, convolution, '(d2 mod 75) * 2 + d5'],
  ])('%s', (text, over, expected) => {
    expect(printExpr(simplify(affineExpr(text), over))).toBe(expected);
  });
});
