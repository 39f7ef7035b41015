/** Lexicographically least and greatest points, as functions of the symbols and of a relation's inputs. */
import type { BasicSet } from './basic-set.ts';
import { basicSet, columnsOf, isObviouslyEmpty, mapLocals } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { moveLocals } from './columns.ts';
import type { Int } from './int.ts';
import { addInt, negInt } from './int.ts';
import { addScaled } from './lattice.ts';
import { PresburgerError } from './presburger-error.ts';
import type { PresburgerSet, PresburgerUnion } from './presburger-set.ts';
import { withPieces } from './presburger-set.ts';
import { isLexicographicallyUnbounded } from './ray.ts';
import type { Row } from './row.ts';
import { moveColumns, negateRow, shiftRow, unitRow, zeros } from './row.ts';
import { pointOfPiece } from './point-of-piece.ts';
import { sample } from './sample.ts';
import type { OrderedUnknowns } from './solve-unknowns.ts';
import { inLexicographicBasis, withoutEasyUnknowns, withoutEqualities } from './solve-unknowns.ts';
import type { Space } from './space.ts';
import { numVariables } from './space.ts';
import { splitPiece } from './split-piece.ts';
import { without } from './subtract.ts';
import { symbolicLexmin } from './symbolic-lexmin.ts';

/**
 * The least point for each value of the symbols for which there is one; of a relation, the least results of each
 * input. Errors: `presburger/unbounded` if for some values there are ever lesser points, `presburger/undecided`.
 */
export const lexmin = <Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> => withinSteps(() => extreme(of, 1));

/** The greatest point, as `lexmin`. Errors: as for `lexmin`. */
export const lexmax = <Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> => withinSteps(() => extreme(of, -1));

/**
 * The least point of a set without symbols; undefined if it is empty. Errors: as for `lexmin`, and
 * `presburger/symbolic` for a set with symbols.
 */
export function lexminPoint(set: PresburgerSet): readonly Int[] | undefined {
  expectConcrete(set);
  return sample(lexmin(set))?.dims;
}

/** The greatest point, as `lexminPoint`. Errors: as for `lexminPoint`. */
export function lexmaxPoint(set: PresburgerSet): readonly Int[] | undefined {
  expectConcrete(set);
  return sample(lexmax(set))?.dims;
}

/** Refuses sets with symbols. */
export function expectConcrete({ space }: PresburgerUnion): void {
  if (space.symbols.length === 0) return;
  const message = `a set without symbols is needed; this one has ${space.symbols.join(', ')}`;
  throw new PresburgerError('presburger/symbolic', message);
}

/** A part of the solution: a piece over all columns, and the forms that the dims are there. */
interface Part {
  readonly piece: BasicSet;
  readonly values: readonly Row[];
}

function extreme<Kind extends PresburgerUnion['kind']>(
  of: PresburgerUnion<Kind>,
  sign: 1 | -1,
): PresburgerUnion<Kind> {
  // A piece without a least point is found before any is solved.
  const problems = of.pieces.flatMap((piece) => problemOf(piece, of.space, sign) ?? []);
  const parts = problems.map((problem) => extremesOf(problem, of.space, sign));
  const pieces = parts.flatMap((own, i) => {
    const better = parts.flatMap((others, j) =>
      i === j ? [] : others.flatMap((other) => betterThan(other, of.space, sign, j < i)),
    );
    return own.flatMap(({ piece }) => [...without(piece, better)]);
  });
  return withPieces(of, pieces);
}

/** The program of a piece, the forms being the dims; undefined if it is empty. Errors: `presburger/unbounded`. */
function problemOf(piece: BasicSet, space: Space, sign: 1 | -1): OrderedUnknowns | undefined {
  if (isObviouslyEmpty(piece)) return undefined;
  const [first, count] = [space.inputs.length, space.dims.length];
  const isDim = (variable: number) => variable >= first && variable < first + count;
  const split = splitPiece(sign > 0 ? piece : mirrored(piece, isDim), isDim);
  const known = columnsOf(split.outer) - 1;
  const dims = Array.from({ length: count }, (_, i) => unitRow(known + split.unknowns + 1, known + i));
  const solved = withoutEqualities(split, dims);
  if (solved === undefined || isObviouslyEmpty(solved.outer)) return undefined;
  const problem = inLexicographicBasis(solved);
  const start = columnsOf(problem.outer) - 1;
  const ofUnknowns = problem.inequalities.map((row) => row.slice(start));
  if (!isLexicographicallyUnbounded(problem.unknowns, problem.ordered, ofUnknowns))
    return { ...problem, ...withoutEasyUnknowns(problem, problem.ordered) };
  if (pointOfPiece(piece) === undefined) return undefined;
  const end = sign > 0 ? 'least' : 'greatest';
  throw new PresburgerError('presburger/unbounded', `no point is the ${end}: some dimension has no bound`);
}

function extremesOf(problem: OrderedUnknowns, space: Space, sign: 1 | -1): Part[] {
  const [first, count] = [space.inputs.length, space.dims.length];
  const columns = numVariables(space);
  const { outer, unknowns, ordered, inequalities, forms: dims } = problem;
  const known = columnsOf(outer) - 1;
  return symbolicLexmin(outer, unknowns, inequalities).map(({ context, values }) => {
    const target = Array.from({ length: context.numVariables + context.locals.length }, (_, i) =>
      i < first ? i : i + count,
    );
    const length = columns + context.locals.length + 1;
    const move = (row: Row) => moveColumns(row, target, length);
    // Without rays each has a least value.
    const least = values.slice(0, ordered);
    const forms = dims.map((dim) => {
      const start: Row = [...dim.slice(0, known), ...zeros(columnsOf(context) - known - 1), dim.at(-1)!];
      const value = least.reduce<Row>((sum, each, i) => addScaled(sum, each!, dim[known + i]!), start);
      return sign > 0 ? move(value) : negateRow(move(value));
    });
    const found = basicSet(columns, {
      locals: moveLocals(context.locals, target, length),
      equalities: [...context.equalities.map(move), ...forms.map((form, i) => difference(form, first + i))],
      inequalities: context.inequalities.map(move),
    });
    return { piece: found, values: forms };
  });
}

/** `form - column`. */
const difference = (form: Row, column: number): Row => form.with(column, addInt(form[column]!, -1));

/** The piece with the dims negated. */
function mirrored(piece: BasicSet, isDim: (column: number) => boolean): BasicSet {
  const mirror = (row: Row): Row => row.map((value, column) => (isDim(column) ? negInt(value) : value));
  return basicSet(piece.numVariables, {
    locals: mapLocals(piece.locals, mirror),
    equalities: piece.equalities.map(mirror),
    inequalities: piece.inequalities.map(mirror),
  });
}

/** The points than which the part has a better one, and with `orEqual` its own. */
function betterThan({ piece, values }: Part, space: Space, sign: 1 | -1, orEqual: boolean): BasicSet[] {
  const first = space.inputs.length;
  const equal = values.map((form, i) => difference(form, first + i));
  // What is known of the parameters, without the values.
  const context = piece.equalities.filter((row) =>
    row.slice(first, first + values.length).every((v) => v === 0),
  );
  const pieces = equal.map((row, i) =>
    basicSet(piece.numVariables, {
      locals: piece.locals,
      equalities: [...context, ...equal.slice(0, i)],
      inequalities: [...piece.inequalities, shiftRow(sign > 0 ? negateRow(row) : row, -1)],
    }),
  );
  return orEqual ? [...pieces, piece] : pieces;
}
