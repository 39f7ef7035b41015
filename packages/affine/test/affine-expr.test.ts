import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  affineExpr,
  affineMap,
  binary,
  ceilDiv,
  compose,
  constant,
  dim,
  equals,
  evaluate,
  evaluateBigInt,
  floorDiv,
  largestKnownDivisor,
  makeMap,
  maxDepth,
  mod,
  mul,
  printExpr,
  printMap,
  range,
  simplify,
  sizeOf,
  substitute,
  sub,
  symbol,
} from '../src/index.ts';
import type { AffineExpr, AffineExprData } from '../src/index.ts';
import { arbitraryExpr } from '../src/arbitraries.ts';

const [d0, d1, s0] = [dim(0), dim(1), symbol(0)];

describe('fluent construction', () => {
  it('reads as the expression', () => {
    const expr = d0.mul(2).add(d1.floordiv(75)).sub(s0).ceildiv(3).mod(7).add(d0.floorDiv(s0).neg());
    expect(String(expr)).toBe('((d0 * 2 + d1 floordiv 75 - s0) ceildiv 3) mod 7 - d0 floordiv s0');
  });
});

describe('the constant of a sum stands last and is folded, wherever it came from', () => {
  it.each([
    ['d0 + 1 - 2', 'd0 - 1'],
    ['1 + d0 + 2', 'd0 + 3'],
    ['d0 + 1 + d1 - 1', 'd0 + d1'],
    ['d0 + (d1 + 1) - 2', 'd0 + d1 - 1'],
    ['d0 + (1 - d1) - 2', 'd0 - d1 - 1'],
    ['(d0 + 1) + (d1 + 2)', 'd0 + d1 + 3'],
    ['(d0 - 1) + ((d1 - 2) + (s0 + 3))', 'd0 + d1 + s0'],
    ['s0 + (s1 + 4) + d0 - 5', 'd0 + s0 + s1 - 1'],
    ['d0 * 2 + (d1 + 5) * 3 - 7', 'd0 * 2 + (d1 + 5) * 3 - 7'],
  ])('%s is %s', (text, printed) => {
    expect(printExpr(affineExpr(text))).toBe(printed);
    expect(printExpr(affineExpr(printed))).toBe(printed);
  });

  it('also when it is substituted', () => {
    const shifted = substitute(affineExpr('d0 + d1 - 2'), { dims: [d0, d1.add(1)] });
    expect(printExpr(shifted)).toBe('d0 + d1 - 1');
  });
});

describe('values', () => {
  it('are frozen, all the way down', () => {
    const map = makeMap(1, 0, [d0.add(1)]);
    expect([map, map.results, map.results[0]].every(Object.isFrozen)).toBe(true);
  });

  it('survive structuredClone and JSON: every function takes the plain copy', () => {
    const map = affineMap('(d0, d1)[s0] -> (d0 * 2 + d1 floordiv s0, d1 mod 3)');
    for (const copy of [structuredClone(map), JSON.parse(JSON.stringify(map)) as typeof map]) {
      expect(equals(copy, map)).toBe(true);
      expect(printMap(copy)).toBe(printMap(map));
      expect(evaluate(copy, [5, 7], [2])).toEqual([13, 1]);
      expect(printMap(compose(copy, copy))).toBe(printMap(compose(map, map)));
      expect(equals(simplify(copy), simplify(map))).toBe(true);
      const [first] = copy.results;
      expect(first && printExpr(add(first, 1))).toBe('d0 * 2 + d1 floordiv s0 + 1');
    }
  });

  it('compare by structure', () => {
    expect(equals(dim(40), dim(40))).toBe(true);
    expect(equals(affineExpr('d0 + d1'), affineExpr('d1 + d0'))).toBe(false);
    expect(equals(affineMap('(d0) -> (d0)'), affineMap('(d0, d1) -> (d0)'))).toBe(false);
    expect(equals(affineMap('(d0) -> (d0)'), dim(0))).toBe(false);
  });
});

