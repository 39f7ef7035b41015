import { describe, expect, it } from 'vitest';
import { affineMap, dim } from '../src/index.ts';
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
  // A product of symbols has no normal form and no exact range; unbounded, not every point can be tried.
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
