/** Pieces in other spaces: variables in other columns, or as locals. */
import type { BasicSet, Division, Local } from './basic-set.ts';
import { basicSet, mapLocals } from './basic-set.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { withPieces } from './presburger-set.ts';
import type { Row } from './row.ts';
import { moveColumns, sameRow } from './row.ts';
import { simplified } from './simplified.ts';

/**
 * The piece with variable `i` in column `target[i]` of `numVariables`. One with the target -1 becomes a local of
 * which some value has to exist: what remains is the projection.
 */
export function moveVariables(piece: BasicSet, target: readonly number[], numVariables: number): BasicSet {
  // Divisions may use what is eliminated, so it comes before them.
  let eliminated = 0;
  const columns = target.map((to) => (to < 0 ? numVariables + eliminated++ : to));
  piece.locals.forEach((_, i) => columns.push(numVariables + eliminated + i));
  const length = numVariables + eliminated + piece.locals.length + 1;
  const move = (row: Row) => moveColumns(row, columns, length);
  const moved = basicSet(numVariables, {
    locals: [...new Array<null>(eliminated).fill(null), ...moveLocals(piece.locals, columns, length)],
    equalities: piece.equalities.map(move),
    inequalities: piece.inequalities.map(move),
  });
  return eliminated > 0 ? simplified(moved) : moved;
}

/** The points of both pieces, which have the same variables. */
export function intersectPieces(a: BasicSet, b: BasicSet): BasicSet {
  const { locals, ofFirst, ofSecond } = joinLocals(a, b);
  return basicSet(a.numVariables, {
    locals,
    equalities: [...a.equalities.map(ofFirst), ...b.equalities.map(ofSecond)],
    inequalities: [...a.inequalities.map(ofFirst), ...b.inequalities.map(ofSecond)],
  });
}

/** The locals of two pieces of the same variables side by side, equal divisions once, and rows of each over them. */
export function joinLocals(
  a: BasicSet,
  b: BasicSet,
): { locals: readonly Local[]; ofFirst: (row: Row) => Row; ofSecond: (row: Row) => Row } {
  const { numVariables } = a;
  const first = Array.from({ length: numVariables + a.locals.length }, (_, i) => i);
  const second = Array.from({ length: numVariables }, (_, i) => i);
  const length = numVariables + a.locals.length + b.locals.length + 1;
  const locals = moveLocals(a.locals, first, length);
  for (const local of b.locals) {
    const [moved] = moveLocals([local], second, length);
    const known = moved ? locals.findIndex((each) => each !== null && isSame(each, moved)) : -1;
    second.push(numVariables + (known < 0 ? locals.push(moved ?? null) - 1 : known));
  }
  const columns = numVariables + locals.length + 1;
  const narrow = (row: Row): Row => (columns === length ? row : [...row.slice(0, columns - 1), row.at(-1)!]);
  return {
    locals: mapLocals(locals, narrow),
    ofFirst: (row) => moveColumns(row, first, columns),
    ofSecond: (row) => moveColumns(row, second, columns),
  };
}

const isSame = (a: Division, b: Division): boolean =>
  a.divisor === b.divisor && sameRow(a.dividend, b.dividend);

/** Locals whose dividends are moved to other columns. */
export const moveLocals = (locals: readonly Local[], target: readonly number[], length: number): Local[] =>
  mapLocals(locals, (dividend) => moveColumns(dividend, target, length));

/** Both with the symbols of both, in one order: symbols are matched by name. */
export function alignSymbols<A extends PresburgerUnion['kind'], B extends PresburgerUnion['kind']>(
  a: PresburgerUnion<A>,
  b: PresburgerUnion<B>,
): [PresburgerUnion<A>, PresburgerUnion<B>] {
  const [mine, theirs] = [a.space.symbols, b.space.symbols];
  if (mine.length === theirs.length && mine.every((name, i) => name === theirs[i])) return [a, b];
  const symbols = [...mine, ...theirs.filter((name) => !mine.includes(name))];
  return [withSymbols(a, symbols), withSymbols(b, symbols)];
}

/** The same points, with more symbols, or in another order. */
function withSymbols<Kind extends PresburgerUnion['kind']>(
  union: PresburgerUnion<Kind>,
  symbols: readonly string[],
): PresburgerUnion<Kind> {
  const { inputs, dims } = union.space;
  const first = inputs.length + dims.length;
  const target = [
    ...Array.from({ length: first }, (_, i) => i),
    ...union.space.symbols.map((name) => first + symbols.indexOf(name)),
  ];
  const pieces = union.pieces.map((piece) => moveVariables(piece, target, first + symbols.length));
  return withPieces(union, pieces, { ...union.space, symbols });
}
