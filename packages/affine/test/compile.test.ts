import { afterEach, describe, expect, it, vi } from 'vitest';
import { affineExpr, affineMap, compileExpr, compileMap, evaluate, fold } from '../src/index.ts';

const map = affineMap('(d0, d1)[s0] -> ((d0 floordiv 75) * 304 + (d0 mod 75) * 2 - s0, (d1 * -3) ceildiv 4)');

describe.each(['code', 'closure', 'auto'] as const)('compileMap as %s', (mode) => {
  const compiled = compileMap(map, { mode });

  it.each([
    [[0, 0], [0]],
    [[5624, 3], [17]],
    [[-5624, -3], [-17]],
    [[2 ** 40, 1], [1]],
  ])('agrees with evaluate at %o %o', (dims, symbols) => {
    const expected = evaluate(map, dims, symbols);
    expect(compiled(dims, symbols)).toEqual(expected);
    const out = [9, 9];
    expect(compiled(dims, symbols, out)).toBe(out);
    expect(out).toEqual(expected);
  });

  it('refuses what evaluate refuses', () => {
    expect(() => compiled([1], [1])).toThrow('the map has 2 dimensions, the point has 1');
    expect(() => compiled([1, 2])).toThrow('the map has 1 symbols, the point has 0');
    expect(() => compiled([1, 0.5], [1])).toThrow('0.5 is not an integer');
    expect(() => compiled([2 ** 52, 0], [1])).toThrow(expect.objectContaining({ code: 'affine/overflow' }));
  });

  it('compiles nested remainders and symbolic divisors', () => {
    const nested = affineMap('(d0)[s0] -> ((((d0 * 7) mod 61 * 3) mod 17 * 5) mod 13, d0 floordiv s0)');
    expect(compileMap(nested, { mode: mode === 'code' ? 'auto' : mode })([1001], [-4])).toEqual(
      evaluate(nested, [1001], [-4]),
    );
  });
});

describe('where a content security policy forbids code from text', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('closures stand in, unless code was asked for', () => {
    vi.stubGlobal('Function', function blocked() {
      throw new EvalError('blocked by the policy');
    });
    expect(compileMap(map)([150, 3], [7])).toEqual(evaluate(map, [150, 3], [7]));
    expect(() => compileMap(map, { mode: 'code' })).toThrow('blocked by the policy');
  });
});

describe('compileExpr', () => {
  it('gives numbers', () => {
    expect(compileExpr(affineExpr('d0 * s0 + 1'))([6], [7])).toBe(43);
    expect(compileExpr(affineExpr('12'))([])).toBe(12);
  });

  it.each([
    'd0 floordiv (s0 mod 5 + 1)',
    'd0 ceildiv (s0 mod 5 + 1)',
    'd0 mod (s0 mod 5 + 1)',
    'd0 floordiv s0',
    'd0 ceildiv -3',
    'd0 mod -3',
    'd0 * -1',
    '(d0 mod 7) * s0',
    'd0 * 2147483647 + s0',
    'd0 * 4503599627370496 - s0',
  ])('%s is what evaluate gives', (text) => {
    const expr = affineExpr(text);
    const compiled = compileExpr(expr, { mode: 'code' });
    for (const d0 of [-(2 ** 31), -(2 ** 31) + 1, -257, -1, 0, 1, 7, 255, 65_536, 2 ** 31 - 1, 2 ** 31])
      for (const s0 of [-9, -1, 0, 1, 3, 65_535]) {
        const outcome = (run: (dims: number[], symbols: number[]) => number) => {
          try {
            return run([d0, 9], [s0, 9]);
          } catch (error) {
            return String(error);
          }
        };
        expect(outcome(compiled)).toBe(outcome((dims, symbols) => evaluate(expr, dims, symbols)));
      }
  });

  it('answers a longer point, and refuses a shorter one', () => {
    const sum = compileExpr(affineExpr('d1 + s0'));
    expect(sum([1, 2, 3], [4, 5])).toBe(6);
    expect(() => sum([1], [4])).toThrow('d1 is used, but the point has only 1 such values');
    expect(() => sum([1, 2])).toThrow('s0 is used, but the point has only 0 such values');
  });
});

describe('fold', () => {
  it('hands the node to the handlers of operators', () => {
    const binary = (operator: string) => (lhs: string, rhs: string) => `(${operator} ${lhs} ${rhs})`;
    const text = fold(affineExpr('d0 * 2 + d1 floordiv 3 + s0 mod 4 + d0 ceildiv 5'), {
      dim: (i) => `d${i}`,
      symbol: (i) => `s${i}`,
      constant: String,
      add: binary('+'),
      mul: binary('*'),
      mod: binary('mod'),
      floordiv: binary('floordiv'),
      ceildiv: (lhs, rhs, expr) => `(${expr.kind} ${lhs} ${rhs})`,
    });
    expect(text).toBe('(+ (+ (+ (* d0 2) (floordiv d1 3)) (mod s0 4)) (ceildiv d0 5))');
  });
});
