/**
 * Parametric integer programming: the lexicographically least unknowns as functions of parameters, by the dual
 * simplex with cuts (P. Feautrier, Parametric integer programming, 1988). Unknowns of any sign are `x' - M` with `x'
 * >= 0` and a number M that is greater than all others and a multiple of them.
 */
import type { BasicSet } from './basic-set.ts';
import { columnsOf } from './basic-set.ts';
import { spend } from './budget.ts';
import type { Context } from './context.ts';
import { contextOf, where, whereNegative, withQuotient } from './context.ts';
import { cross } from './cross.ts';
import type { Int } from './int.ts';
import { addInt, divExactInt, modInt, mulInt, negInt, subInt } from './int.ts';
import type { Row } from './row.ts';
import { complementRow, isConstantRow, negateRow, valueOf, zeros } from './row.ts';

/** Parameters for which the least unknowns are these forms over the context's columns; undefined: without end below. */
export interface Region {
  readonly context: BasicSet;
  readonly values: readonly (Row | undefined)[];
}

/**
 * The least `unknowns` with `rows >= 0`, for the parameters in `context` that allow any: disjoint regions. Columns of
 * the rows: those of the context without its constant, the unknowns, 1.
 */
export function symbolicLexmin(context: BasicSet, unknowns: number, rows: readonly Row[]): Region[] {
  const start = contextOf(context);
  if (start === undefined) return [];
  const first = columnsOf(context) - 1;
  const problem: Problem = {
    unknowns,
    context: start,
    denominator: 1,
    rows: rows.map((row, i) => {
      const coefficients = row.slice(first, first + unknowns);
      const infinite = coefficients.reduce<Int>(subInt, 0);
      return {
        owner: unknowns + i,
        entries: [infinite, row.at(-1)!, ...coefficients, ...row.slice(0, first)],
      };
    }),
    inColumn: Array.from({ length: unknowns }, (_, i) => i),
    owners: unknowns + rows.length,
    infinite: 1,
  };
  const regions: Region[] = [];
  // Deep problems split often: no recursion.
  const open = [problem];
  for (let next = open.pop(); next !== undefined; next = open.pop()) solve(next, open, regions);
  return regions;
}

/** `entries / denominator`: multiples of M and 1, of what stands in the columns, and of the context's columns. */
interface ProblemRow {
  /** The unknown, or constraint, that the row is the value of. */
  readonly owner: number;
  readonly entries: readonly Int[];
}

/** A tableau: what stands in the columns is 0, all rows have to be at least 0. */
interface Problem {
  readonly unknowns: number;
  readonly context: Context;
  readonly denominator: Int;
  readonly rows: readonly ProblemRow[];
  readonly inColumn: readonly number[];
  /** How many numbers of owners are taken. */
  readonly owners: number;
  /** What M is in units of the first entry of the rows: a cut may need M to be a multiple of the denominator. */
  readonly infinite: Int;
}

/** Pivots and cuts until the problem is solved or has no solution, or splits into `open` ones. */
function solve(given: Problem, open: Problem[], regions: Region[]): void {
  let problem = given;
  for (;;) {
    const step = negativeRow(problem);
    problem = { ...problem, context: step.context };
    if (step.kind === 'negative') {
      const pivoted = pivot(problem, step.row);
      if (pivoted === undefined) return;
      problem = pivoted;
    } else if (step.kind === 'mixed') {
      const term = symbolicTerm(problem.rows[step.row]!, problem.unknowns);
      const below = where(problem.context, complementRow(term));
      const above = where(problem.context, term);
      for (const context of [below, above]) if (context !== undefined) open.push({ ...problem, context });
      return;
    } else {
      const cutting = cut(problem);
      if (cutting.kind === 'solved') {
        regions.push(regionOf(cutting.problem));
        return;
      }
      problem = cutting.problem;
    }
  }
}

/** The part of a row that is no multiple of M or columns, over the context's columns with the constant last. */
const symbolicTerm = ({ entries }: ProblemRow, unknowns: number): Row => [
  ...entries.slice(2 + unknowns),
  entries[1]!,
];

