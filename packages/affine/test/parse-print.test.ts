import { describe, expect, it } from 'vitest';
import {
  affineExpr,
  affineMap,
  dim,
  integerSet,
  parseExprPrefix,
  parseMapPrefix,
  parseSetPrefix,
  printExpr,
  printMap,
  printSet,
  symbol,
  tryParseExpr,
  tryParseMap,
  tryParseSet,
} from '../src/index.ts';

describe('affineMap', () => {
  it.each([
    ['() -> ()', '() -> ()'],
    ['(d0) -> ()', '(d0) -> ()'],
    ['()[s0] -> (s0)', '()[s0] -> (s0)'],
    ['(i, j)[n] -> (i + n, j)', '(d0, d1)[s0] -> (d0 + s0, d1)'],
    ['(d0)[] -> (d0)', '(d0) -> (d0)'],
    ['affine_map<(d0) -> (d0)>', '(d0) -> (d0)'],
    [' ( d0 )\n// a comment\n->(d0) ', '(d0) -> (d0)'],
    ['(mod) -> (mod + 1)', '(d0) -> (d0 + 1)'],
    ['(d0) -> (0x10 + d0)', '(d0) -> (d0 + 16)'],
    ['(d0) -> (- -d0 - - 3)', '(d0) -> (d0 + 3)'],
    [
      '(d0, d1) -> (-d0 * 2, -(d0 + d1), d0 - d1 * 2, d0 - d1)',
      '(d0, d1) -> (d0 * -2, -(d0 + d1), d0 - d1 * 2, d0 - d1)',
    ],
    [
      '(d0, d1) -> (d0 - (d1 + 1), d1 - d0 floordiv 3, d1 - d0 mod 2)',
      '(d0, d1) -> (d0 - (d1 + 1), d1 - d0 floordiv 3, d1 - d0 mod 2)',
    ],
    [
      '(d0)[s0] -> (s0 * s0 floordiv s0, d0 ceildiv 4 + s0 * d0)',
      '(d0)[s0] -> ((s0 * s0) floordiv s0, d0 ceildiv 4 + d0 * s0)',
    ],
    ['(d0, d1) -> ((d0 * 4 + d1) mod 4, (d0 * 4 + 8) floordiv 4)', '(d0, d1) -> (d1 mod 4, d0 + 2)'],
    [
      '(d0, d1) -> (d0 - d0 floordiv 4 * 4, (d0 mod 3) * -1, d0 * -2 + (d0 + 5) * -3)',
      '(d0, d1) -> (d0 mod 4, -(d0 mod 3), d0 * -2 - (d0 + 5) * 3)',
    ],
    [
      '(d0) -> (3 * d0 - 4 * d0, d0 + 2 + 3, (d0 mod 8) mod 4, (d0 * 128) mod 64)',
      '(d0) -> (-d0, d0 + 5, d0 mod 4, 0)',
    ],
  ])('%s prints %s', (text, expected) => {
    expect(printMap(affineMap(text))).toBe(expected);
  });

  it.each([
    ['(d0, d0) -> (d0)', 'affine/redefined-identifier', 5],
    ['(d0) -> d0', 'affine/syntax', 7],
    ['(d0 -> (d0)', 'affine/syntax', 3],
    ['(d0) -> (d0,)', 'affine/syntax', 12],
    ['(d0,) -> (d0)', 'affine/syntax', 4],
    ['(3) -> (3)', 'affine/syntax', 1],
    ['(d0) -> (d0) x', 'affine/syntax', 12],
    ['(d0) -> (d0 * d0)', 'affine/not-affine', 12],
    ['(d0) -> (3 floordiv d0)', 'affine/not-affine', 11],
    ['(d0) -> (x)', 'affine/undeclared-identifier', 9],
    ['(d0) -> (d0 +)', 'affine/syntax', 13],
    ['(d0) -> ((d0)', 'affine/syntax', 13],
    ['(d0) -> (())', 'affine/syntax', 10],
    ['(d0) -> (d0 mod 0)', 'affine/zero-divisor', 12],
    ['(d0) -> (d0 floordiv (3 - 3))', 'affine/zero-divisor', 12],
    ['(d0) -> (9007199254740992)', 'affine/overflow', 9],
    ['(d0) -> (d0 * 9007199254740991 * 2)', 'affine/overflow', 31],
    ['', 'affine/syntax', 0],
  ])('%s fails with %s at %d', (text, code, offset) => {
    const result = tryParseMap(text);
    expect(result).toMatchObject({ ok: false, error: { name: 'AffineError', code, offset } });
    expect(() => affineMap(text)).toThrow(expect.objectContaining({ code, offset }));
  });
});

