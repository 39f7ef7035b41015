/** Matchers of sets: emptiness, subset, equality, covers and tilings. */
import { card } from '../card.ts';
import { intersect, union } from '../combine.ts';
import { reuses } from '../dependences/footprint.ts';
import type { Int } from '../int.ts';
import { PresburgerError } from '../presburger-error.ts';
import type { PresburgerSet, Relation } from '../presburger-set.ts';
import { domain, range } from '../relations.ts';
import { subtract } from '../subtract.ts';
import type { Likeness, SetLike } from '../text/like.ts';
import { isList, isRelationLike, toRelation, toSet } from '../text/like.ts';
import { describe, describePoint, describeSymbols, describeValues } from './describe.ts';
import type { MatcherResult } from './result.ts';
import { result } from './result.ts';
import { witness } from './witness.ts';

/** No point is in the set. */
export function toBeEmpty(received: Likeness): MatcherResult {
  const set = toSet(received);
  const point = witness(set);
  const text = describeParts(received);
  return result(
    `expected ${text} to be empty`,
    `expected ${text} to have points, but it is empty`,
    point && `it contains ${describePoint(set.space, point)}`,
  );
}

/** The set has as many points. Errors: those of `card`. */
export function toHaveSize(received: Likeness, size: Int): MatcherResult {
  const count = card(toSet(received));
  const text = describeParts(received);
  return result(
    `expected ${text} to have ${size} points`,
    `expected ${text} not to have ${size} points`,
    // The size may be given as a BigInt.
    BigInt(count) === BigInt(size) ? undefined : `it has ${count}`,
  );
}

/** Each point of the set is in the other. */
export function toBeSubsetOf(received: Likeness, other: SetLike): MatcherResult {
  const [set, container] = [toSet(received), toSet(other)];
  return result(
    `expected ${describeParts(received)}\nto be a subset of ${describe(other)}`,
    `expected ${describeParts(received)}\nto have points outside of ${describe(other)}, but it is a subset`,
    missing(set, container, 'is not in the second'),
  );
}

/**
 * Each point of the whole is in one of the parts, or in several. Parts are a set, a list of sets, or a relation from
 * the number of a part to its points: `{ [t] -> [i] : 8t <= i < 8t + 8 }`.
 */
export function toCover(received: Likeness, whole: SetLike): MatcherResult {
  const [parts, expected] = [partsOf(received), toSet(whole)];
  return result(
    `expected ${describeParts(received)}\nto cover ${describe(whole)}`,
    `expected ${describeParts(received)}\nnot to cover ${describe(whole)}, but they do`,
    missing(expected, unionOf(parts), 'is in no part'),
  );
}

/** Each point of the whole is in exactly one of the parts, and they have no other points. */
export function toTile(received: Likeness, whole: SetLike): MatcherResult {
  const [parts, expected] = [partsOf(received), toSet(whole)];
  const covered = unionOf(parts);
  return result(
    `expected ${describeParts(received)}\nto tile ${describe(whole)}`,
    `expected ${describeParts(received)}\nnot to tile ${describe(whole)}, but they do`,
    missing(expected, covered, 'is in no part') ??
      overlap(parts) ??
      missing(covered, expected, 'is in a part, not in the whole'),
  );
}

/** A point of one set that is not in the other, in words; undefined if there is none. */
export function missing(set: PresburgerSet, other: PresburgerSet, what: string): string | undefined {
  const point = witness(subtract(set, other));
  return point && `${describePoint(set.space, point)} ${what}`;
}

function overlap(parts: Relation | readonly PresburgerSet[]): string | undefined {
  if (isRelation(parts)) {
    const { inputs } = parts.space;
    const twice = reuses(domain(parts), parts);
    const pair = witness(twice);
    if (pair === undefined) return undefined;
    const [one, other] = [describeValues(inputs, pair.inputs), describeValues(inputs, pair.dims)];
    return `the parts ${one} and ${other} overlap${describeSymbols(twice.space.symbols, pair.symbols)}`;
  }
  for (const [i, part] of parts.entries()) {
    for (const [j, other] of parts.slice(0, i).entries()) {
      const both = intersect(other, part);
      const point = witness(both);
      if (point !== undefined) return `${describePoint(both.space, point)} is in part ${j} and in part ${i}`;
    }
  }
  return undefined;
}

const isRelation = (parts: Relation | readonly PresburgerSet[]): parts is Relation => 'kind' in parts;

function partsOf(received: Likeness): Relation | readonly PresburgerSet[] {
  if (isRelationLike(received)) return toRelation(received);
  return isList(received) ? received.map(toSet) : [toSet(received)];
}

function unionOf(parts: Relation | readonly PresburgerSet[]): PresburgerSet {
  if (isRelation(parts)) return range(parts);
  const [first, ...rest] = parts;
  if (first === undefined) throw new PresburgerError('presburger/invalid-argument', 'no parts are given');
  return rest.reduce((all, part) => union(all, part), first);
}

const describeParts = (received: Likeness): string =>
  isList(received) ? received.map(describe).join('\nand ') : describe(received);
