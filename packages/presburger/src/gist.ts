/** Constraints that say nothing new, left out. */
import type { BasicSet } from './basic-set.ts';
import { basicSet } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { intersectPieces } from './columns.ts';
import { comparable } from './combine.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { universeOf, withPieces } from './presburger-set.ts';
import type { Row } from './row.ts';
import { complementRow, negateRow } from './row.ts';
import { pointOfPiece } from './point-of-piece.ts';
import { simplified } from './simplified.ts';

/** The same points without implied constraints and empty pieces. Errors: `presburger/undecided`. */
export const removeRedundant = <Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> => gist(of, universeOf(of));

/**
 * The set without constraints that hold in `context` anyway: it has the same points there, and may have more
 * elsewhere. Errors: `presburger/arity-mismatch`, `presburger/undecided`.
 */
export const gist = <Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
  context: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> =>
  withinSteps(() => {
    const [left, right] = comparable(of, context);
    const pieces = left.pieces.flatMap((piece) => {
      const isMet = right.pieces.some((other) => pointOfPiece(intersectPieces(piece, other)) !== undefined);
      // Of pieces that it does not meet, too: without some constraint it might.
      return isMet ? [shortened(piece, right.pieces)] : [];
    });
    return withPieces(left, pieces);
  });

/** The piece without what the rest of it implies in each of the contexts. */
function shortened(piece: BasicSet, contexts: readonly BasicSet[]): BasicSet {
  const { numVariables, locals } = piece;
  let { equalities, inequalities } = piece;
  const isImplied = (violated: readonly Row[]): boolean =>
    contexts.every((context) =>
      violated.every((row) => {
        const outside = basicSet(numVariables, { locals, equalities, inequalities: [...inequalities, row] });
        return pointOfPiece(intersectPieces(outside, context)) === undefined;
      }),
    );
  for (const row of piece.inequalities) {
    const kept = inequalities;
    inequalities = kept.filter((each) => each !== row);
    if (!isImplied([complementRow(row)])) inequalities = kept;
  }
  for (const row of piece.equalities) {
    const kept = equalities;
    equalities = kept.filter((each) => each !== row);
    if (!isImplied([complementRow(row), complementRow(negateRow(row))])) equalities = kept;
  }
  return simplified(basicSet(numVariables, { locals, equalities, inequalities }));
}
