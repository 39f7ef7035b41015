/** The lexicographic order of points, as a relation. */
import { basicSet } from './basic-set.ts';
import type { Int } from './int.ts';
import type { Relation } from './presburger-set.ts';
import { relation } from './presburger-set.ts';
import type { Row } from './row.ts';
import { unitRow } from './row.ts';
import { defaultNames, relationSpace } from './space.ts';

/** `{ x -> y : x comes before y }` for points of `length` components: a piece for the component that differs first. */
export function lexicographicallyBefore(length: number): Relation {
  /** `y_i - x_i + constant`. */
  const difference = (i: number, constant: Int = 0): Row =>
    unitRow(2 * length + 1, length + i, 1, constant).with(i, -1);
  return relation(
    relationSpace(defaultNames('t', length), defaultNames('u', length)),
    Array.from({ length }, (_, position) =>
      basicSet(2 * length, {
        equalities: Array.from({ length: position }, (_, i) => difference(i)),
        inequalities: [difference(position, -1)],
      }),
    ),
  );
}
