/** Pieces with more constraints, or with another division. */
import type { BasicSet, Division } from './basic-set.ts';
import { basicSet, isObviouslyEmpty, mapLocals } from './basic-set.ts';
import type { Row } from './row.ts';
import { padRow } from './row.ts';

/** The points of a piece that satisfy more constraints over its columns. */
export const constrained = (
  piece: BasicSet,
  equalities: readonly Row[],
  inequalities: readonly Row[],
): BasicSet =>
  isObviouslyEmpty(piece)
    ? piece
    : basicSet(piece.numVariables, {
        locals: piece.locals,
        equalities: [...piece.equalities, ...equalities],
        inequalities: [...piece.inequalities, ...inequalities],
      });

/** The piece with a division of its columns as its last local. */
export function withLocal(piece: BasicSet, division: Division): BasicSet {
  const wide = (row: Row) => padRow(row, 1);
  return basicSet(piece.numVariables, {
    locals: mapLocals([...piece.locals, division], wide),
    equalities: piece.equalities.map(wide),
    inequalities: piece.inequalities.map(wide),
  });
}
