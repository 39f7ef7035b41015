/** Quantifier elimination: existential locals become divisions of the variables, exactly. */
import type { BasicSet, Local } from './basic-set.ts';
import { basicSet, columnsOf, divisionBounds, isObviouslyEmpty, reducedDivision } from './basic-set.ts';
import { ifDecided, withinSteps } from './budget.ts';
import { constrained, withLocal } from './constrained.ts';
import type { Int } from './int.ts';
import { absInt, addInt, mulInt, negInt } from './int.ts';
import { isolate } from './lattice.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { withPieces } from './presburger-set.ts';
import type { Row } from './row.ts';
import { combineRows, isUnit, moveColumns, negateRow, unitRow, zeros } from './row.ts';
import { simplified } from './simplified.ts';
import { symbolicLexmin } from './symbolic-lexmin.ts';
import { thinnestUnknown } from './thinnest-unknown.ts';

/** The same points without locals but divisions, as complements need. Errors: `presburger/undecided`. */
export const withDivisions = <Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> => withinSteps(() => withPieces(of, of.pieces.flatMap(piecesWithDivisions)));

/** A piece of which some columns are unknown: those of `outer` are variables and divisions of them. */
export interface Split {
  /** A piece over the variables, with the divisions and constraints that use no unknown. */
  readonly outer: BasicSet;
  readonly unknowns: number;
  /** Constraints over the columns of `outer` without its constant, the unknowns, 1. */
  readonly equalities: readonly Row[];
  readonly inequalities: readonly Row[];
}

/**
 * A piece as a problem of unknowns: some of its variables, and the locals that depend on them or are existential. The
 * others stay, in their order.
 */
export function splitPiece(piece: BasicSet, isUnknown: (variable: number) => boolean): Split {
  const { numVariables, locals } = piece;
  const depends: boolean[] = Array.from({ length: numVariables }, (_, i) => isUnknown(i));
  for (const local of locals)
    depends.push(local === null || local.dividend.some((value, i) => value !== 0 && depends[i]));
  const target: number[] = [];
  let known = 0;
  depends.forEach((unknown, i) => {
    if (!unknown) target[i] = known++;
  });
  const outerColumns = known;
  depends.forEach((unknown, i) => {
    if (unknown) target[i] = known++;
  });
  const move = (row: Row) => moveColumns(row, target, known + 1);
  const outerVariables = depends.slice(0, numVariables).filter((unknown) => !unknown).length;
  const outerLocals: Local[] = [];
  const bounds: Row[] = [];
  locals.forEach((local, i) => {
    if (local === null) return;
    const moved = { dividend: move(local.dividend), divisor: local.divisor };
    if (depends[numVariables + i]) bounds.push(...divisionBounds(moved, target[numVariables + i]!));
    else outerLocals.push({ ...moved, dividend: cut(moved.dividend, outerColumns) });
  });
  const usesUnknown = (row: Row) => row.slice(outerColumns, -1).some((value) => value !== 0);
  const split = (rows: readonly Row[]) => {
    const moved = rows.map(move);
    return {
      inner: moved.filter(usesUnknown),
      outer: moved.filter((row) => !usesUnknown(row)).map((row) => cut(row, outerColumns)),
    };
  };
  const [equalities, inequalities] = [split(piece.equalities), split(piece.inequalities)];
  return {
    outer: basicSet(outerVariables, {
      locals: outerLocals,
      equalities: equalities.outer,
      inequalities: inequalities.outer,
    }),
    unknowns: known - outerColumns,
    equalities: equalities.inner,
    inequalities: [...inequalities.inner, ...bounds],
  };
}

/** The first `columns` of a row, and its constant. */
const cut = (row: Row, columns: number): Row => [...row.slice(0, columns), row.at(-1)!];

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

