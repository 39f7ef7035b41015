import { describe, expect, it } from 'vitest';
import {
  dim,
  maxDepth,
  maxTextLength,
  parseExprPrefix,
  parseMapPrefix,
  printExpr,
  tryParseExpr,
  tryParseMap,
  tryParseSet,
} from '../src/index.ts';

const notAffine = (operand: string) =>
  `non-affine expression: ${operand} has to be either a constant or symbolic`;

describe('what is wrong, and where', () => {
  it.each([
    ['d0 d0) -> (d0)', 0, "expected '(' at start of dimensional identifiers list of the map"],
    ['(d0 d1) -> (d0)', 3, "expected ')' in dimensional identifier list"],
    ['(%0) -> (d0)', 1, 'expected bare identifier'],
    ['(d0, 1) -> (d0)', 4, 'expected bare identifier'],
    ['(d0, d0) -> (d0)', 5, "redefinition of identifier 'd0'"],
    ['(d0)[d0] -> (d0)', 5, "redefinition of identifier 'd0'"],
    ['(d0)[s0 -> (d0)', 7, "expected ']' in symbol list"],
    ['(d0) (d0)', 4, "expected '->' in affine map"],
    ['(d0) -> d0', 7, "expected '(' in affine map range"],
    ['(d0) -> (d0 d0)', 11, "expected ')' in affine map range"],
    ['(d0) -> (d0) x', 12, 'unexpected text after the end'],
    ['affine_map(d0) -> (d0)', 10, "expected '<' after affine_map"],
    ['affine_map<(d0) -> (d0)', 23, "expected '>' in affine map"],
    ['(d0) -> (x)', 9, "use of undeclared identifier 'x'"],
    ['(d0) -> (symbol(d0))', 16, 'unexpected ssa identifier'],
    ['(d0) -> (d0 + )', 14, 'missing right operand of binary operator'],
    ['(d0) -> (d0 * )', 14, 'missing right operand of binary operator'],
    ['(d0) -> (d0 mod ])', 16, 'missing right operand of binary operator'],
    ['(d0) -> (* d0)', 9, 'missing left operand of binary operator'],
    ['(d0) -> (+ d0)', 9, 'missing left operand of binary operator'],
    ['(d0) -> (d0 + ())', 15, 'no expression inside parentheses'],
    ['(d0) -> ((d0 + 1]', 16, "expected ')'"],
    ['(d0) -> (% d0)', 9, 'invalid SSA name'],
    ['(d0) -> (?)', 9, 'expected affine expression'],
    ['(d0) -> (d0 % 4)', 12, "'%' is no operator: use mod"],
    ['(d0) -> (d0 + d0 %4)', 17, "'%' is no operator: use mod"],
    ['(d0) -> (d0 / 4)', 12, "'/' is no operator: use floordiv or ceildiv"],
    ['(d0) -> (d0, )', 13, 'expected affine expression'],
    ['(d0) -> (- )', 11, 'expected affine expression'],
    ['(d0) -> (symbol(3))', 16, 'unexpected ssa identifier'],
    ['(d0) -> (symbol(%d0))', 16, "use of undeclared identifier '%d0'"],
    ['(d0) -> (9007199254740992)', 9, 'constant 9007199254740992 too large'],
    ['(d0) -> (d0 * d0)', 12, notAffine('at least one of the multiply operands')],
    ['(d0) -> (3 mod d0)', 11, notAffine('right operand of mod')],
    ['(d0) -> (3 floordiv d0)', 11, notAffine('right operand of floordiv')],
    ['(d0) -> (3 ceildiv d0)', 11, notAffine('right operand of ceildiv')],
  ])('map %s, at %d: %s', (text, offset, message) => {
    expect(tryParseMap(text)).toMatchObject({ ok: false, error: { message, offset } });
  });

  it.each([
    ['x0) : (d0 >= 0)', 0, "expected '(' at start of dimensional identifiers list of the set"],
    ['(d0) (d0 >= 0)', 4, "expected ':' in integer set"],
    ['(d0) : d0 >= 0', 6, "expected '(' at start of integer set constraint list"],
    ['(d0) : (d0)', 10, "expected '==', '>=' or '<=' in the constraint"],
    ['(d0) : (d0 > 0)', 10, "expected '==', '>=' or '<=' in the constraint"],
    ['(d0) : (d0 >= 0', 15, "expected ')' at end of integer set constraint list"],
    ['affine_set<(d0) : (d0 >= 0)', 27, "expected '>' in affine set"],
  ])('set %s, at %d: %s', (text, offset, message) => {
    expect(tryParseSet(text)).toMatchObject({ ok: false, error: { message, offset } });
  });

  it.each(['d', 'd01', 'd100000', 'xd0', 'd0x', 'S0', 'e0'])('%s is no dimension and no symbol', (name) => {
    expect(tryParseExpr(name)).toMatchObject({
      error: { code: 'affine/undeclared-identifier', message: `use of undeclared identifier '${name}'` },
    });
  });
});

