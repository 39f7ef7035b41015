/** The smallest point of a set. */
import { basicSet } from './basic-set.ts';
import { intersect } from './combine.ts';
import type { Int } from './int.ts';
import { addInt, floorDivInt, mulInt } from './int.ts';
import { lexmin } from './lexmin.ts';
import { isPresburgerError } from './presburger-error.ts';
import type { PresburgerSet } from './presburger-set.ts';
import { presburgerSet } from './presburger-set.ts';
import { unitRow } from './row.ts';
import { isEmpty, sample } from './sample.ts';
import { numVariables } from './space.ts';

/**
 * The first point of a set in lexicographic order; if some dimension has no lower end, the first of those whose
 * largest magnitude is least. Undefined for an empty set.
 */
export function smallestPoint(set: PresburgerSet): readonly Int[] | undefined {
  if (isEmpty(set)) return undefined;
  try {
    return sample(lexmin(set))?.dims;
  } catch (problem) {
    if (!isPresburgerError(problem) || problem.code !== 'presburger/unbounded') throw problem;
  }
  // The least radius, by doubling and halving.
  let [none, some]: [Int, Int] = [-1, 1];
  while (isEmpty(intersect(set, cube(set, some)))) [none, some] = [some, mulInt(some, 2)];
  while (addInt(none, 1) < some) {
    const middle = floorDivInt(addInt(none, some), 2);
    if (isEmpty(intersect(set, cube(set, middle)))) none = middle;
    else some = middle;
  }
  return sample(lexmin(intersect(set, cube(set, some))))?.dims;
}

/** The points whose coordinates have at most this magnitude. */
function cube({ space }: PresburgerSet, radius: Int): PresburgerSet {
  const columns = numVariables(space);
  const inequalities = space.dims.flatMap((_, i) =>
    [1, -1].map((sign) => unitRow(columns + 1, i, sign, radius)),
  );
  return presburgerSet(space, [basicSet(columns, { inequalities })]);
}
