/**
 * Matchers for sets and relations, for any test framework with jest's `expect.extend`; `@sconv/presburger/vitest` and
 * `@sconv/presburger/jest` provide them with those frameworks' types, `@sconv/presburger/node-test` without a
 * framework. They decide: an assertion that cannot be decided fails with `presburger/undecided`, negated or not.
 */
import type { Int } from '../int.ts';
import type { RelationLike, SetLike } from '../text/like.ts';
import type { OverOption } from './maps.ts';
import { toBeEquivalentTo, toBeInjectiveOn, toHaveRange, toStayWithin } from './maps.ts';
import type { Over } from './over.ts';
import { toBeEmpty, toBeSubsetOf, toCover, toHaveSize, toTile } from './sets.ts';

/** The matchers, for `expect.extend`. */
export const presburgerMatchers = {
  toBeEmpty,
  toBeEquivalentTo,
  toBeInjectiveOn,
  toBeSubsetOf,
  toCover,
  toHaveRange,
  toHaveSize,
  toStayWithin,
  toTile,
};

/** The matchers as methods of `expect(set)`. */
export interface PresburgerMatchers<R = void> {
  /** No point is in the set, for any values of its symbols. */
  toBeEmpty(): R;
  /** Two maps have equal values, or two sets the same points, at every point of `over` (default: everywhere). */
  toBeEquivalentTo(expected: RelationLike | SetLike, options?: OverOption): R;
  /** No two points of the set have equal values. */
  toBeInjectiveOn(over: Over): R;
  /** Each point is in the other set. */
  toBeSubsetOf(other: SetLike): R;
  /** Each point of the whole is in a part: parts are a set, a list of sets, or a relation from parts to points. */
  toCover(whole: SetLike): R;
  /** The values at the points of `over` are exactly those of the set. */
  toHaveRange(expected: SetLike, options?: OverOption): R;
  /** The set has this number of points. */
  toHaveSize(size: Int): R;
  /** All values at the points of `over` are in the set. */
  toStayWithin(bounds: SetLike, options?: OverOption): R;
  /** Each point of the whole is in exactly one part, and no other point in any. */
  toTile(whole: SetLike): R;
}
