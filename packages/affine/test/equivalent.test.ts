import { describe, expect, it } from 'vitest';
import { affineExpr, affineMap, equivalent, integerSet } from '../src/index.ts';
import type { Domain } from '../src/index.ts';

describe('equivalent, by normal form', () => {
  it.each<[string, string, Domain?]>([
    ['d0 + d1', 'd1 + d0'],
    ['(d0 mod 75) * 2', 'd0 * 2 - (d0 floordiv 75) * 150'],
    ['d0 ceildiv 4', '(d0 + 3) floordiv 4'],
    ['d0 ceildiv 4', '-((-d0) floordiv 4)'],
    ['d0 floordiv -4', '(-d0) floordiv 4'],
    ['d0 mod -4', 'd0 + 4 * (d0 floordiv -4)'],
    ['(d0 floordiv 4) floordiv 3', 'd0 floordiv 12'],
    ['((d0 floordiv 4) + 1) floordiv 3', '(d0 + 4) floordiv 12'],
    ['(d0 mod 12) floordiv 4', '(d0 floordiv 4) mod 3'],
    ['(d0 * 2 + 1) floordiv 4', 'd0 floordiv 2'],
    ['(d0 * 6 + 9) floordiv 4 - d0', '(d0 + 4) floordiv 2'],
    ['(d0 + s0) * s1', 's1 * d0 + s0 * s1'],
    ['(d0 * s0 + d1) floordiv s0', 'd0 + d1 floordiv s0'],
    // The first coefficient, or all of them, are half the divisor.
    ['(d0 * 2 + d1 * 3) floordiv 4', '-((-(d0 * 2) - d1 * 3 + 3) floordiv 4)'],
    ['(d0 * 2 + d1) floordiv 5', '-((-(d0 * 2) - d1 + 4) floordiv 5)'],
    ['(d0 * 3 + d1) floordiv 5', '-((-(d0 * 3) - d1 + 4) floordiv 5)'],
    ['(d0 + d1 + 1) floordiv 2', '-((-d0 - d1) floordiv 2)'],
    ['(s0 + d0) floordiv s0', 'd0 floordiv s0 + 1'],
    ['(s0 * s1 + d0) floordiv s0', 's1 + d0 floordiv s0'],
    ['(s0 * s0 + d0) floordiv s0', 's0 + d0 floordiv s0'],
    ['(d0 * s0 * s1 + s1) floordiv (s0 * s1)', 'd0 + s1 floordiv (s0 * s1)'],
    ['(d0 * s0) mod s0', '0'],
    ['(d0 * 2 + s0) floordiv (s0 * 2)', '(s0 + d0 * 2) floordiv (s0 + s0)'],
    ['d0 ceildiv s0', '-((-d0) floordiv s0)'],
    ['d0 floordiv 75', '0', { d0: [0, 75] }],
    ['(d0 * 152 + d1) mod 152', 'd1', { d1: [0, 152] }],
    [
      '((d0 floordiv 75) * 2 + d1) * 152 + (d0 mod 75) * 2 + d2',
      'd0 * 2 + (d0 floordiv 75) * 154 + d1 * 152 + d2',
    ],
  ])('%s is %s', (a, b, domain = {}) => {
    const answer = equivalent(affineExpr(a), affineExpr(b), { domain });
    expect(answer).toEqual({ equivalent: true, by: 'normal form', points: 0 });
  });
});

