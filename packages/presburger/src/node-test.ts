/**
 * Assertions for node:test, and for any framework whose tests fail by an error:
 *
 *     import test from 'node:test';
 *     import { expect } from '@sconv/presburger/node-test';
 *     test('tiles', () => expect(['{ [i] : 0 <= i < 4 }', '{ [i] : 4 <= i < 9 }']).toTile('{ [i] : 0 <= i < 9 }'));
 */
import type { PresburgerMatchers } from './matchers/matchers.ts';
import { presburgerMatchers } from './matchers/matchers.ts';
import type { MatcherResult } from './matchers/result.ts';
import type { Likeness } from './text/like.ts';

export type { PresburgerMatchers } from './matchers/matchers.ts';
export type { OverOption } from './matchers/maps.ts';
export type { Over } from './matchers/over.ts';
export type { Likeness, RelationLike, SetLike } from './text/like.ts';

/** Thrown where an assertion does not hold; runners show it as they show those of `node:assert`. */
class AssertionError extends Error {
  override readonly name = 'AssertionError';
  readonly code = 'ERR_ASSERTION';
}

/**
 * Assertions about a set, a list of sets, a relation or a map; `not` asserts the opposite. They throw where they
 * fail.
 */
export function expect(received: Likeness): PresburgerMatchers & { readonly not: PresburgerMatchers } {
  return { ...assertions(received, true), not: assertions(received, false) };
}

function assertions(received: Likeness, wanted: boolean): PresburgerMatchers {
  const asserting = <Rest extends readonly unknown[]>(
    compute: (given: Likeness, ...rest: Rest) => MatcherResult,
  ) => {
    return (...rest: Rest): void => {
      const { pass, message } = compute(received, ...rest);
      if (pass !== wanted) throw new AssertionError(message());
    };
  };
  const { toBeEmpty, toBeEquivalentTo, toBeInjectiveOn, toBeSubsetOf } = presburgerMatchers;
  const { toCover, toHaveRange, toHaveSize, toStayWithin, toTile } = presburgerMatchers;
  return {
    toBeEmpty: asserting(toBeEmpty),
    toBeEquivalentTo: asserting(toBeEquivalentTo),
    toBeInjectiveOn: asserting(toBeInjectiveOn),
    toBeSubsetOf: asserting(toBeSubsetOf),
    toCover: asserting(toCover),
    toHaveRange: asserting(toHaveRange),
    toHaveSize: asserting(toHaveSize),
    toStayWithin: asserting(toStayWithin),
    toTile: asserting(toTile),
  };
}