/** Pieces of the parameters that allow any unknowns; there are no equalities. */
function withoutUnknowns(split: Split, steps = parametricSteps): readonly BasicSet[] {
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
function withValue({ outer, unknowns, inequalities }: Split, unknown: number, value: Int): Split {
  const at = columnsOf(outer) - 1 + unknown;
  const rows = inequalities.map((row) => [
    ...row.slice(0, at),
    ...row.slice(at + 1, -1),
    addInt(row.at(-1)!, mulInt(row[at]!, value)),
  ]);
  return { outer, unknowns: unknowns - 1, equalities: [], inequalities: rows };
}

/**
 * Equalities solved: each determines an unknown, as a quotient of what is known, and demands that nothing remains of
 * the division. Undefined if they contradict each other.
 */
function withoutEqualities(split: Split): Split | undefined {
  let { outer, unknowns, equalities, inequalities } = split;
  while (equalities.length > 0) {
    if (isObviouslyEmpty(outer)) return undefined;
    const [first, ...others] = equalities;
    const known = columnsOf(outer) - 1;
    // The unknowns in a basis in which the equality depends on one only.
    const coefficients = first!.slice(known, known + unknowns);
    const basis: Row[] = Array.from({ length: unknowns }, (_, i) => unitRow(unknowns, i));
    const remaining = [...others, ...inequalities];
    if (coefficients.every((value) => value === 0)) {
      outer = constrained(outer, [cut(first!, known)], []);
      equalities = others;
      continue;
    }
    const pivot = isolate(coefficients, basis);
    const factor = coefficients[pivot]!;
    const rest = cut(first!, known);
    const signed = factor < 0 ? rest : negateRow(rest);
    const divisor = absInt(factor);
    // The unknown is signed / divisor.
    let value: Row = signed;
    let columns = known;
    if (divisor !== 1) {
      const division = reducedDivision(signed, divisor);
      outer = withLocal(outer, division);
      columns = columnsOf(outer) - 1;
      value = unitRow(columns + 1, columns - 1);
      const exact = [...signed.slice(0, -1), negInt(divisor), signed.at(-1)!];
      outer = constrained(outer, [exact], []);
    }
    const substituted = remaining.map((row) => {
      const inner = row.slice(known, known + unknowns);
      const changed = basis.map((vector) => dot(inner, vector));
      const outerPart: Row = [...row.slice(0, known), ...zeros(columns - known), row.at(-1)!];
      const form = combineRows(outerPart, 1, value, changed[pivot]!);
      return [...form.slice(0, -1), ...changed.filter((_, i) => i !== pivot), form.at(-1)!];
    });
    unknowns -= 1;
    equalities = substituted.slice(0, others.length);
    inequalities = substituted.slice(others.length);
  }
  return { outer, unknowns, equalities: [], inequalities };
}

/** Without unknowns that are bounded on one side only, or by integers on one side (Fourier and Motzkin). */
function withoutEasyUnknowns(split: Split): Split {
  let { outer, unknowns, inequalities } = split;
  const known = columnsOf(outer) - 1;
  for (let unknown = 0; unknown < unknowns;) {
    const at = known + unknown;
    const lower = inequalities.filter((row) => row[at]! > 0);
    const upper = inequalities.filter((row) => row[at]! < 0);
    const isExact = lower.every((row) => isUnit(row[at]!)) || upper.every((row) => isUnit(row[at]!));
    if (!isExact || lower.length * upper.length > lower.length + upper.length + 2) {
      unknown += 1;
      continue;
    }
    const combined = lower.flatMap((low) =>
      upper.map((high) => combineRows(low, negInt(high[at]!), high, low[at]!)),
    );
    inequalities = [...inequalities.filter((row) => row[at] === 0), ...combined].map((row) => [
      ...row.slice(0, at),
      ...row.slice(at + 1),
    ]);
    unknowns -= 1;
    unknown = 0;
  }
  const isOuter = (row: Row) => row.slice(known, known + unknowns).every((value) => value === 0);
  outer = constrained(
    outer,
    [],
    inequalities.filter(isOuter).map((row) => cut(row, known)),
  );
  return { outer, unknowns, equalities: [], inequalities: inequalities.filter((row) => !isOuter(row)) };
}

const dot = (a: Row, b: Row): Int => a.reduce<Int>((sum, value, i) => addInt(sum, mulInt(value, b[i]!)), 0);