describe('equivalent, by looking at points', () => {
  it('decides a small box by exhaustion', () => {
    const domain = { d0: [0, 10], d1: [0, 7] } as const;
    const [a, b] = [affineExpr('(d0 * 3 + d1 * 5) mod 2'), affineExpr('(d0 + d1) mod 2')];
    expect(equivalent(affineExpr('(d0 floordiv 10) * 5'), affineExpr('0'), { domain }).equivalent).toBe(true);
    expect(equivalent(a, b, { domain })).toMatchObject({ equivalent: true });
    const tricky = affineExpr('d0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3');
    expect(equivalent(tricky, affineExpr('d0'), { domain })).toEqual({
      equivalent: true,
      by: 'exhaustion',
      points: 10,
    });
  });

  it('gives a counterexample with both values', () => {
    const answer = equivalent(
      affineMap('(d0, d1) -> (d1, d0 floordiv 75)'),
      affineMap('(d0, d1) -> (d1, 0)'),
      {
        domain: { d0: [0, 76] },
      },
    );
    expect(answer).toEqual({
      equivalent: false,
      by: 'sampling',
      points: expect.any(Number) as number,
      counterexample: {
        dims: [75, expect.any(Number)],
        symbols: [],
        left: [expect.any(BigInt), 1n],
        right: [expect.any(BigInt), 0n],
      },
    });
  });

  it('does not multiply out more than 512 products', () => {
    const sum = (letter: string, count: number) =>
      Array.from({ length: count }, (_, i) => affineExpr(`${letter}${i}`)).reduce((a, b) => a.add(b));
    const product = (dims: number, symbols: number) => [
      sum('d', dims).mul(sum('s', symbols)).add(sum('d', dims)),
      sum('d', dims).mul(sum('s', symbols).add(1)),
    ];
    const [small, smallAgain] = product(15, 30);
    expect(equivalent(small!, smallAgain!).by).toBe('normal form');
    const [large, largeAgain] = product(20, 30);
    expect(equivalent(large!, largeAgain!, { samples: 20 })).toEqual({
      equivalent: 'undecided',
      by: 'sampling',
      points: 20,
    });
  });

  it('tries as many points as it is told, and stops at the first that differs', () => {
    const expr = affineExpr('d0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3');
    const domain = { d0: [0, 100] } as const;
    const other = affineExpr('d0');
    expect(equivalent(expr, other, { domain, maxPoints: 100 })).toMatchObject({
      by: 'exhaustion',
      points: 100,
    });
    expect(equivalent(expr, other, { domain, maxPoints: 99 })).toMatchObject({
      by: 'sampling',
      points: 2000,
    });
    expect(equivalent(expr, other, { domain, maxPoints: 99, samples: 7 })).toMatchObject({ points: 7 });
    expect(equivalent(affineExpr('d0 floordiv 9'), affineExpr('0'), { domain })).toMatchObject({
      equivalent: false,
      points: 10,
      counterexample: { dims: [9], left: [1n], right: [0n] },
    });
  });

  it('looks at 2^16 points, and no more', () => {
    const [a, b] = [
      affineExpr('d0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3'),
      affineExpr('d0'),
    ];
    expect(equivalent(a, b, { domain: { d0: [0, 2 ** 16] } })).toMatchObject({
      by: 'exhaustion',
      points: 65_536,
    });
    expect(equivalent(a, b, { domain: { d0: [0, 2 ** 16 + 1] } }).by).toBe('sampling');
  });

  it('finds the same counterexample with the same seed, and others with others', () => {
    const found = (seed: number | undefined) => {
      const options = seed === undefined ? {} : { seed };
      const answer = equivalent(affineExpr('d0 mod 64'), affineExpr('d0 mod 32'), options);
      return answer.equivalent ? undefined : answer.counterexample.dims[0];
    };
    expect(found(1)).toBe(found(1));
    expect(found(undefined)).toBe(found(1));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => found(seed))).size).toBeGreaterThan(10);
  });

  it('leaves dimensions that do not occur at the number next to 0', () => {
    const answer = equivalent(affineMap('(d0, d1)[s0] -> (d0 + 1)'), affineMap('(d0, d1)[s0] -> (d0)'), {
      domain: { d0: [5, 6], d1: [-9, -3], s0: [7, 10] },
    });
    expect(answer).toMatchObject({ points: 1, counterexample: { dims: [5, -4], symbols: [7] } });
  });

  it('says when it only tried', () => {
    const answer = equivalent(
      affineExpr('d0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3'),
      affineExpr('d0'),
    );
    expect(answer).toEqual({ equivalent: 'undecided', by: 'sampling', points: 2000 });
  });

  it('ignores points where a side has no value', () => {
    const answer = equivalent(affineExpr('d0 floordiv s0 - d0 floordiv s0 + 1'), affineExpr('1'), {
      domain: { d0: [0, 3], s0: [0, 3] },
    });
    expect(answer.equivalent).toBe(true);
  });
});

describe('bad questions', () => {
  it('names both arities', () => {
    expect(() => equivalent(affineMap('(d0) -> (d0)'), affineMap('(d0, d1) -> (d0, d1)'))).toThrow(
      '1 dimensions, 0 symbols and 1 results against 2 dimensions, 0 symbols and 2 results',
    );
    expect(() => equivalent(affineExpr('d0'), affineMap('(d0) -> (d0)'))).toThrow('cannot compare');
    expect(() => equivalent(affineExpr('d0'), affineExpr('d0 + 1'), { domain: { x: [0, 1] } })).toThrow(
      'x names no dimension',
    );
  });
});

describe('equivalent, of sets', () => {
  const compare = (a: string, b: string, domain: Domain = {}) =>
    equivalent(integerSet(a), integerSet(b), { domain });

  it.each<[string, string, Domain?]>([
    ['(d0) : (d0 - 1 >= 0)', '(d0) : (d0 + 1 - 2 >= 0)'],
    ['(d0) : (d0 >= 1)', '(d0) : (d0 * 2 >= 1)', { d0: [-50, 50] }],
    ['(d0)[s0] : (d0 - s0 == 0)', '(d0)[s0] : (d0 >= s0, s0 >= d0)', { d0: [0, 9], s0: [0, 9] }],
    ['(d0) : (d0 >= 0, 9 - d0 >= 0)', '(d0) : (9 - d0 >= 0)', { d0: [0, 20] }],
  ])('holds for %s and %s', (a, b, domain) => {
    expect(compare(a, b, domain)).toMatchObject({
      equivalent: true,
      by: expect.stringMatching(/form|exhaustion/) as string,
    });
  });

  it('has a point that only one contains', () => {
    expect(compare('(d0) : (d0 * 2 >= 0)', '(d0) : (d0 >= 1)', { d0: [-50, 50] })).toMatchObject({
      equivalent: false,
      by: 'exhaustion',
      counterexample: { dims: [0], symbols: [], left: [1n], right: [0n] },
    });
  });

  it('is refused for sets of different arities, and for a set and a map', () => {
    expect(() => compare('(d0) : (d0 >= 0)', '(d0)[s0] : (d0 >= 0)')).toThrow(
      'the sets differ in arity: 1 dimensions and 0 symbols against 1 dimensions and 1 symbols',
    );
    expect(() => equivalent(integerSet('(d0) : (d0 >= 0)'), affineMap('(d0) -> (d0)'))).toThrow(
      'cannot compare a set with a map',
    );
  });
});
