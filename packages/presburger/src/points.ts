/** The points of a set, one after the other. */
import { basicSet } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { intersect } from './combine.ts';
import type { Int } from './int.ts';
import { addInt, negInt } from './int.ts';
import { lexminPoint } from './lexmin.ts';
import { PresburgerError } from './presburger-error.ts';
import type { PresburgerSet } from './presburger-set.ts';
import { presburgerSet } from './presburger-set.ts';
import { unitRow } from './row.ts';
import { numVariables } from './space.ts';

/**
 * The points of a set in lexicographic order. Errors: `presburger/invalid-argument` if there are more than `most`,
 * `presburger/unbounded` without a first one, `presburger/symbolic` for a set with symbols, `presburger/undecided`.
 */
export const points = (set: PresburgerSet, most = 10_000): readonly (readonly Int[])[] =>
  withinSteps(() => {
    const found: (readonly Int[])[] = [];
    collect(set, 0, (point) => {
      if (found.length === most)
        throw new PresburgerError('presburger/invalid-argument', `the set has more than ${most} points`);
      found.push(point);
    });
    return found;
  });

/** Adds the points of a set whose dimensions before `position` have one value each. */
function collect(set: PresburgerSet, position: number, add: (point: readonly Int[]) => void): void {
  const { dims } = set.space;
  let rest = set;
  for (;;) {
    const first = lexminPoint(rest);
    if (first === undefined) return;
    if (position >= dims.length - 1) add(first);
    else collect(among(set, position, first[position]!, 'equalities'), position + 1, add);
    if (dims.length === 0) return;
    rest = among(set, position, addInt(first[position]!, 1), 'inequalities');
  }
}

/** The points whose coordinate is this value, or at least it. */
function among(
  set: PresburgerSet,
  position: number,
  value: Int,
  kind: 'equalities' | 'inequalities',
): PresburgerSet {
  const columns = numVariables(set.space);
  const row = unitRow(columns + 1, position, 1, negInt(value));
  return intersect(set, presburgerSet(set.space, [basicSet(columns, { [kind]: [row] })]));
}