describe('evaluation', () => {
  it.each([
    ['d0 floordiv 4', [-5], -2],
    ['d0 ceildiv 4', [-5], -1],
    ['d0 mod 4', [-5], 3],
    ['d0 floordiv -4', [5], -2],
    ['d0 ceildiv -4', [5], -1],
    ['d0 mod -4', [5], -3],
    ['-d0', [0], 0],
    ['d0 * -3 floordiv 2', [0], 0],
    ['d0 ceildiv 2', [-1], 0],
    ['d0 floordiv 9007199254740991', [-1], -1],
  ])('%s at %o is %d', (text, dims, expected) => {
    expect(evaluate(affineExpr(text), dims)).toBe(expected);
    expect(evaluateBigInt(affineExpr(text), dims.map(BigInt))).toBe(BigInt(expected));
  });

  it('keeps every bit or refuses', () => {
    const expr = affineExpr('(d0 * 3) mod 1000');
    const big = 2 ** 52 + 1;
    expect(() => evaluate(expr, [big])).toThrow(expect.objectContaining({ code: 'affine/overflow' }));
    expect(evaluateBigInt(expr, [BigInt(big)])).toBe((BigInt(big) * 3n) % 1000n);
    expect(() => evaluate(expr, [2 ** 53])).toThrow(expect.objectContaining({ code: 'affine/overflow' }));
    expect(() => mul(mul(d0, 2 ** 40), 2 ** 40)).toThrow(
      expect.objectContaining({ code: 'affine/overflow' }),
    );
  });

  it.each([
    [() => floorDiv(d0, 0), 'affine/zero-divisor'],
    [() => mod(d0, sub(s0, s0)), 'affine/zero-divisor'],
    [() => evaluate(ceilDiv(d0, s0), [1], [0]), 'affine/zero-divisor'],
    [() => evaluateBigInt(mod(d0, s0), [1n], [0n]), 'affine/zero-divisor'],
    [() => substitute(floorDiv(d0, s0), { symbols: [0] }), 'affine/zero-divisor'],
    [() => mul(d0, d1), 'affine/not-affine'],
    [() => mod(5, d1), 'affine/not-affine'],
    [() => constant(0.5), 'affine/not-an-integer'],
    [() => evaluate(d0, [0.5]), 'affine/not-an-integer'],
    [() => dim(-1), 'affine/position-out-of-range'],
    [() => makeMap(1, 0, [d1]), 'affine/position-out-of-range'],
    [() => printExpr({ kind: 'sub' } as unknown as AffineExpr), 'affine/invalid-argument'],
  ])('%s: %s', (run, code) => {
    expect(run).toThrow(expect.objectContaining({ name: 'AffineError', code }));
  });

  it('names both arities of a mismatch', () => {
    const map = affineMap('(d0, d1)[s0] -> (d0)');
    expect(() => evaluate(map, [1, 2, 3], [0])).toThrow('the map has 2 dimensions, the point has 3');
    expect(() => evaluate(map, [1, 2])).toThrow('the map has 1 symbols, the point has 0');
    expect(() => compose(map, map)).toThrow('the outer map has 2 dimensions, the inner map has 1 results');
  });
});

describe('construction', () => {
  it.each([
    [mod(add(mul(d0, 4), d1), 4), 'd1 mod 4'],
    [mod(add(d1, mul(d0, 4)), 4), 'd1 mod 4'],
    [mod(add(d1, mul(s0, 6)), 4), '(d1 + s0 * 6) mod 4'],
    [mod(add(mul(d1, 6), d0), 4), '(d1 * 6 + d0) mod 4'],
    [mod(mod(d0, 12), 4), 'd0 mod 4'],
    [mod(mod(d0, 12), 5), '(d0 mod 12) mod 5'],
    [mod(mul(d0, 6), 3), '0'],
    [mod(mul(d0, 6), 4), '(d0 * 6) mod 4'],
    [ceilDiv(mul(d0, 6), 3), 'd0 * 2'],
    [ceilDiv(mul(d0, 6), 4), '(d0 * 6) ceildiv 4'],
    [floorDiv(mul(d0, 6), 3), 'd0 * 2'],
    [floorDiv(mul(d0, 6), 4), '(d0 * 6) floordiv 4'],
    [floorDiv(add(mul(d0, 6), d1), 3), 'd0 * 2 + d1 floordiv 3'],
    [ceilDiv(d0, 1), 'd0'],
    [ceilDiv(constant(13), 4), '4'],
    [ceilDiv(constant(-13), 4), '-3'],
    [floorDiv(d0, 1), 'd0'],
    [mod(d0, 1), '0'],
  ])('%s', (expr, text) => {
    expect(printExpr(expr)).toBe(text);
  });
});

describe('the deepest expression', () => {
  it('has as many levels as the limit says', () => {
    const nested = (levels: number) =>
      Array.from({ length: levels }).reduce<AffineExpr>((expr) => expr.floorDiv(s0), d0);
    expect(sizeOf(nested(maxDepth))).toBe(2 * maxDepth + 1);
    expect(() => nested(maxDepth + 1)).toThrow(expect.objectContaining({ code: 'affine/too-deep' }));
  });
});

