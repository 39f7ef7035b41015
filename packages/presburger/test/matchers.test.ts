import { describe, expect, it } from 'vitest';
import type { Bounds } from '@sconv/affine';
import { affineMap, integerSet } from '@sconv/affine';
import { card, parseRelation, parseSet, pointsOver, setSpace } from '@sconv/presburger';
import { presburgerMatchers as jestMatchers } from '../src/jest.ts';
import { expect as assertThat } from '../src/node-test.ts';
import { presburgerMatchers } from '../src/vitest.ts';

expect.extend(presburgerMatchers);

/** The message of a failing assertion. */
function failure(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  throw new Error('the assertion passed');
}

const nine = '{ [i] : 0 <= i < 9 }';

describe('the matchers', () => {
  it('take text in either syntax, and values', () => {
    expect('{ [i] : 2i = 1 }').toBeEmpty();
    expect(integerSet('(i) : (i * 2 - 1 == 0)')).toBeEmpty();
    expect(parseSet('{ [i] : 2i = 1 }')).toBeEmpty();
    expect('(i) : (i - 4 >= 0)').toBeSubsetOf('{ [i] : i > 2 }');
    expect(affineMap('(i) -> (i mod 8)')).toStayWithin('(d0) : (d0 >= 0, 7 - d0 >= 0)');
    expect('(row, column) -> (row * 8 + column)').toBeEquivalentTo('{ [i, j] -> [8i + j] }');
    expect(parseRelation('{ [i] -> [i + 1] }')).toBeInjectiveOn(nine);
  });

  it('say yes of unbounded and symbolic sets', () => {
    expect('[n] -> { [i] : 0 <= i < n }').toBeSubsetOf('[n] -> { [i] : i <= n }');
    expect('(d0) -> (d0 floordiv 999983 * 999983 + d0 mod 999983)').toBeEquivalentTo('(d0) -> (d0)');
    expect('{ [t] -> [i] : t = floor(i / 8) }').toTile('{ [i] }');
    expect(['{ [i] : i mod 2 = 0 }', '{ [i] : i mod 2 = 1 }']).toTile('{ [i] }');
    expect(['{ [i] : i < 5 }', '{ [i] : i > 3 }']).toCover('{ [i] }');
    expect('{ [i] : i mod 2 = 0 and i mod 3 = 0 }').toBeEquivalentTo('{ [i] : i mod 6 = 0 }');
    expect('(i) -> (i * 2)').toHaveRange('{ [r] : r mod 2 = 0 }');
    expect('{ [i, j] : 0 <= i < j < 1000 }').toHaveSize(499_500);
  });

  it('take a box, constraints or a set as where to look, by the names in the text', () => {
    const map = '(w)[n] -> (w mod n0)'.replace('n0', '75');
    expect(map).toBeEquivalentTo('(w)[n] -> (w)', { over: { w: [0, 75] } });
    expect(map).toBeEquivalentTo('(w)[n] -> (w)', { over: { d0: [0, 75], s0: [0, 9] } });
    expect(map).toBeEquivalentTo('(w)[n] -> (w)', { over: ['0 <= w < n', 'n <= 75'] });
    expect(map).toBeEquivalentTo('(w)[n] -> (w)', { over: '0 <= w <= 74' });
    expect(map).not.toBeEquivalentTo('(w)[n] -> (w)', { over: '{ [w] : 0 <= w <= 75 }' });
    expect('(w) -> (w)').toStayWithin('{ [w] : w >= 0 }', { over: integerSet('(d0) : (d0 - 1 >= 0)') });
    expect(() => {
      expect(map).toBeInjectiveOn({ v: [0, 9] });
    }).toThrow('v names no dimension: there are w, n');
  });

  it.each([
    [[0, 2.5], 'the bounds [0, 2.5) of w are not integers'],
    [[NaN, 9], 'the bounds [NaN, 9) of w are not integers'],
    [[Infinity, Infinity], 'the bounds [Infinity, Infinity) of w are not integers'],
    [[-(2 ** 53), 9], 'the bounds [-9007199254740992, 9) of w are no integers of magnitude below 2^53'],
  ] as const)('refuse the bounds %j', (bounds, message) => {
    const inside = () => {
      expect('(w) -> (w)').toBeInjectiveOn({ w: bounds });
    };
    expect(inside).toThrow(expect.objectContaining({ code: 'presburger/invalid-argument', message }));
  });

  it('take bounds up to 2^53, and open ones', () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const points = (bounds: Bounds) => pointsOver({ w: bounds }, setSpace(['w']));
    expect(card(points([-largest, largest]))).toBe(2n * BigInt(largest));
    expect(points([-Infinity, -largest])).toBeEquivalentTo('{ [w] : w < -9007199254740991 }');
    expect(points([-Infinity, Infinity])).toBeEquivalentTo('{ [w] }');
    expect(points([5, 3])).toBeEmpty();
  });

  it('fail without an answer, negated or not', () => {
    const undecided = () => {
      expect('(d0)[s0] -> (d0 floordiv s0)').not.toBeEquivalentTo('(d0)[s0] -> (d0)');
    };
    expect(undecided).toThrow('only constants may');
  });

  it('tell a set from a relation', () => {
    expect(() => {
      expect('{ [i] -> [i] }').toBeEmpty();
    }).toThrow('a relation or map where a set was expected: a set has no ->\n{ [i] -> [i] }\n      ^');
    expect(() => {
      expect(affineMap('(i) -> (i)')).toBeEmpty();
    }).toThrow('a value of kind map where a set was expected');
    expect(() => {
      expect([nine]).toBeInjectiveOn(nine);
    }).toThrow('a list where a relation or map was expected');
    expect(() => {
      expect('{ [i] : i % 2 }').toBeEmpty();
    }).toThrow("expected a comparison (=, <, <=, >, >= or !=), not '}'\n{ [i] : i % 2 }\n              ^");
    expect(() => {
      expect([]).toTile(nine);
    }).toThrow('no parts are given');
  });

  it('are the same for jest', () => {
    expect(jestMatchers).toBe(presburgerMatchers);
  });
});

