/** How many points a set has. */
import { allConstraints, isObviouslyEmpty } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { countPoints } from './count-points.ts';
import type { Int } from './int.ts';
import { addInt } from './int.ts';
import { expectConcrete } from './lexmin.ts';
import { PresburgerError } from './presburger-error.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { simplified } from './simplified.ts';
import { without } from './subtract.ts';
import { piecesWithDivisions } from './with-divisions.ts';

/**
 * The number of points of a set, or of pairs of a relation. Errors: `presburger/symbolic` for one with symbols,
 * `presburger/unbounded` for one with infinitely many, `presburger/undecided`.
 */
export function card(of: PresburgerUnion): Int {
  expectConcrete(of);
  return withinSteps(() => {
    const pieces = of.pieces.flatMap(piecesWithDivisions);
    let count: Int = 0;
    pieces.forEach((piece, i) => {
      // Only what no earlier piece has; the values of divisions are known by the point.
      for (const own of without(piece, pieces.slice(0, i))) {
        // Divisions of other pieces that this part does not use would link its dimensions.
        const part = simplified(own);
        if (isObviouslyEmpty(part)) continue;
        const { equalities, inequalities } = allConstraints(part);
        const points = countPoints(part.numVariables + part.locals.length, equalities, inequalities);
        if (points === undefined)
          throw new PresburgerError(
            'presburger/unbounded',
            'the set has infinitely many points: some dimension has no bound',
          );
        count = addInt(count, points);
      }
    });
    return count;
  });
}
