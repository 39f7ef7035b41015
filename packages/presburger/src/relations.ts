/** Relations: their ends, inverse and composition. */
import { basicSet } from './basic-set.ts';
import { alignSymbols, intersectPieces, moveVariables } from './columns.ts';
import { PresburgerError } from './presburger-error.ts';
import type { PresburgerSet, PresburgerUnion, Relation } from './presburger-set.ts';
import { presburgerSet, relation } from './presburger-set.ts';
import { unitRow } from './row.ts';
import { defaultNames, numVariables, relationSpace, setSpace } from './space.ts';

const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i);
const none = (count: number): number[] => new Array<number>(count).fill(-1);

/** The points from which a relation leads somewhere. */
export function domain({ space, pieces }: Relation): PresburgerSet {
  const { inputs, dims, symbols } = space;
  const kept = inputs.length;
  const target = [...upTo(kept), ...none(dims.length), ...upTo(symbols.length, kept)];
  return presburgerSet(
    setSpace(inputs, symbols),
    pieces.map((piece) => moveVariables(piece, target, kept + symbols.length)),
  );
}

/** The points to which a relation leads. */
export const range = (of: Relation): PresburgerSet => domain(inverse(of));

/** The relation the other way round. */
export function inverse({ space, pieces }: Relation): Relation {
  const { inputs, dims, symbols } = space;
  const target = [
    ...upTo(inputs.length, dims.length),
    ...upTo(dims.length),
    ...upTo(symbols.length, inputs.length + dims.length),
  ];
  return relation(
    relationSpace(dims, inputs, symbols),
    pieces.map((piece) => moveVariables(piece, target, numVariables(space))),
  );
}

/**
 * `first`, then `second`: the pairs (x, z) with some y between them. Errors: `presburger/arity-mismatch` if the
 * results of `first` are not as many as the inputs of `second`.
 */
export function compose(first: Relation, second: Relation): Relation {
  expectArity(first.space.dims.length, second.space.inputs.length);
  const [left, right] = alignSymbols(first, second);
  const [from, between] = [left.space.inputs.length, left.space.dims.length];
  const [to, symbols] = [right.space.dims.length, left.space.symbols.length];
  // Columns: inputs, results, symbols, and between them what is eliminated.
  const shared = from + to + symbols;
  const all = shared + between;
  const leftTarget = [...upTo(from), ...upTo(between, shared), ...upTo(symbols, from + to)];
  const rightTarget = [...upTo(between, shared), ...upTo(to, from), ...upTo(symbols, from + to)];
  const last = [...upTo(shared), ...none(between)];
  const lefts = left.pieces.map((piece) => moveVariables(piece, leftTarget, all));
  const rights = right.pieces.map((piece) => moveVariables(piece, rightTarget, all));
  const pieces = lefts.flatMap((one) =>
    rights.map((other) => moveVariables(intersectPieces(one, other), last, shared)),
  );
  return relation(relationSpace(left.space.inputs, right.space.dims, left.space.symbols), pieces);
}

/** The points that the relation leads to from points of the set. Errors: `presburger/arity-mismatch`. */
export const image = (set: PresburgerSet, through: Relation): PresburgerSet =>
  range(intersectDomain(through, set));

/** The points from which the relation leads into the set. Errors: `presburger/arity-mismatch`. */
export const preimage = (set: PresburgerSet, through: Relation): PresburgerSet =>
  image(set, inverse(through));

/** The pairs whose first point is in the set. Errors: `presburger/arity-mismatch`. */
export function intersectDomain(of: Relation, set: PresburgerSet): Relation {
  expectArity(set.space.dims.length, of.space.inputs.length);
  const [left, right] = alignSymbols(of, set);
  const { inputs, dims, symbols } = left.space;
  const target = [...upTo(inputs.length), ...upTo(symbols.length, inputs.length + dims.length)];
  const others = right.pieces.map((piece) => moveVariables(piece, target, numVariables(left.space)));
  return relation(
    left.space,
    left.pieces.flatMap((piece) => others.map((other) => intersectPieces(piece, other))),
  );
}

/** The pairs whose second point is in the set. Errors: `presburger/arity-mismatch`. */
export const intersectRange = (of: Relation, set: PresburgerSet): Relation =>
  inverse(intersectDomain(inverse(of), set));

/** Each point of the set to itself. */
export function identityOn(set: PresburgerSet): Relation {
  const { dims, symbols } = set.space;
  const space = relationSpace(dims, primed(dims), symbols);
  const columns = numVariables(space);
  const equal = dims.map((_, i) => {
    const row = unitRow(columns + 1, i);
    row[dims.length + i] = -1;
    return row;
  });
  return intersectDomain(relation(space, [basicSet(columns, { equalities: equal })]), set);
}

const primed = (names: readonly string[]): readonly string[] => names.map((name) => `${name}'`);

/** The pairs as points of a set: the inputs first. */
export function pairs({ space, pieces }: Relation): PresburgerSet {
  const { inputs, dims, symbols } = space;
  const names = [...inputs, ...dims];
  const unique = new Set(names).size === names.length ? names : defaultNames('d', names.length);
  return presburgerSet(setSpace(unique, symbols), pieces);
}

/**
 * The set without these dimensions, given by position: the points that some value of them completes. Errors:
 * `presburger/invalid-argument` for a position that is none.
 */
export function project(set: PresburgerSet, eliminated: readonly number[]): PresburgerSet {
  const { dims, symbols } = set.space;
  const wrong = eliminated.find((position) => !(position in dims));
  if (wrong !== undefined) {
    const message = `dimension ${wrong} of a set of ${dims.length} dimensions`;
    throw new PresburgerError('presburger/invalid-argument', message);
  }
  const kept = dims.filter((_, i) => !eliminated.includes(i));
  let next = 0;
  const target = [...dims, ...symbols].map((_, i) =>
    eliminated.includes(i) && i < dims.length ? -1 : next++,
  );
  return presburgerSet(
    setSpace(kept, symbols),
    set.pieces.map((piece) => moveVariables(piece, target, next)),
  );
}

/** The set with dimensions for symbols: what holds for all, or for some, values of the symbols is asked of it. */
export function symbolsToDims({ space, pieces }: PresburgerUnion): PresburgerSet {
  const names = [...space.inputs, ...space.dims, ...space.symbols];
  const unique = new Set(names).size === names.length ? names : defaultNames('d', names.length);
  return presburgerSet(setSpace(unique), pieces);
}

function expectArity(given: number, expected: number): void {
  if (given === expected) return;
  const message = `points of ${given} dimensions where the relation has ${expected}`;
  throw new PresburgerError('presburger/arity-mismatch', message);
}
