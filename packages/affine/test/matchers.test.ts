import { describe, expect, it } from 'vitest';
import { affineMap, dim } from '../src/index.ts';
import type { Bounds, Domain } from '../src/index.ts';
import { affineMatchers } from '../src/vitest.ts';
import { affineMatchers as jestMatchers } from '../src/jest.ts';

expect.extend(affineMatchers);

/** The message of a failing assertion. */
function failure(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  throw new Error('the assertion passed');
}

describe('toBeEquivalentTo', () => {
  it('passes for equal values, of maps, expressions and texts', () => {
    expect(affineMap('(d0) -> (d0 mod 75)')).toBeEquivalentTo('(d0) -> (d0)', { over: { d0: [0, 75] } });
    expect('(d0, d1) -> (d0 + d1)').toBeEquivalentTo('(a, b) -> (b + a)');
    expect(dim(0).mul(2)).toBeEquivalentTo('d0 + d0');
    expect('d0').not.toBeEquivalentTo('d1');
  });

  it('takes bounds by the names in the text', () => {
    const over = { w: [0, 75] } as const;
    expect('(w) -> (w mod 75)').toBeEquivalentTo('(w) -> (w)', { over });
    expect(affineMap('(c, w)[w1] -> (c * 75 + w + w1)')).toBeInjectiveOver({
      c: [0, 9],
      ...over,
      w1: [3, 4],
    });
    expect('(c, w) -> (w)').toStayWithin([0, 75], { over });
    const both = () => {
      expect('(w, c) -> (w)').toBeEquivalentTo('(c, w) -> (w)', { over });
    };
    expect('(w, c) -> (w)').toBeEquivalentTo('(d, w) -> (d)', { over: { d0: [0, 9] } });
    expect(both).toThrow('w is another dimension or symbol in each text: use d0, s0, …');
    const unknown = () => {
      expect('(w) -> (w)').toStayWithin([0, 75], { over: { width: [0, 75] } });
    };
    expect(unknown).toThrow('width names no dimension and no symbol: use d0, s0, …, w');
    const twice = () => {
      expect('(w) -> (w)').toStayWithin([0, 75], { over: { ...over, d0: [0, 75] } });
    };
    expect(twice).toThrow('d0 bounds a dimension or symbol a second time');
  });

  it.each([
    ['d0', '(d0, d1) -> (d0)', 1],
    ['(d0, d1) -> (d0)', 'd0', 1],
    ['d1', 'd1 + s0 - s0', 1],
    ['(d0) -> (d0)', '(d0, d1) -> (d0)', 'maps differ in arity: 1 dimensions'],
    ['(d0) -> (d0)', '(d0)[s0] -> (d0)', 'maps differ in arity: 1 dimensions, 0 symbols'],
    ['d0', '(d0) -> (d0, d0)', 'maps differ in arity: 1 dimensions, 0 symbols and 1 results'],
  ])('an expression gets the arity of what it is compared with: %s and %s', (a, b, outcome) => {
    const compare = () => {
      expect(a).toBeEquivalentTo(b);
    };
    if (typeof outcome === 'string') expect(compare).toThrow(outcome);
    else compare();
  });

  it('names symbols and domains where there are some, and the only point', () => {
    const message = (a: string, b: string, over: Domain) =>
      failure(() => {
        expect(a).toBeEquivalentTo(b, { over });
      }).split('to be equivalent')[1];
    expect(message('(d0)[s0] -> (d0 + s0)', '(d0)[s0] -> (d0)', { d0: [3, 4], s0: [2, 3] })).toBe(
      ' over d0 in [3, 4), s0 in [2, 3), but at d0 = 3, s0 = 2 the first gives (5), the second (3)',
    );
    expect(message('() -> (1, 2)', '() -> (1, 3)', {})).toBe(
      ', but at the only point the first gives (1, 2), the second (1, 3)',
    );
  });

  it('shows a point and both values', () => {
    expect(
      failure(() => {
        expect('(d0) -> (d0 mod 75)').toBeEquivalentTo('(d0) -> (d0)', { over: { d0: [0, 76] } });
      }),
    ).toMatchInlineSnapshot(`
      "expected (d0) -> (d0 mod 75)
      and (d0) -> (d0)
      to be equivalent over d0 in [0, 76), but at d0 = 75 the first gives (0), the second (75)"
    `);
    expect(
      failure(() => {
        expect('d0').not.toBeEquivalentTo('d0 + 0');
      }),
    ).toMatch('to differ, but they are equal (normal form)');
  });
});

