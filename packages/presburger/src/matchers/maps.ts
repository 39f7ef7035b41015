/** Matchers of maps and relations: equivalence, injectivity, and where their values are. */
import { basicSet } from '../basic-set.ts';
import { intersect } from '../combine.ts';
import { reuses } from '../dependences/footprint.ts';
import { negInt } from '../int.ts';
import type { PresburgerSet, PresburgerUnion, Relation } from '../presburger-set.ts';
import { presburgerSet } from '../presburger-set.ts';
import { intersectDomain, intersectRange, range } from '../relations.ts';
import { unitRow } from '../row.ts';
import type { Point } from '../sample.ts';
import type { Space } from '../space.ts';
import { numVariables, setSpace } from '../space.ts';
import { subtract } from '../subtract.ts';
import type { Likeness, RelationLike, SetLike } from '../text/like.ts';
import { isList, isRelationLike, toRelation, toSet } from '../text/like.ts';
import { describe, describeSymbols, describeValues, tuple } from './describe.ts';
import type { Over } from './over.ts';
import { pointsOver } from './over.ts';
import type { MatcherResult } from './result.ts';
import { result } from './result.ts';
import { missing } from './sets.ts';
import { witness } from './witness.ts';

/** Where a map is tested; by default everywhere. */
export interface OverOption {
  readonly over?: Over;
}

/** Maps have the same values at each point of `over`; sets have the same points there. */
export function toBeEquivalentTo(
  received: Likeness,
  expected: RelationLike | SetLike,
  { over }: OverOption = {},
): MatcherResult {
  const { left, difference } = comparison(received, expected);
  const points = pointsOver(over, argumentSpace(left));
  const both = `${describeSubject(received)}\nand ${describe(expected)}`;
  const where = over === undefined ? '' : `\nover ${describe(points)}`;
  return result(
    `expected ${both}\nto be equivalent${where}`,
    `expected ${both}\nto differ${where}, but they are equivalent`,
    difference(points),
  );
}

/** No two points of the set have the same value. */
export function toBeInjectiveOn(received: Likeness, over: Over): MatcherResult {
  const map = toRelation(received);
  const points = pointsOver(over, argumentSpace(map));
  const pair = witness(reuses(points, map));
  const what = `expected ${describeSubject(received)}`;
  const where = `injective on ${describe(points)}`;
  return result(
    `${what}\nto be ${where}`,
    `${what}\nnot to be ${where}, but it is`,
    pair && collision(map, pair),
  );
}

/** All values are in the set. */
export function toStayWithin(received: Likeness, bounds: SetLike, { over }: OverOption = {}): MatcherResult {
  const { map, limit, what, where } = valuesOver(received, bounds, over);
  return result(
    `${what}\nto stay within ${describe(bounds)}${where}`,
    `${what}\nto leave ${describe(bounds)}${where}, but it stays within`,
    outside(map, limit),
  );
}

/** The values are exactly the points of the set. */
export function toHaveRange(received: Likeness, bounds: SetLike, { over }: OverOption = {}): MatcherResult {
  const { map, limit, what, where } = valuesOver(received, bounds, over);
  return result(
    `${what}\nto have the range ${describe(bounds)}${where}`,
    `${what}\nto have another range than ${describe(bounds)}${where}`,
    outside(map, limit) ?? missing(limit, range(map), 'is none of its values'),
  );
}

/** A map where it is tested, the set that its values are compared with, and both in words. */
function valuesOver(received: Likeness, bounds: SetLike, over: Over | undefined) {
  const whole = toRelation(received);
  const points = pointsOver(over, argumentSpace(whole));
  const where = over === undefined ? '' : `\nover ${describe(points)}`;
  return {
    map: intersectDomain(whole, points),
    limit: toSet(bounds),
    what: `expected ${describeSubject(received)}`,
    where,
  };
}

function outside(map: Relation, limit: PresburgerSet): string | undefined {
  const pair = witness(subtract(map, intersectRange(map, limit)));
  return pair && `at ${describeArguments(map, pair)} it is ${tuple(pair.dims)}`;
}

/** A list is refused before it is shown. */
const describeSubject = (received: Likeness): string => (isList(received) ? 'a list' : describe(received));

/** The dimensions that a map is a function of, or those of a set. */
const argumentSpace = ({ kind, space }: PresburgerUnion): Space =>
  kind === 'relation' ? setSpace(space.inputs, space.symbols) : space;

/** Two of a kind, and where they differ in a set, in words; undefined if nowhere. */
function comparison(received: Likeness, expected: RelationLike | SetLike) {
  if (isRelationLike(received)) {
    const [left, right] = [toRelation(received), toRelation(expected)];
    const difference = (points: PresburgerSet) =>
      valueDifference(intersectDomain(left, points), intersectDomain(right, points));
    return { left, difference };
  }
  const [left, right] = [toSet(received), toSet(expected)];
  return { left, difference: (points: PresburgerSet) => setDifference(left, right, points) };
}

/** Where one of two relations has a value that the other has not, in words. */
function valueDifference(left: Relation, right: Relation): string | undefined {
  const pair = witness(subtract(left, right)) ?? witness(subtract(right, left));
  if (pair === undefined) return undefined;
  const valueOf = (map: Relation): string => {
    const value = witness(intersectDomain(map, pointSet(argumentSpace(map), pair)));
    return value === undefined ? 'no value' : tuple(value.dims);
  };
  return `at ${describeArguments(left, pair)} the first gives ${valueOf(left)}, the second ${valueOf(right)}`;
}

function setDifference(left: PresburgerSet, right: PresburgerSet, points: PresburgerSet): string | undefined {
  const [one, other] = [intersect(left, points), intersect(right, points)];
  return missing(one, other, 'is in the first only') ?? missing(other, one, 'is in the second only');
}

function collision(map: Relation, { inputs, dims, symbols }: Point): string {
  const pair = { inputs, dims: [], symbols };
  const value = witness(intersectDomain(map, pointSet(argumentSpace(map), pair)));
  const { inputs: names } = map.space;
  const what = `${describeValues(names, inputs)} and ${describeValues(names, dims)}`;
  return `at ${what} it is ${tuple(value?.dims ?? [])}${describeSymbols(map.space.symbols, symbols)}`;
}

const describeArguments = ({ space }: Relation, { inputs, symbols }: Point): string =>
  describeValues(space.inputs, inputs) + describeSymbols(space.symbols, symbols);

/** The point of the arguments of a pair, whose symbols are those of the space or more. */
function pointSet(space: Space, { inputs, symbols }: Point): PresburgerSet {
  const columns = numVariables(space);
  const equalities = [...inputs, ...symbols.slice(0, space.symbols.length)].map((value, i) =>
    unitRow(columns + 1, i, 1, negInt(value)),
  );
  return presburgerSet(space, [basicSet(columns, { equalities })]);
}
