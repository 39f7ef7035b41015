/** Tells pieces apart by two of their constraints: most of large unions are, and nothing has to be solved for it. */
import type { BasicSet } from './basic-set.ts';
import { spend } from './budget.ts';
import { addInt, negInt } from './int.ts';
import type { Row } from './row.ts';
import { negateRow } from './row.ts';

/** The forms that are at least 0 in a piece; none of one with locals. Pieces never change, and are compared often. */
const forms = new WeakMap<BasicSet, readonly Row[]>();

function formsOf(piece: BasicSet): readonly Row[] {
  const { locals, equalities, inequalities } = piece;
  let found = forms.get(piece);
  if (found === undefined) {
    found = locals.length > 0 ? [] : [...inequalities, ...equalities, ...equalities.map(negateRow)];
    forms.set(piece, found);
  }
  return found;
}

/** Whether a form of one piece and a form of the other add up to a negative number: no point is in both. */
export function areApart(a: BasicSet, b: BasicSet): boolean {
  const others = formsOf(b);
  for (const row of formsOf(a)) {
    for (const other of others) {
      spend(row.length);
      if (addUpBelowZero(row, other)) return true;
    }
  }
  return false;
}

function addUpBelowZero(a: Row, b: Row): boolean {
  const last = a.length - 1;
  if (addInt(a[last]!, b[last]!) >= 0) return false;
  for (let i = 0; i < last; i++) if (a[i] !== negInt(b[i]!)) return false;
  return true;
}