type Step = { readonly context: Context } & (
  { readonly kind: 'negative' | 'mixed'; readonly row: number } | { readonly kind: 'none' }
);

/** A row that is negative for all parameters, else one that is for some. */
function negativeRow({ rows, unknowns, context }: Problem): Step {
  let known = context;
  let mixed = -1;
  const unclear: number[] = [];
  for (const [i, row] of rows.entries()) {
    const infinite = row.entries[0]!;
    if (infinite < 0) return { kind: 'negative', row: i, context: known };
    if (infinite === 0) unclear.push(i);
  }
  const sampled: number[] = [];
  for (const i of unclear) {
    const term = symbolicTerm(rows[i]!, unknowns);
    if (isConstantRow(term)) {
      if (term.at(-1)! < 0) return { kind: 'negative', row: i, context: known };
      continue;
    }
    const signs = known.points.map((point) => valueOf(term, point) < 0);
    if (!signs.includes(true)) sampled.push(i);
    else if (signs.includes(false)) mixed = mixed < 0 ? i : mixed;
    else {
      const positive = whereNegative(known, complementRow(term));
      if (positive === undefined) return { kind: 'negative', row: i, context: known };
      known = positive;
      if (mixed < 0) mixed = i;
    }
  }
  if (mixed >= 0) return { kind: 'mixed', row: mixed, context: known };
  for (const i of sampled) {
    const negative = whereNegative(known, symbolicTerm(rows[i]!, unknowns));
    if (negative !== undefined) return { kind: 'mixed', row: i, context: negative };
  }
  return { kind: 'none', context: known };
}

/** Exchanges a negative row and the column that keeps the unknowns least; undefined if no column increases the row. */
function pivot(problem: Problem, index: number): Problem | undefined {
  const { rows, unknowns, denominator } = problem;
  const pivotRow = rows[index]!;
  let column = -1;
  for (let j = 0; j < unknowns; j++)
    if (pivotRow.entries[2 + j]! > 0 && (column < 0 || isLess(problem, pivotRow.entries, j, column)))
      column = j;
  if (column < 0) return undefined;
  const at = 2 + column;
  spend((rows.length + 4) * (pivotRow.entries.length + 4));
  const by = pivotRow.entries[at]!;
  const changed = rows.map((row, i): ProblemRow => {
    if (i === index) {
      const entries = negateRow(pivotRow.entries);
      entries[at] = denominator;
      return { owner: problem.inColumn[column]!, entries };
    }
    const factor = row.entries[at]!;
    const entries = row.entries.map((entry, j) =>
      cross(entry, by, factor, pivotRow.entries[j]!, denominator),
    );
    entries[at] = factor;
    return { owner: row.owner, entries };
  });
  const inColumn = problem.inColumn.with(column, pivotRow.owner);
  return { ...problem, rows: changed, inColumn, denominator: by };
}

