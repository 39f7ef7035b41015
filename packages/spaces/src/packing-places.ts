/**
 * Where an operand of a nest can be packed (`planProblems` of `@sconv/plans` says the same): below a loop that it
 * depends on, or outside of all; with no such loops inside, but for one over its tiles; and not around a combination or
 * another sequence of loops.
 */
import type { PackedOperand } from '@sconv/plans';

/** What packing an operand depends on. */
export interface PackingRule {
  /** Whether it is packed: never; in each of its places, or not at all; in each of its places. */
  readonly choice: 'never' | 'may' | 'must';
  /** The dimensions that it depends on. */
  readonly on: ReadonlySet<string>;
  /** That along which several tiles of it may be packed at once. */
  readonly tiles: string;
}

/** The places that are left of those outside of the loops so far, as numbers of loops around. */
export interface PackingPlaces {
  /** Right inside of the innermost loop that the operand depends on; undefined if a combination is inside of it. */
  readonly inner: number | undefined;
  /** Around a loop over its tiles, if that is the innermost loop that it depends on. */
  readonly outer: number | undefined;
}

/** Outside of all loops. */
export const outermost: PackingPlaces = { inner: 0, outer: undefined };

/** The places after a further loop, the `depth`-th, over a dimension; or after several, one after another. */
export const placesBelow = (
  { on, tiles }: PackingRule,
  places: PackingPlaces,
  dimension: string,
  isSplit: boolean,
  depth: number,
): PackingPlaces => {
  if (!on.has(dimension)) return isSplit ? { inner: undefined, outer: undefined } : places;
  return { inner: depth, outer: dimension === tiles && !isSplit ? places.inner : undefined };
};

/** The places in which an operand may be packed; undefined: in none. */
export const choicesOf = (
  { choice }: PackingRule,
  { inner, outer }: PackingPlaces,
): readonly (number | undefined)[] => {
  if (choice === 'never') return [undefined];
  const places = [inner, outer].filter((each) => each !== undefined);
  return choice === 'must' ? places : [undefined, ...places];
};

/** The packed operands and their places, where both are packed at one, the input first. */
export type Layout = Readonly<Partial<Record<PackedOperand, number>>>;