describe('integerSet', () => {
  it.each([
    ['(d0) : ()', '(d0) : (0 == 0)'],
    [
      '(d0)[s0] : (d0 >= s0, d0 * 2 <= 5, 3 == d0, d0 - 1 >= 0)',
      '(d0)[s0] : (d0 - s0 >= 0, d0 * -2 + 5 >= 0, -d0 + 3 == 0, d0 - 1 >= 0)',
    ],
    ['affine_set<(d0) : (d0 >= 0)>', '(d0) : (d0 >= 0)'],
  ])('%s prints %s', (text, expected) => {
    expect(printSet(integerSet(text))).toBe(expected);
  });

  it('reports what is missing', () => {
    expect(tryParseSet('(d0) : (d0)')).toMatchObject({
      ok: false,
      error: { code: 'affine/syntax', offset: 10 },
    });
  });
});

describe('affineExpr', () => {
  it('knows d0, d1, … and s0, s1, …', () => {
    expect(printExpr(affineExpr('s1 * 2 + d10'))).toBe('d10 + s1 * 2');
    expect(tryParseExpr('x0')).toMatchObject({ ok: false, error: { code: 'affine/undeclared-identifier' } });
  });
});

describe('prefixes in a larger text', () => {
  it('ends a map behind its last parenthesis', () => {
    const text = 'affine_map<(d0) -> (d0 * 2)> rest';
    const { map, end } = parseMapPrefix(text, 11);
    expect([printMap(map), text.slice(end)]).toEqual(['(d0) -> (d0 * 2)', '> rest']);
  });

  it('ends a set behind its last parenthesis', () => {
    const { set, end } = parseSetPrefix('<(d0) : (d0 >= 0)>', 1);
    expect([printSet(set), end]).toEqual(['(d0) : (d0 >= 0)', 17]);
  });

  it('resolves SSA names, symbols among them', () => {
    const text = '%m[%i + 3, symbol(%n) * 2]';
    const asked: [string, boolean][] = [];
    const resolve = (name: string, symbolic: boolean) => {
      asked.push([name, symbolic]);
      return symbolic ? symbol(0) : dim(0);
    };
    const first = parseExprPrefix(text, 3, resolve);
    const second = parseExprPrefix(text, first.end + 1, resolve);
    expect([printExpr(first.expr), printExpr(second.expr)]).toEqual(['d0 + 3', 's0 * 2']);
    expect(text.slice(second.end)).toBe(']');
    expect(asked).toEqual([
      ['%i', false],
      ['%n', true],
    ]);
  });

  it('stops at what cannot continue an expression', () => {
    expect(parseExprPrefix('d0 + 1 step 2', 0).end).toBe(6);
  });
});

describe('bad input of any size', () => {
  it.each([
    ['parentheses', '('.repeat(10_000) + 'd0' + ')'.repeat(10_000), 'affine/too-deep'],
    ['signs', '- '.repeat(10_000) + 'd0', 'affine/too-deep'],
    ['terms', Array.from({ length: 10_000 }, (_, i) => `d${i}`).join(' + '), 'affine/too-deep'],
    ['a megabyte', 'd0 + '.repeat(210_000) + '1', 'affine/text-too-long'],
    ['a megabyte of garbage', '('.repeat(1_100_000), 'affine/text-too-long'],
  ])('%s: an error', (_, text, code) => {
    expect(tryParseExpr(text)).toMatchObject({ ok: false, error: { code } });
    expect(tryParseMap(`(d0) -> (${text})`)).toMatchObject({ ok: false });
  });
});
