/** What is known of the parameters while a parametric problem is solved. */
import type { BasicSet } from './basic-set.ts';
import { columnsOf, reducedDivision } from './basic-set.ts';
import { constrained, withLocal } from './constrained.ts';
import type { Int } from './int.ts';
import { floorDivInt } from './int.ts';
import type { Row } from './row.ts';
import { complementRow, sameRow, valueOf } from './row.ts';
import { valuesOfColumns } from './point-in-box.ts';
import { pointOfPiece } from './point-of-piece.ts';

/** The parameters for which a part of a problem is solved: a piece without existential locals, and some points. */
export interface Context {
  readonly piece: BasicSet;
  /** Values of all columns; they answer most questions at once. */
  readonly points: readonly (readonly Int[])[];
}

/** The context of a piece; undefined for an empty one. */
export function contextOf(piece: BasicSet): Context | undefined {
  const point = pointOfPiece(piece);
  return point && { piece, points: [valuesOfColumns(piece, point)] };
}

/** The part of a context where a form is at least 0; undefined if there is none. */
export function where(context: Context, row: Row): Context | undefined {
  const points = context.points.filter((point) => valueOf(row, point) >= 0);
  const piece = constrained(context.piece, [], [row]);
  if (points.length > 0) return { piece, points };
  return contextOf(piece);
}

/** The context with a point where the form is negative; undefined if it is at least 0 everywhere. */
export function whereNegative(context: Context, row: Row): Context | undefined {
  if (context.points.some((point) => valueOf(row, point) < 0)) return context;
  const { piece, points } = context;
  const point = pointOfPiece(constrained(piece, [], [complementRow(row)]));
  return point && { piece, points: [...points, valuesOfColumns(piece, point)] };
}

/** The context with `floor(dividend / divisor)` as a column, and that column. The dividend is over its columns. */
export function withQuotient(context: Context, row: Row, by: Int): { context: Context; column: number } {
  const { piece, points } = context;
  const { dividend, divisor } = reducedDivision(row, by);
  const known = piece.locals.findIndex(
    (local) => local !== null && local.divisor === divisor && sameRow(local.dividend, dividend),
  );
  if (known >= 0) return { context, column: piece.numVariables + known };
  const widened = withLocal(piece, { dividend, divisor });
  const extended = points.map((point) => [...point, floorDivInt(valueOf(dividend, point), divisor)]);
  return { context: { piece: widened, points: extended }, column: columnsOf(piece) - 1 };
}