describe('a failure shows a point where the assertion does not hold', () => {
  it.each<[string, () => void, string]>([
    [
      'of an empty set',
      () => {
        expect('{ [i, j] : 2i = 4j + 2 and 3 <= j <= 3 }').toBeEmpty();
      },
      'expected { [i, j] : 2i = 4j + 2 and 3 <= j <= 3 } to be empty,\nbut it contains i = 7, j = 3',
    ],
    [
      'of a size',
      () => {
        expect('{ [i] : 0 <= i < 9 and i mod 2 = 0 }').toHaveSize(4);
      },
      'expected { [i] : 0 <= i < 9 and i mod 2 = 0 } to have 4 points,\nbut it has 5',
    ],
    [
      'that is the least one',
      () => {
        expect('{ [i, j] : 0 <= i, j < 1000 }').toBeSubsetOf('{ [i, j] : i != 7 and j != 1 }');
      },
      'but i = 0, j = 1 is not in the second',
    ],
    [
      'of a subset',
      () => {
        expect('[n] -> { [i] : 0 <= i < n and n = 4 }').toBeSubsetOf('[n] -> { [i] : i != 3 and i < n }');
      },
      'to be a subset of [n] -> { [i] : i != 3 and i < n },\nbut i = 3 for n = 4 is not in the second',
    ],
    [
      'of a cover',
      () => {
        expect(['{ [i] : 0 <= i < 4 }', '{ [i] : 5 <= i < 9 }']).toCover(nine);
      },
      'and { [i] : 5 <= i < 9 }\nto cover { [i] : 0 <= i < 9 },\nbut i = 4 is in no part',
    ],
    [
      'of parts that overlap',
      () => {
        expect(['{ [i] : 0 <= i < 5 }', '{ [i] : 4 <= i < 9 }']).toTile(nine);
      },
      'to tile { [i] : 0 <= i < 9 },\nbut i = 4 is in part 0 and in part 1',
    ],
    [
      'of parts that are too large',
      () => {
        expect(['{ [i] : 0 <= i < 4 }', '{ [i] : 4 <= i < 10 }']).toTile(nine);
      },
      'but i = 9 is in a part, not in the whole',
    ],
    [
      'of tiles that overlap',
      () => {
        expect('{ [t] -> [i] : 8t <= i < 8t + 9 and 0 <= t < 2 }').toTile('{ [i] : 0 <= i <= 16 }');
      },
      'but the parts t = 0 and t = 1 overlap',
    ],
    [
      'of maps',
      () => {
        expect('(w) -> (w mod 75)').toBeEquivalentTo('(w) -> (w)', { over: { w: [0, 76] } });
      },
      'equivalent\nover { [w] : 0 <= w <= 75 },\nbut at w = 75 the first gives (0), the second (75)',
    ],
    [
      'of sets',
      () => {
        expect('{ [i] : i mod 2 = 0 and 1 <= i <= 2 }').toBeEquivalentTo('(i) : (i mod 12 == 0, i >= 0)', {
          over: '0 < i < 12',
        });
      },
      'but i = 2 is in the first only',
    ],
    [
      'of an injective map',
      () => {
        expect('(row, column) -> (row * 8 + column)').toBeInjectiveOn({ row: [0, 2], column: [0, 9] });
      },
      'but at row = 0, column = 8 and row = 1, column = 0 it is (8)',
    ],
    [
      'of bounds',
      () => {
        expect(affineMap('(i) -> (i mod 8)')).toStayWithin('{ [i] : 0 <= i < 7 }', { over: '0 <= d0 < 8' });
      },
      '(d0) -> (d0 mod 8)\nto stay within { [i] : 0 <= i < 7 }\nover { [d0] : 0 <= d0 <= 7 },\nbut at d0 = 7 it is (7)',
    ],
    [
      'of a range',
      () => {
        expect('(i) -> (i * 2)').toHaveRange('{ [i] : 0 <= i < 3 }', { over: '0 <= i < 2' });
      },
      'but i = 1 is none of its values',
    ],
    [
      'of a negation',
      () => {
        expect('(i) -> (i * 2)').not.toHaveRange('{ [i] : 0 <= i < 7 and i mod 2 = 0 }', {
          over: '0 <= i < 4',
        });
      },
      'to have another range than { [i] : 0 <= i < 7 and i mod 2 = 0 }\nover { [i] : 0 <= i <= 3 }',
    ],
  ])('%s', (_, assertion, message) => {
    expect(failure(assertion)).toContain(message);
  });

  it('in node:test, too', () => {
    assertThat(nine).toCover('{ [i] : i = 3 }');
    assertThat('(i) -> (i)').toBeInjectiveOn(nine);
    assertThat(nine).not.toBeEmpty();
    const message = 'expected { [i] : 0 <= i < 9 } to have points, but it is empty';
    expect(
      failure(() => {
        assertThat(nine).toBeEmpty();
      }),
    ).toContain('but it contains i = ');
    expect(
      failure(() => {
        assertThat('{ [i] : false }').not.toBeEmpty();
      }),
    ).toBe(message.replace('0 <= i < 9', 'false'));
  });
});