/** Whether column `a`, divided by its entry in the pivot row, is lexicographically less than column `b` so divided. */
function isLess({ rows, inColumn, unknowns }: Problem, pivotRow: Row, a: number, b: number): boolean {
  for (let unknown = 0; unknown < unknowns; unknown++) {
    const row = rows.find(({ owner }) => owner === unknown);
    const [left, right] =
      row === undefined
        ? [inColumn[a] === unknown ? 1 : 0, inColumn[b] === unknown ? 1 : 0]
        : [row.entries[2 + a]!, row.entries[2 + b]!];
    const difference = subInt(mulInt(left, pivotRow[2 + b]!), mulInt(right, pivotRow[2 + a]!));
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** The problem with a cut that excludes an unknown's fraction; or solved: all unknowns are integers in the context. */
function cut(given: Problem): { readonly kind: 'cut' | 'solved'; readonly problem: Problem } {
  const { unknowns, denominator } = given;
  let problem = given;
  for (let unknown = 0; unknown < unknowns; unknown++) {
    const row = problem.rows.find(({ owner }) => owner === unknown);
    if (row === undefined) continue;
    const rest = symbolicTerm(row, unknowns).map((entry) => modInt(entry, denominator));
    if (rest.every((entry) => entry === 0)) continue;
    if (rest.slice(0, -1).every((entry) => entry === 0))
      return { kind: 'cut', problem: withCut(problem, row, -1) };
    // What is missing to a multiple: -rest - denominator * floor(-rest / denominator).
    const { context, column } = withQuotient(problem.context, negateRow(rest), denominator);
    problem = widened(problem, context);
    const missing = [...zeros(columnsOf(context.piece) - 1), negInt(rest.at(-1)!)];
    rest.slice(0, -1).forEach((entry, i) => {
      missing[i] = negInt(entry);
    });
    missing[column] = subInt(missing[column]!, denominator);
    const fractional = whereNegative(context, negateRow(missing));
    if (fractional === undefined) continue;
    return { kind: 'cut', problem: withCut({ ...problem, context: fractional }, row, column) };
  }
  return { kind: 'solved', problem };
}

/** The problem in a context that may have a column more. */
function widened(problem: Problem, context: Context): Problem {
  const missing = columnsOf(context.piece) - columnsOf(problem.context.piece);
  if (missing === 0) return { ...problem, context };
  const rows = problem.rows.map(({ owner, entries }) => ({
    owner,
    entries: [...entries, ...zeros(missing)],
  }));
  return { ...problem, context, rows };
}

/**
 * The cut of a row `(Σ a_j y_j + b) / d`, an integer, with `y_j >= 0`: `Σ (a_j mod d) y_j >= -b mod d`, which is
 * `-(b mod d) - d q` with the quotient q in `column`; without a column b is a constant.
 */
function withCut(problem: Problem, row: ProblemRow, column: number): Problem {
  const { unknowns, denominator, owners, infinite } = problem;
  const length = 2 + unknowns + columnsOf(problem.context.piece) - 1;
  const entries: Int[] = zeros(length);
  row.entries.forEach((entry, i) => {
    if (i > 0) entries[i] = modInt(entry, denominator);
  });
  const quotient = 2 + unknowns + column;
  if (column < 0) entries[1] = subInt(entries[1]!, denominator);
  else entries[quotient] = addInt(entries[quotient]!, denominator);
  const cutRow = { owner: owners, entries };
  if (modInt(row.entries[0]!, denominator) === 0)
    return { ...problem, rows: [...problem.rows, cutRow], owners: owners + 1 };
  const rescaled = problem.rows.map((each) => ({
    ...each,
    entries: each.entries.with(0, mulInt(each.entries[0]!, denominator)),
  }));
  return {
    ...problem,
    rows: [...rescaled, cutRow],
    owners: owners + 1,
    infinite: mulInt(infinite, denominator),
  };
}

/** The values of the unknowns of a solved problem, all of which are integers. */
function regionOf(given: Problem): Region {
  let problem = given;
  const { unknowns, denominator } = given;
  const forms: (Row | undefined)[] = [];
  for (let unknown = 0; unknown < unknowns; unknown++) {
    const row = problem.rows.find(({ owner }) => owner === unknown);
    if (row?.entries[0] !== mulInt(denominator, given.infinite)) {
      forms.push(undefined);
      continue;
    }
    const term = symbolicTerm(row, unknowns);
    if (term.every((entry) => modInt(entry, denominator) === 0)) {
      forms.push(term.map((entry) => divExactInt(entry, denominator)));
      continue;
    }
    // An integer by what is known of the parameters, though its coefficients are not.
    const { context, column } = withQuotient(problem.context, term, denominator);
    problem = widened(problem, context);
    const form = zeros(columnsOf(context.piece));
    form[column] = 1;
    forms.push(form);
  }
  const length = columnsOf(problem.context.piece);
  const values = forms.map(
    (form) => form && [...form.slice(0, -1), ...zeros(length - form.length), form.at(-1)!],
  );
  return { context: problem.context.piece, values };
}
