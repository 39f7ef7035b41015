/** Order kept between two lists of the same things. */

/** The positions, in ascending order, of a longest strictly ascending part of `values`. */
export const longestAscending = (values: readonly number[]): readonly number[] => {
  /** The position at which the best part of each length ends. */
  const ends: number[] = [];
  const before: number[] = [];
  values.forEach((value, position) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = position;
  });
  const found: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) found.push(at);
  return found.reverse();
};
