/** Pieces as problems of unknowns: what is known of the others, and what is demanded of the unknowns. */
import type { BasicSet, Local } from './basic-set.ts';
import { basicSet, divisionBounds } from './basic-set.ts';
import type { Row } from './row.ts';
import { moveColumns } from './row.ts';

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
    else outerLocals.push({ ...moved, dividend: outerRow(moved.dividend, outerColumns) });
  });
  const usesUnknown = (row: Row) => row.slice(outerColumns, -1).some((value) => value !== 0);
  const split = (rows: readonly Row[]) => {
    const moved = rows.map(move);
    return {
      inner: moved.filter(usesUnknown),
      outer: moved.filter((row) => !usesUnknown(row)).map((row) => outerRow(row, outerColumns)),
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
export const outerRow = (row: Row, columns: number): Row => [...row.slice(0, columns), row.at(-1)!];
