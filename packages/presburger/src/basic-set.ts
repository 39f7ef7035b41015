/**
 * Basic sets: the integer points of a conjunction of affine constraints, with local variables. A local is the
 * quotient of an affine form by a constant, rounded down, or an unknown of which some value has to exist.
 */
import type { Int } from './int.ts';
import { normalizeConstraints } from './constraints.ts';
import { addInt, divExactInt, gcdInt, negInt } from './int.ts';
import type { Row } from './row.ts';
import { contentOf, divideRow, isConstantRow, unitRow } from './row.ts';

/** `floor(dividend / divisor)`; the dividend has the columns of its piece and uses earlier locals only. */
export interface Division {
  readonly dividend: Row;
  /** Positive. */
  readonly divisor: Int;
}

/** A local variable: a division, or null for one that some integer has to satisfy. */
export type Local = Division | null;

/** Locals with other dividends. */
export const mapLocals = (locals: readonly Local[], change: (dividend: Row) => Row): Local[] =>
  locals.map((local) => local && { dividend: change(local.dividend), divisor: local.divisor });

/** A conjunction. Each row has the columns: variables of the space, locals, 1. */
export interface BasicSet {
  readonly kind: 'basic-set';
  /** Variables of the space: its inputs, dims and symbols. */
  readonly numVariables: number;
  readonly locals: readonly Local[];
  /** Forms that are 0. */
  readonly equalities: readonly Row[];
  /** Forms that are at least 0; that a division is one is not among them. */
  readonly inequalities: readonly Row[];
}

/** What a basic set is made of. */
export interface BasicSetParts {
  readonly locals?: readonly Local[];
  readonly equalities?: readonly Row[];
  readonly inequalities?: readonly Row[];
}

/**
 * The basic set of these constraints, with factors divided out, constants tightened to integers, and parallel
 * constraints merged. One that contradicts itself obviously becomes `0 == 1` (see `isObviouslyEmpty`).
 */
export function basicSet(numVariables: number, parts: BasicSetParts): BasicSet {
  const { locals = [], equalities = [], inequalities = [] } = parts;
  const constraints = normalizeConstraints(equalities, inequalities);
  return constraints === undefined
    ? impossible(numVariables)
    : freezeBasicSet({ kind: 'basic-set', numVariables, locals, ...constraints });
}

/** The piece without points. */
const impossible = (numVariables: number): BasicSet =>
  freezeBasicSet({
    kind: 'basic-set',
    numVariables,
    locals: [],
    equalities: [unitRow(numVariables + 1, numVariables)],
    inequalities: [],
  });

function freezeBasicSet(piece: BasicSet): BasicSet {
  for (const list of [piece.equalities, piece.inequalities]) {
    list.forEach(Object.freeze);
    Object.freeze(list);
  }
  Object.freeze(piece.locals);
  return Object.freeze(piece);
}

/** Whether a piece is known to have no points without looking further. */
export const isObviouslyEmpty = ({ equalities }: BasicSet): boolean =>
  equalities.length === 1 && isConstantRow(equalities[0]!);

/** Columns of the rows of a piece, the constant's included. */
export const columnsOf = ({ numVariables, locals }: BasicSet): number => numVariables + locals.length + 1;

/** The two constraints that make a column the quotient: `0 <= dividend - divisor * column <= divisor - 1`. */
export function divisionBounds({ dividend, divisor }: Division, column: number): [Row, Row] {
  const last = dividend.length - 1;
  const lower = [...dividend];
  lower[column] = addInt(lower[column]!, negInt(divisor));
  const upper = lower.map(negInt);
  upper[last] = addInt(upper[last]!, addInt(divisor, -1));
  return [lower, upper];
}

/** All constraints of a piece as inequalities and equalities over its columns, those of its divisions included. */
export function allConstraints(piece: BasicSet): {
  equalities: readonly Row[];
  inequalities: readonly Row[];
} {
  const bounds = piece.locals.flatMap((local, i) =>
    local === null ? [] : divisionBounds(local, piece.numVariables + i),
  );
  return { equalities: piece.equalities, inequalities: [...piece.inequalities, ...bounds] };
}

/** The division in lowest terms. */
export function reducedDivision(dividend: Row, divisor: Int): Division {
  const common = gcdInt(contentOf(dividend), divisor);
  if (common === 1) return { dividend, divisor };
  return { dividend: divideRow(dividend, common), divisor: divExactInt(divisor, common) };
}