describe('what only sampling answers', () => {
  // A product of symbols has no normal form and no exact range; unbounded, not all points can be checked.
  const [product, twisted] = [
    '(d0)[s0] -> (d0 * s0 + (d0 * s0) mod 2)',
    '(d0)[s0] -> (s0 * d0 + (s0 * d0) mod 2)',
  ];
  const third = 'd0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3';
  const over = { d0: [0, 1 << 20], s0: [1, 1 << 20] } as const;
  const within = '(d0 * s0) mod 6 + (d0 * s0 + 1) mod 6';
  const undecided = expect.objectContaining({ code: 'affine/undecided' }) as Error;

  it.each([
    [
      'toBeEquivalentTo',
      () => {
        expect(third).toBeEquivalentTo('d0');
      },
    ],
    [
      'not.toBeEquivalentTo',
      () => {
        expect(third).not.toBeEquivalentTo('d0');
      },
    ],
    [
      'toStayWithin',
      () => {
        expect(within).toStayWithin([0, 10], { over });
      },
    ],
    [
      'not.toStayWithin',
      () => {
        expect(within).not.toStayWithin([0, 10], { over });
      },
    ],
  ])('fails: %s', (_, assertion) => {
    expect(assertion).toThrow(undecided);
  });
  it('passes where that is accepted', () => {
    expect(third).toBeEquivalentTo('d0', { acceptSampling: true });
    expect(within).toStayWithin([0, 10], { over, acceptSampling: true });
  });
  it('is a difference where a point shows it', () => {
    expect(product).not.toBeEquivalentTo('(d0)[s0] -> (d0 * s0)', { over });
    expect(twisted).not.toStayWithin([0, 10], { over });
  });
  it('says what to do', () => {
    expect(
      failure(() => {
        expect(third).toBeEquivalentTo('d0', { over: { d0: [0, 1 << 20] } });
      }),
    ).toBe(
      `cannot tell whether (d0) -> (${third})\nand (d0) -> (d0)\nare equivalent over d0 in [0, 1048576): 2000 points ` +
        'were tried and say so, but there are more; take a smaller box, or accept that with { acceptSampling: true }',
    );
  });
});

describe('toBePermutation', () => {
  it('says what is in the way', () => {
    expect('(d0, d1) -> (d1, d0)').toBePermutation();
    expect('(d0, d1) -> (d1)').not.toBePermutation();
    const messages = [
      '(d0, d1) -> (d1)',
      '(d0, d1) -> (d1, d0 + 1)',
      '(d0, d1) -> (d1, d1)',
      '(d0)[s0] -> (d0)',
    ].map((map) =>
      failure(() => {
        expect(map).toBePermutation();
      }),
    );
    expect(messages).toEqual([
      'expected (d0, d1) -> (d1) to be a permutation, but it has 2 dimensions and 1 results',
      'expected (d0, d1) -> (d1, d0 + 1) to be a permutation, but result 1 is d0 + 1',
      'expected (d0, d1) -> (d1, d1) to be a permutation, but d1 occurs twice',
      'expected (d0)[s0] -> (d0) to be a permutation, but it has 1 symbols',
    ]);
  });
});

describe('negated, the matchers that hold say so', () => {
  it.each<[string, () => void, string]>([
    [
      'toBePermutation',
      () => {
        expect('(d0) -> (d0)').not.toBePermutation();
      },
      'expected (d0) -> (d0) not to be a permutation',
    ],
    [
      'toBeInjectiveOver',
      () => {
        expect('(d0) -> (d0)').not.toBeInjectiveOver({ d0: [0, 4] });
      },
      'expected (d0) -> (d0) to take some value twice over d0 in [0, 4)',
    ],
    [
      'toStayWithin',
      () => {
        expect('(d0) -> (d0, d0 * 2)').not.toStayWithin([[0, 4]], { over: { d0: [0, 4] } });
      },
      'expected (d0) -> (d0, d0 * 2) to leave [0, 4), any bounds over d0 in [0, 4)',
    ],
  ])('%s', (_, assertion, message) => {
    expect(failure(assertion)).toBe(message);
  });
});

