/** Sets of buffer offsets, as far as they are regular: what loop iterations and the elements of a view access. */

/** `count` steps of `stride` elements. */
export interface Stride {
  readonly count: number;
  readonly stride: number;
}

/** `{ offset + Σ i_k · stride_k | 0 ≤ i_k < count_k }`, without duplicates. */
export interface StridedSet {
  readonly offset: number;
  /** Counts above 1, smallest stride first; no stride continues the previous one. */
  readonly strides: readonly Stride[];
}

/** The set of these sums; undefined unless each is provably distinct. Strides are positive. */
export const stridedSet = (offset: number, strides: readonly Stride[]): StridedSet | undefined => {
  const sorted = strides.filter(({ count }) => count !== 1).sort((a, b) => a.stride - b.stride);
  const merged: Stride[] = [];
  // The largest sum so far.
  let span = 0;
  for (const { count, stride } of sorted) {
    if (count < 1 || stride <= span) return undefined;
    span += (count - 1) * stride;
    const last = merged.at(-1);
    if (last !== undefined && stride === last.count * last.stride) {
      merged[merged.length - 1] = { count: last.count * count, stride: last.stride };
    } else merged.push({ count, stride });
  }
  return { offset, strides: merged };
};

const without = ({ strides }: StridedSet, stride: number): readonly Stride[] =>
  strides.filter((each) => each.stride !== stride);

const areEqual = (a: readonly Stride[], b: readonly Stride[]): boolean =>
  a.length === b.length && a.every((each, i) => each.count === b[i]!.count && each.stride === b[i]!.stride);

/** Whether two sets are represented identically, and so have the same elements. */
export const sameSet = (a: StridedSet, b: StridedSet): boolean =>
  a.offset === b.offset && areEqual(a.strides, b.strides);

/** The union of two sets where one continues the other; undefined if they do not, or overlap. */
const joined = (a: StridedSet, b: StridedSet): StridedSet | undefined => {
  const [first, second] = a.offset <= b.offset ? [a, b] : [b, a];
  const distance = second.offset - first.offset;
  for (const stride of new Set([...a.strides, ...b.strides].map((each) => each.stride).concat(distance))) {
    const [rest, otherRest] = [without(first, stride), without(second, stride)];
    const countOf = ({ strides }: StridedSet): number =>
      strides.find((each) => each.stride === stride)?.count ?? 1;
    if (distance !== countOf(first) * stride || !areEqual(rest, otherRest)) continue;
    const set = stridedSet(first.offset, [...rest, { count: countOf(first) + countOf(second), stride }]);
    if (set !== undefined) return set;
  }
  return undefined;
};

/** Adds a set to a list, merging sets that continue each other until none do. */
export const addSet = (sets: readonly StridedSet[], set: StridedSet): readonly StridedSet[] => {
  for (const [i, other] of sets.entries()) {
    const both = joined(other, set);
    if (both !== undefined) return addSet(sets.toSpliced(i, 1), both);
  }
  return [...sets, set];
};

/** Whether the sets, built with `addSet`, partition a whole. */
export const isWhole = (sets: readonly StridedSet[], whole: StridedSet): boolean =>
  sets.length === 1 && sameSet(sets[0]!, whole);
