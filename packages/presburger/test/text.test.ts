import { describe, expect, it } from 'vitest';
import {
  intersectDomain,
  isEqual,
  isPresburgerError,
  parseRelation,
  parseSet,
  parseUnion,
  print,
  withCaret,
} from '@sconv/presburger';

describe('print', () => {
  it.each([
    ['{ [i] : 0 <= i <= 9 }', '{ [i] : 0 <= i <= 9 }'],
    ['[n] -> { [i, j] : 0 <= i, j < n }', '[n] -> { [i, j] : i >= 0 and j >= 0 and i < n and j < n }'],
    ['{ [i] : exists (e : 3e = i and e >= 2) }', '{ [i] : exists (e0 : i = 3*e0 and e0 >= 2) }'],
    ['{ [i] : exists (e = floor(i/3) : i = 3e + 1) }', '{ [i] : i mod 3 = 1 }'],
    ['{ [i] -> [floor(i/4), i mod 4] }', '{ [i] -> [r0, r1] : r0 = floor(i/4) and r1 = i mod 4 }'],
    ['{ [i] -> [i] }', "{ [i] -> [i'] : i' = i }"],
    [
      '{ [i] -> [j, j] : i = ceil(j/4) + 2floor((j + 1)/4) }',
      "{ [i] -> [j, j'] : j = j' and i + floor((-j)/4) = 2*floor((j + 1)/4) }",
    ],
    [
      '{ [i] : i = 1 or i = 3; [j] : 7 <= j < 9 and not (j = 8) }',
      '{ [i] : i = 1; [i] : i = 3; [i] : i = 7 }',
    ],
    ['{ [i] : i >= 0 and false }', '{ [i] : false }'],
    ['{ [] }', '{ [] }'],
    ['{ [i] : }', '{ [i] }'],
    ['(i)[n] : (n - i - 1 >= 0, i mod 4 == 0)', '[n] -> { [i] : i mod 4 = 0 and i < n }'],
    ['affine_map<(w)[n] -> (w floordiv 75 + n)>', '[n] -> { [w] -> [r0] : r0 = n + floor(w/75) }'],
    [
      '{ [i] : (i + 1) mod 3 = 2*(i mod 5) and (i >= 0 and i != 3) and (2i - 1 <= 5) }',
      '{ [i] : i + 3*floor((i + 1)/3) = 10*floor(i/5) + 1 and 0 <= i <= 2 }',
    ],
    [
      '{ [i] : 12345678901234567890 i >= 3 and floord(i, 7) <= 10 - ceild(i + 1, 3) }',
      '{ [i] : i >= 1 and floor(i/7) <= floor((-i - 1)/3) + 10 }',
    ],
    ['{ [i, j] : 12345678901234567890 i = j }', '{ [i, j] : 12345678901234567890*i = j }'],
  ])('of %s', (text, printed) => {
    const once = print(parseUnion(text));
    expect(once).toBe(printed);
    expect(print(parseUnion(once))).toBe(once);
  });
});

it.each([
  ['{ [n] -> [n + 1] }', '[n] -> { [i] : i < n }', "[n] -> { [n'] -> [r0] : r0 = n' + 1 and n' < n }"],
  [
    "{ [n, n'] -> [n'', n] }",
    '[n] -> { [i, j] : i < n }',
    "[n] -> { [n', n''] -> [n''', n''''] : n'''' = n' and n' < n }",
  ],
])('prints a dimension that has the name of a symbol by another: %s on %s', (text, domain, printed) => {
  const narrowed = intersectDomain(parseRelation(text), parseSet(domain));
  expect(print(narrowed)).toBe(printed);
  expect(isEqual(parseRelation(print(narrowed)), narrowed)).toBe(true);
});

describe('a mistake in a set', () => {
  it.each([
    ['{ [i : i >= 0 }', 3, 'i is not declared: a parameter goes in front, [i] -> { … }'],
    ['{ [i] : i >= n }', 13, 'n is not declared: a parameter goes in front, [n] -> { … }'],
    ['{ [i] : i }', 10, "expected a comparison (=, <, <=, >, >= or !=), not '}'"],
    ['{ [i] : i / 2 = 1 }', 10, 'a quotient has to be rounded: write floor(… / c) or ceil(… / c)'],
    ['{ [i] : i * i = 1 }', 10, 'a product of variables is not affine'],
    ['{ [i] : i mod 0 = 1 }', 14, 'a divisor has to be a constant above 0'],
    ['{ [i] : i >= 0 ', 15, "expected 'and', 'or', ';' or '}', not the end"],
    ['{ [i] : i >= 0 } i', 17, "expected nothing after the set, not 'i'"],
    ['{ [i]; [i, j] }', 7, 'all parts between ; need the same numbers of dimensions'],
    ['{ S[i] }', 2, 'named tuples are not read: leave out S'],
    ['{ }', 2, "how many dimensions? Write { [i] : false } for an empty set, not '}'"],
    ['[n, n] -> { [i] }', 4, 'two variables are named n'],
    [
      '{ [i] : not (exists (e : i = 2e)) }',
      8,
      'the negation of an exists is not read: subtract the set instead',
    ],
    ['i + 1', 0, 'an expression where a set was expected: write { [i] : … } or (d0) : (…)'],
    ['', 0, 'nothing where a set was expected: write { [i] : … }'],
    ['{ [i] : i ? 2 = 1 }', 10, "'?' has no meaning here"],
    ['(d0) : (d0 % 4 == 0)', 11, "'%' is no operator: use mod"],
    ['{ [i] -> [j] }', 6, 'a relation or map where a set was expected: a set has no ->'],
  ])('%s', (text, offset, message) => {
    const error = thrownBy(() => parseSet(text));
    expect([error.offset, error.message]).toEqual([offset, message]);
  });

  it.each([
    ['parentheses', `{ [i] : ${'('.repeat(1000)}i = 0 }`, 'nested deeper than 400 levels'],
    ['signs', `{ [i] : ${'-'.repeat(1000)}i = 0 }`, 'nested deeper than 400 levels'],
    [
      'alternatives',
      `{ [i] : ${Array(20).fill('(i = 1 or i = 2)').join(' and ')} }`,
      'more than 10000 alternatives',
    ],
    ['characters', `{${' '.repeat(1_000_001)}`, 'the text is longer than 1000000 characters'],
  ])('that has too many %s', (_, text, message) => {
    expect(thrownBy(() => parseSet(text)).message).toContain(message);
  });

  it('is a relation expected where a set is given', () => {
    const error = thrownBy(() => parseRelation('{ [i] : i = 0 }'));
    expect(error).toMatchObject({ code: 'presburger/syntax', offset: 0 });
  });

  it('is shown with a caret, in its line', () => {
    const text = '{ [i] :\n  i >= n }';
    expect(
      withCaret(
        thrownBy(() => parseSet(text)),
        text,
      )
        .split('\n')
        .slice(1),
    ).toEqual(['  i >= n }', '       ^']);
  });
});

function thrownBy(action: () => unknown) {
  try {
    action();
  } catch (error) {
    if (isPresburgerError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
