/** Quantifier elimination: existential locals become divisions of the variables, exactly. */
import type { BasicSet } from './basic-set.ts';
import { columnsOf, isObviouslyEmpty } from './basic-set.ts';
import { ifDecided, withinSteps } from './budget.ts';
import type { Int } from './int.ts';
import { addInt, mulInt, negInt } from './int.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { withPieces } from './presburger-set.ts';
import { simplified } from './simplified.ts';
import type { Unknowns } from './solve-unknowns.ts';
import { withoutEasyUnknowns, withoutEqualities } from './solve-unknowns.ts';
import { splitPiece } from './split-piece.ts';
import { symbolicLexmin } from './symbolic-lexmin.ts';
import { thinnestUnknown } from './thinnest-unknown.ts';

/** The same points without locals but divisions, as complements need. Errors: `presburger/undecided`. */
export const withDivisions = <Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> => withinSteps(() => withPieces(of, of.pieces.flatMap(piecesWithDivisions)));

/** Pieces of the same points without locals but divisions. */
export function piecesWithDivisions(given: BasicSet): readonly BasicSet[] {
  const piece = simplified(given);
  if (isObviouslyEmpty(piece)) return [];
  if (piece.locals.every((local) => local !== null)) return [piece];
  const problem = withoutEqualities(splitPiece(piece, () => false));
  if (problem === undefined || isObviouslyEmpty(problem.outer)) return [];
  return withoutUnknowns(withoutEasyUnknowns(problem));
}

/**
 * Steps that a parametric solution takes, before one unknown's values are looked at one by one; these share as many, as
 * long as each gets some.
 */
const parametricSteps = 1e6;
const fewestSteps = 3e4;

/** The most values of an unknown that are looked at. */
const mostValues = 64;

/** Pieces of the parameters that allow any unknowns. */
function withoutUnknowns(split: Unknowns, steps = parametricSteps): readonly BasicSet[] {
  const { outer, unknowns, inequalities } = split;
  if (isObviouslyEmpty(outer)) return [];
  if (unknowns === 0) return [outer];
  const solve = () => symbolicLexmin(outer, unknowns, inequalities).map(({ context }) => context);
  const solved = ifDecided(solve, steps);
  if (solved !== undefined) return solved;
  const range = thinnestUnknown(outer, unknowns, inequalities);
  if (range === undefined) return solve();
  const count = Number(addInt(range.most, addInt(negInt(range.least), 1)));
  if (count > mostValues) return solve();
  return Array.from({ length: Math.max(0, count) }, (_, i) =>
    withoutUnknowns(
      withoutEasyUnknowns(withValue(split, range.unknown, addInt(range.least, i))),
      Math.max(fewestSteps, steps / count),
    ),
  ).flat();
}

/** The problem for one value of an unknown. */
function withValue({ outer, unknowns, inequalities }: Unknowns, unknown: number, value: Int): Unknowns {
  const at = columnsOf(outer) - 1 + unknown;
  const rows = inequalities.map((row) => [
    ...row.slice(0, at),
    ...row.slice(at + 1, -1),
    addInt(row.at(-1)!, mulInt(row[at]!, value)),
  ]);
  return { outer, unknowns: unknowns - 1, inequalities: rows };
}