describe('names', () => {
  it.each([
    ['symbol', '(symbol) -> (symbol + 1)', '(d0) -> (d0 + 1)'],
    ['an operator', '(mod, floordiv) -> (mod mod 2 + floordiv)', '(d0, d1) -> (d0 mod 2 + d1)'],
    ['dots and dollars', '(a.b, a$c, _)[a_1] -> (a$c + a_1)', '(d0, d1, d2)[s0] -> (d1 + s0)'],
  ])('may be %s', (_, text, expected) => {
    const map = tryParseMap(text);
    expect(map.ok && String(map.value)).toBe(expected);
  });
});

describe('the length of a text', () => {
  const padded = (length: number) => 'd0'.padEnd(length);

  it('counts where it is parsed whole', () => {
    expect(tryParseExpr(padded(maxTextLength))).toMatchObject({ ok: true });
    expect(tryParseExpr(padded(maxTextLength + 1))).toMatchObject({
      error: {
        code: 'affine/text-too-long',
        offset: 0,
        message: 'the text is longer than 1000000 characters',
      },
    });
  });

  it('counts from the offset within a larger text', () => {
    const before = ' '.repeat(500_000);
    const map = (gap: number) => `${before}(d0)${' '.repeat(gap)} -> (d0)`;
    expect(parseMapPrefix(map(600_000), before.length).end).toBe(map(600_000).length);
    expect(() => parseMapPrefix(map(1_000_000), before.length)).toThrow(
      expect.objectContaining({ code: 'affine/text-too-long', offset: before.length }),
    );
  });
});

describe('the depth of a text', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}d0${')'.repeat(depth)}`;

  it('may be as large as that of an expression, the whole text included', () => {
    expect(tryParseExpr(nested(maxDepth - 1))).toMatchObject({ ok: true });
    expect(tryParseExpr(nested(maxDepth))).toMatchObject({ error: { code: 'affine/too-deep' } });
  });

  it('is bounded, and no matter where texts stand side by side', () => {
    const refused = tryParseExpr(nested(10_000));
    expect(refused).toMatchObject({ error: { code: 'affine/too-deep' } });
    const deep = [nested(100), `- ${nested(100)}`].join(' + ');
    const wide = Array.from({ length: 40 }, () => deep).join(' + ');
    expect(tryParseExpr(wide)).toMatchObject({ ok: true });
  });
});

describe('an expression in a larger text', () => {
  it.each([
    ['d0 + 1, d1', 0, 'd0 + 1', 6],
    ['[ d1 * 2 ]', 1, 'd1 * 2', 8],
    ['3 floordiv 2 to 4', 0, '1', 12],
  ])('%s from %d on', (text, offset, expected, end) => {
    const parsed = parseExprPrefix(text, offset);
    expect([printExpr(parsed.expr), parsed.end]).toEqual([expected, end]);
  });

  it('a symbol is one name', () => {
    expect(() => parseExprPrefix('symbol(%a + 1)', 0, () => dim(0))).toThrow("expected ')' after the symbol");
  });

  it('asks what names mean, and gives up where it is not told', () => {
    const resolve = (name: string) => (name === '%a#1' ? dim(3) : undefined);
    expect(printExpr(parseExprPrefix('%a#1 + 1', 0, resolve).expr)).toBe('d3 + 1');
    expect(() => parseExprPrefix('%a + 1', 0, resolve)).toThrow("use of undeclared identifier '%a'");
    expect(() => parseExprPrefix('symbol(%a)', 0, resolve)).toThrow(
      expect.objectContaining({ code: 'affine/undeclared-identifier', offset: 7 }),
    );
  });
});
