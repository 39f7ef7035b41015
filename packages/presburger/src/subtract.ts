/** Differences, and the questions that they answer. */
import { areApart } from './are-apart.ts';
import type { BasicSet } from './basic-set.ts';
import { basicSet, isObviouslyEmpty } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { intersectPieces, joinLocals } from './columns.ts';
import { comparable, intersect } from './combine.ts';
import { constrained } from './constrained.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { universeOf, withPieces } from './presburger-set.ts';
import { complementRow, negateRow } from './row.ts';
import { pointOfPiece } from './point-of-piece.ts';
import { isEmpty } from './sample.ts';
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
export function* without(piece: BasicSet, removed: readonly BasicSet[]): Generator<BasicSet, void> {
  const others = removed.filter((other) => !isObviouslyEmpty(other));
  const firstMet = (part: BasicSet, from: number): number => {
    for (let i = from; i < others.length; i++) {
      const other = others[i]!;
      if (!areApart(part, other) && pointOfPiece(intersectPieces(part, other)) !== undefined) return i;
    }
    return -1;
  };
  // Unions of thousands of pieces would be deeper than calls may be nested.
  const open = [{ part: piece, from: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, from } = next;
    if (pointOfPiece(part) === undefined) continue;
    const met = firstMet(part, from);
    if (met < 0) yield part;
    else open.push(...partsOutside(part, others[met]!).map((each) => ({ part: each, from: met + 1 })));
  }
}

/** The parts of a piece by the first constraint of another piece that they violate, the last one first. */
function partsOutside(piece: BasicSet, other: BasicSet): BasicSet[] {
  // Divisions have a value everywhere: with them, the constraints of both are over the same columns.
  const { locals, ofFirst, ofSecond: own } = joinLocals(piece, other);
  let inside = basicSet(piece.numVariables, {
    locals,
    equalities: piece.equalities.map(ofFirst),
    inequalities: piece.inequalities.map(ofFirst),
  });
  const parts: BasicSet[] = [];
  for (const row of other.equalities.map(own)) {
    for (const violated of [complementRow(negateRow(row)), complementRow(row)])
      parts.push(constrained(inside, [], [violated]));
    inside = constrained(inside, [row], []);
  }
  for (const row of other.inequalities.map(own)) {
    parts.push(constrained(inside, [], [complementRow(row)]));
    inside = constrained(inside, [], [row]);
  }
  return parts.reverse();
}