describe('toBeInjectiveOver', () => {
  it('shows two points with the same values', () => {
    expect('(d0, d1) -> (d0 * 16 + d1)').toBeInjectiveOver({ d0: [0, 9], d1: [0, 16] });
    expect(
      failure(() => {
        expect('(d0, d1) -> (d0 * 16 + d1)').toBeInjectiveOver({ d0: [0, 9], d1: [0, 17] });
      }),
    ).toBe(
      'expected (d0, d1) -> (d0 * 16 + d1) to be injective over d0 in [0, 9), d1 in [0, 17), ' +
        'but d0 = 0, d1 = 16 and d0 = 1, d1 = 0 both give (16)',
    );
  });
});

describe('toStayWithin', () => {
  const input = '(d0, d1, d2) -> (((d0 floordiv 75) * 2 + d1) * 152 + (d0 mod 75) * 2 + d2)';
  const window = { d0: [0, 5625], d1: [0, 3], d2: [0, 3] } as const;

  it('passes for the elements of the input of a convolution', () => {
    expect(input).toStayWithin([0, 23104], { over: window });
    expect('(d0) -> (d0, d0 mod 4)').toStayWithin(
      [
        [0, 10],
        [0, 4],
      ],
      { over: { d0: [0, 10] } },
    );
    expect('d0').not.toStayWithin([0, 10]);
  });

  it.each<[string, Bounds | readonly Bounds[], Domain, string | RegExp]>([
    ['d0', [1, 4], { d0: [0, 4] }, 'result 0, d0, ranges over [0, 4): it is 0 at d0 = 0'],
    ['d0', [0, 3], { d0: [0, 4] }, 'result 0, d0, ranges over [0, 4): it is 3 at d0 = 3'],
    [
      'd0 + s0',
      [0, 3],
      { d0: [0, 2], s0: [1, 4] },
      'result 0, d0 + s0, ranges over [1, 5): it is 3 at d0 = 0, s0 = 3',
    ],
    [
      '(d0) -> (d0, d0 * 2)',
      [
        [0, 4],
        [0, 4],
      ],
      { d0: [0, 4] },
      'result 1, d0 * 2, ranges over [0, 7): it is 4 at d0 = 2',
    ],
    ['(d0) -> (d0, d0)', [0, 3], { d0: [0, 4] }, 'result 0, d0, ranges over [0, 4): it is 3 at d0 = 3'],
    // Too many points to check all, yet a violation is found.
    ['d0', [0, 5], { d0: [0, 1 << 20] }, /^result 0, d0, ranges over \[0, 1048576\): it is \d+ at d0 = \d+$/],
  ])('%s within %j over %j', (map, bounds, over, outside) => {
    const message = failure(() => {
      expect(map).toStayWithin(bounds, { over });
    });
    expect(message.split(', but ')[1]).toEqual(
      typeof outside === 'string' ? outside : expect.stringMatching(outside),
    );
  });

  it('shows the range and a point outside', () => {
    expect(
      failure(() => {
        expect(input).toStayWithin([0, 22000], { over: window });
      }),
    ).toBe(
      `expected ${input} to stay within [0, 22000) over d0 in [0, 5625), d1 in [0, 3), d2 in [0, 3), but result 0, ` +
        '((d0 floordiv 75) * 2 + d1) * 152 + (d0 mod 75) * 2 + d2, ranges over [0, 22951): ' +
        'it is 22000 at d0 = 5380, d1 = 2, d2 = 2',
    );
  });
});

describe('the matchers for jest', () => {
  it('are the same ones', () => {
    expect(jestMatchers).toBe(affineMatchers);
  });
});

describe('a text that is no map', () => {
  it.each([
    ['(d0) -> (d0 +)', 'missing right operand of binary operator\n(d0) -> (d0 +)\n             ^'],
    ['d0 +', 'missing right operand of binary operator\nd0 +\n    ^'],
  ])('%s is shown with the place', (text, message) => {
    expect(failure(() => expect(text).toBeEquivalentTo('d0'))).toBe(message);
    expect(failure(() => expect('d0').toBeEquivalentTo(text))).toBe(message);
  });
});