describe('thousands of levels', () => {
  it('are refused while building', () => {
    let expr: AffineExpr = d0;
    const grow = () => {
      for (let i = 0; i < 10_000; i++) expr = expr.floorDiv(s0).add(d1);
    };
    expect(grow).toThrow(expect.objectContaining({ code: 'affine/too-deep' }));
  });

  it('are refused as plain data, by every function', () => {
    // Overflows the stack.
    let data: AffineExprData = { kind: 'dim', position: 0 };
    for (let i = 0; i < 100_000; i++)
      data = { kind: 'floordiv', lhs: data, rhs: { kind: 'constant', value: 2 } };
    const uses = [
      printExpr,
      simplify,
      (e: AffineExprData) => evaluate(e, [1]),
      (e: AffineExprData) => range(e, {}),
    ];
    for (const use of uses)
      expect(() => use(data)).toThrow(expect.objectContaining({ code: 'affine/too-deep' }));
  });

  it('are refused when sharing hides their number', () => {
    let expr: AffineExpr = d0;
    const grow = () => {
      for (let i = 0; i < 100; i++) expr = expr.floorDiv(s0).add(expr.mod(s0));
    };
    expect(grow).toThrow(expect.objectContaining({ code: 'affine/too-large' }));
    let data: AffineExprData = { kind: 'dim', position: 0 };
    for (let i = 0; i < 100; i++) data = { kind: 'add', lhs: data, rhs: data };
    expect(() => sizeOf(data)).toThrow(expect.objectContaining({ code: 'affine/too-large' }));
  });
});

describe('construction by functions', () => {
  // Unsimplified nodes, as plain data may hold them, are rebuilt.
  const build = (expr: AffineExpr): AffineExpr =>
    'lhs' in expr ? binary(expr.kind, build(expr.lhs), build(expr.rhs)) : expr;
  const built = fc
    .oneof(arbitraryExpr(), arbitraryExpr({ negativeDivisors: true }), arbitraryExpr({ semiAffine: true }))
    .map(build);

  it('is what the printed text constructs', () => {
    fc.assert(
      fc.property(built, built, (outer, inner) => {
        const composed = substitute(outer, { dims: [inner, outer, inner] });
        for (const expr of [outer, simplify(outer), composed]) {
          const read = affineExpr(printExpr(expr));
          if (!equals(read, expr)) throw new Error(`${printExpr(expr)} is read as ${printExpr(read)}`);
        }
      }),
      { numRuns: 2000 },
    );
  });
  it('associates sums to the left', () => {
    const sum = add(dim(2), add(dim(3), add(dim(1), mul(dim(0), 2))));
    expect(printExpr(floorDiv(sum, 2))).toBe('(d2 + d3 + d1) floordiv 2 + d0');
  });
});

describe('largestKnownDivisor', () => {
  it.each([
    ['d0', 1],
    ['12', 12],
    ['-12', 12],
    ['0', 0],
    ['d0 * 6', 6],
    ['d0 * -6', 6],
    ['d0 * 6 + s0 * 4', 2],
    ['d0 * 6 + 9', 3],
    ['(d0 * 6) mod 4', 2],
    ['(d0 * 6 + 3) floordiv 3', 1],
    ['(d0 * 12) floordiv -4', 3],
    ['(d0 * 12 + d1 * 8) ceildiv 4', 1],
    ['(d0 * 10) floordiv 4', 1],
    ['(d0 * 12) floordiv s0', 1],
    ['(d0 * 6) * (s0 * 4)', 24],
    ['(d0 * 4503599627370497) * (s0 * 8)', 1],
  ])('of %s is %d', (text, divisor) => {
    expect(largestKnownDivisor(affineExpr(text))).toBe(divisor);
  });

  it('divides every value', () => {
    const places = fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 3, maxLength: 3 });
    const divisors = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 2 });
    const exprs = arbitraryExpr({ semiAffine: true, negativeDivisors: true });
    fc.assert(
      fc.property(exprs, places, divisors, (expr, dims, symbols) => {
        const divisor = largestKnownDivisor(expr);
        const value = evaluate(expr, dims, symbols);
        expect(Math.abs(divisor === 0 ? value : value % divisor)).toBe(0);
      }),
    );
  });
});
