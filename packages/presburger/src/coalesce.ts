/** Unions of fewer pieces. */
import type { BasicSet } from './basic-set.ts';
import { basicSet } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { joinLocals } from './columns.ts';
import { constrained } from './constrained.ts';
import { removeRedundant } from './gist.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { withPieces } from './presburger-set.ts';
import type { Row } from './row.ts';
import { complementRow, negateRow } from './row.ts';
import { pointOfPiece } from './point-of-piece.ts';
import { without } from './subtract.ts';
import { piecesWithDivisions } from './with-divisions.ts';

/**
 * The same points in fewer pieces: none that the others contain, and one for two that make up the piece of the
 * constraints that hold in both. Errors: `presburger/undecided`.
 */
export const coalesce = <Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> =>
  withinSteps(() => {
    const pieces = of.pieces.flatMap(piecesWithDivisions);
    for (let i = 0; i < pieces.length; i++) {
      const others = pieces.filter((_, j) => j !== i);
      if (without(pieces[i]!, others).next().done === true) pieces.splice(i--, 1);
    }
    for (let i = 0; i < pieces.length; i++) {
      for (let j = i + 1; j < pieces.length; j++) {
        const merged = merge(pieces[i]!, pieces[j]!);
        if (merged === undefined) continue;
        pieces.splice(j, 1);
        pieces[i] = merged;
        j = i;
      }
    }
    return removeRedundant(withPieces(of, pieces));
  });

/** One piece of the points of both; undefined if the constraints that hold in both have more. */
function merge(a: BasicSet, b: BasicSet): BasicSet | undefined {
  const { locals, ofFirst, ofSecond } = joinLocals(a, b);
  const rows = ({ equalities, inequalities }: BasicSet, own: (row: Row) => Row) => [
    ...inequalities.map(own),
    ...equalities.map(own).flatMap((row) => [row, negateRow(row)]),
  ];
  const [first, second] = [rows(a, ofFirst), rows(b, ofSecond)];
  const whole = (inequalities: readonly Row[]) => basicSet(a.numVariables, { locals, inequalities });
  const holdsIn = (piece: BasicSet) => (row: Row) =>
    pointOfPiece(constrained(piece, [], [complementRow(row)])) === undefined;
  const inequalities = [...first.filter(holdsIn(whole(second))), ...second.filter(holdsIn(whole(first)))];
  const hull = whole(inequalities);
  return without(hull, [a, b]).next().done === true ? hull : undefined;
}
