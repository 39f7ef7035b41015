/** Reshapes as groups of dimensions that collapse into one. Sizes are at least 1. */

type Groups = readonly (readonly number[])[];

/** The dimensions of `from` that make each dimension of `to`; undefined if they are no groups of neighbours. */
export const collapsingGroups = (from: readonly number[], to: readonly number[]): Groups | undefined => {
  let at = 0;
  const groups: number[][] = [];
  for (const size of to) {
    const group: number[] = [];
    let product = 1;
    while (at < from.length && (product < size || group.length === 0)) {
      product *= from[at]!;
      group.push(at++);
    }
    if (product !== size || group.length === 0) return undefined;
    groups.push(group);
  }
  while (from[at] === 1) {
    groups.at(-1)?.push(at);
    at++;
  }
  return at === from.length ? groups : undefined;
};

/** The finest shape that two shapes of as many elements both collapse to, without sizes of 1. */
export const commonShape = (from: readonly number[], to: readonly number[]): readonly number[] => {
  const [left, right] = [from, to].map((shape) => shape.filter((size) => size !== 1)) as [number[], number[]];
  const common: number[] = [];
  let [i, k] = [0, 0];
  while (i < left.length && k < right.length) {
    let [a, b] = [left[i++]!, right[k++]!];
    while (a !== b) {
      if (a < b) a *= left[i++]!;
      else b *= right[k++]!;
    }
    common.push(a);
  }
  return common;
};
