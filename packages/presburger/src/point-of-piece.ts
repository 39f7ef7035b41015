/** Integer points of pieces, by what their divisions are: they follow from the variables. */
import type { BasicSet } from './basic-set.ts';
import { allConstraints, isObviouslyEmpty, mapLocals } from './basic-set.ts';
import type { Int } from './int.ts';
import { integerPoint } from './integer-point.ts';
import { pointInBox } from './point-in-box.ts';
import type { Row } from './row.ts';
import { moveColumns } from './row.ts';

/** How many divisions are so many that points are looked at one by one first. */
const manyDivisions = 3;

/** Values of the variables of a piece for which it has a point; undefined if it is empty. */
export function pointOfPiece(given: BasicSet): readonly Int[] | undefined {
  if (isObviouslyEmpty(given)) return undefined;
  const piece = withoutUnused(given);
  const { numVariables, locals } = piece;
  if (locals.length >= manyDivisions && !locals.includes(null)) {
    const found = pointInBox(piece);
    if (found !== 'large') return found;
  }
  const { equalities, inequalities } = allConstraints(piece);
  return integerPoint(numVariables + locals.length, equalities, inequalities)?.slice(0, numVariables);
}

/** The piece without locals on which no constraint depends, nor the division of one on which some does. */
function withoutUnused(piece: BasicSet): BasicSet {
  const { numVariables, locals } = piece;
  if (locals.length === 0) return piece;
  const rows = [...piece.equalities, ...piece.inequalities];
  const isUsed: boolean[] = [];
  for (let i = locals.length - 1; i >= 0; i--) {
    isUsed[i] = rows.some((row) => row[numVariables + i] !== 0);
    if (isUsed[i] && locals[i]) rows.push(locals[i]!.dividend);
  }
  if (isUsed.every(Boolean)) return piece;
  let size = numVariables;
  const target = Array.from({ length: numVariables + locals.length }, (_, i) =>
    i < numVariables ? i : isUsed[i - numVariables] ? size++ : -1,
  );
  const move = (row: Row) => moveColumns(row, target, size + 1);
  return {
    ...piece,
    locals: mapLocals(
      locals.filter((_, i) => isUsed[i]),
      move,
    ),
    equalities: piece.equalities.map(move),
    inequalities: piece.inequalities.map(move),
  };
}
