/**
 * Bugs in LLVM's affine simplifications, by the number of the pull request that fixed them
 * (github.com/llvm/llvm-project/pull/…). LLVM 19.1.7 still has some of them.
 */
import { describe, expect, it } from 'vitest';
import {
  add,
  affineExpr,
  affineMap,
  compose,
  dim,
  equivalent,
  evaluate,
  floorDiv,
  mod,
  printExpr,
  printMap,
  simplify,
  substitute,
} from '../src/index.ts';

/** Every way to simplify keeps the value at every point with positive divisors. */
function expectSound(text: string): void {
  const expr = affineExpr(text);
  const domain = { d0: [-20, 21], d1: [-4, 5], s0: [1, 6], s1: [1, 5] } as const;
  for (const simplified of [simplify(expr), simplify(expr, domain)]) {
    const answer = equivalent(expr, simplified, { domain });
    expect(answer, `${text} became ${printExpr(simplified)}`).toMatchObject({ equivalent: true });
  }
}

describe('119245: lhs mod rhs, where lhs is the quotient that the mod introduces', () => {
  it('keeps the dividend', () => {
    const expr = affineExpr('((d1 - (d1 + 2)) floordiv 8) mod 8');
    expect(printExpr(simplify(expr))).toBe('7');
    const substituted = substitute(expr, { dims: [undefined, 1] });
    expect(printExpr(simplify(substituted))).toBe('7');
    expect(evaluate(expr, [0, 1])).toBe(7);
  });

  it.each([
    '(d0 floordiv 8) mod 8',
    '((d0 floordiv 2) floordiv 2) mod 2',
    'd0 floordiv 8 - (d0 floordiv 8) mod 8',
  ])('%s', expectSound);
});

describe('129200: a quotient by a symbol that does not divide the dividend', () => {
  it.each([
    '(s1 floordiv s1) floordiv s1',
    '((s0 floordiv s0) floordiv s0) ceildiv s1',
    '(d0 * s0 + (d0 floordiv s1)) floordiv s0',
    '((d0 * s0) floordiv s1 + s0) floordiv s0',
    '((d0 * s0) ceildiv s1) floordiv s0',
    '((d0 * s0) floordiv s1) ceildiv s0',
    '((s0 * 3) mod (s0 * s1)) floordiv s0',
    '(s0 * s0 mod s1) floordiv s0',
    '(((d0 mod s0) * s0) floordiv 2) floordiv s0',
    '((s0 * 2) ceildiv 4 * 5 + s0 * 42) ceildiv s0',
    '(d0 - d0 mod s0) floordiv s0',
  ])('%s', expectSound);
});

describe('145376: the symbols of a map that is composed into another are not the symbols of that one', () => {
  it('renumbers the symbols of the inner map', () => {
    const least = affineMap('()[s0, s1] -> (s1)');
    const apply = affineMap('(d0)[s0] -> (d0 ceildiv s0)');
    const composed = compose(apply, least);
    expect(printMap(composed)).toBe('()[s0, s1, s2] -> (s2 ceildiv s0)');
    expect(evaluate(composed, [], [7, 100, 64])).toEqual(
      evaluate(apply, evaluate(least, [], [100, 64]), [7]),
    );
  });

  it('replaces dimensions and symbols all at once', () => {
    const expr = affineExpr('s0 ceildiv s1');
    const replaced = substitute(expr, { symbols: [affineExpr('s1'), affineExpr('s0')] });
    expect(printExpr(replaced)).toBe('s1 ceildiv s0');
  });
});

describe('181613: a sum that is taken for a product, and so for a mod', () => {
  it.each([
    ['d0 + (d0 floordiv 4 + -4)', 'd0 + d0 floordiv 4 - 4'],
    ['d0 + ((d0 floordiv s0) * s0 - 1)', 'd0 + (d0 floordiv s0) * s0 - 1'],
    ['d0 - (d0 floordiv 4) * 4', 'd0 mod 4'],
    ['d0 - (d0 floordiv s0) * s0', 'd0 mod s0'],
    ['d0 - (d0 + 1)', '-1'],
  ])('%s', (text, expected) => {
    expectSound(text);
    expect(printExpr(simplify(affineExpr(text)))).toBe(expected);
  });

  it('also when built by hand', () => {
    const d0 = dim(0);
    const quotient = floorDiv(d0, 4);
    expect(printExpr(add(d0, mod(quotient, -4)))).toBe('d0 + (d0 floordiv 4) mod -4');
    expect(printExpr(add(d0, floorDiv(quotient, -4)))).toBe('d0 + (d0 floordiv 4) floordiv -4');
  });
});

describe('107530: a mod by a negative constant', () => {
  it('is not made of d0 + (d0 floordiv -4) * 4', () => {
    expect(printExpr(affineExpr('d0 + (d0 floordiv -4) * 4'))).toBe('d0 + (d0 floordiv -4) * 4');
  });
});

describe('LLVM 19.1.7 prints one of two terms twice', () => {
  it.each(['d0 * s0 + d0 mod s0', 'd0 floordiv s0 + d0 mod s0', 'd0 * s1 - d0 floordiv s1'])(
    '%s',
    expectSound,
  );
});
