/** Differences, and the questions that they answer. */
import type { BasicSet } from './basic-set.ts';
import { basicSet, isObviouslyEmpty } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { intersectPieces, joinLocals } from './columns.ts';
import { comparable, intersect } from './combine.ts';
import { constrained } from './constrained.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { universeOf, withPieces } from './presburger-set.ts';
import type { Row } from './row.ts';
import { complementRow, negateRow } from './row.ts';
import { isEmpty, pointOfPiece } from './sample.ts';
import { piecesWithDivisions } from './with-divisions.ts';

/** What is in `a` and not in `b`. Errors: `presburger/arity-mismatch`, `presburger/undecided`. */
export const subtract = <Kind extends PresburgerUnion['kind']>(
  a: PresburgerUnion<Kind>,
  b: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> =>
  withinSteps(() => {
    const [left, right] = comparable(a, b);
    const removed = right.pieces.flatMap(piecesWithDivisions);
    const pieces = left.pieces.flatMap((piece) => [...without(piece, removed)]);
    return withPieces(left, pieces);
  });

/** What is not in the set, or relation. Errors: `presburger/undecided`. */
export const complement = <Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> => subtract(universeOf(of), of);

/** Whether all of `a` is in `b`. Errors: `presburger/arity-mismatch`, `presburger/undecided`. */
export const isSubset = <Kind extends PresburgerUnion['kind']>(
  a: PresburgerUnion<Kind>,
  b: PresburgerUnion<Kind>,
): boolean =>
  withinSteps(() => {
    const [left, right] = comparable(a, b);
    const removed = right.pieces.flatMap(piecesWithDivisions);
    return left.pieces.every((piece) => without(piece, removed).next().done === true);
  });

/** Whether both have the same points. Errors: `presburger/arity-mismatch`, `presburger/undecided`. */
export const isEqual = <Kind extends PresburgerUnion['kind']>(
  a: PresburgerUnion<Kind>,
  b: PresburgerUnion<Kind>,
): boolean => withinSteps(() => isSubset(a, b) && isSubset(b, a));

/** Whether no point is in both. Errors: `presburger/arity-mismatch`, `presburger/undecided`. */
export const isDisjoint = <Kind extends PresburgerUnion['kind']>(
  a: PresburgerUnion<Kind>,
  b: PresburgerUnion<Kind>,
): boolean => isEmpty(intersect(a, b));

/**
 * Disjoint parts of a piece, none of them empty, that make up what is in none of the others, which have no locals but
 * divisions: a point is outside of another piece by the first of its constraints that it violates.
 */
export function* without(piece: BasicSet, removed: readonly BasicSet[], from = 0): Generator<BasicSet, void> {
  if (pointOfPiece(piece) === undefined) return;
  for (let next = from; next < removed.length; next++) {
    const other = removed[next]!;
    if (isObviouslyEmpty(other) || pointOfPiece(intersectPieces(piece, other)) === undefined) continue;
    // Divisions have a value everywhere: with them, the constraints of both are over the same columns.
    const { locals, ofFirst, ofSecond: own } = joinLocals(piece, other);
    let inside = basicSet(piece.numVariables, {
      locals,
      equalities: piece.equalities.map(ofFirst),
      inequalities: piece.inequalities.map(ofFirst),
    });
    const outside: Row[][] = [
      ...other.equalities.map(own).map((row) => [complementRow(negateRow(row)), complementRow(row)]),
      ...other.inequalities.map(own).map((row) => [complementRow(row)]),
    ];
    const holds: (readonly [readonly Row[], readonly Row[]])[] = [
      ...other.equalities.map((row) => [[own(row)], []] as const),
      ...other.inequalities.map((row) => [[], [own(row)]] as const),
    ];
    for (const [i, violated] of outside.entries()) {
      for (const row of violated) yield* without(constrained(inside, [], [row]), removed, next + 1);
      const [equalities, inequalities] = holds[i]!;
      inside = constrained(inside, equalities, inequalities);
    }
    return;
  }
  yield piece;
}
