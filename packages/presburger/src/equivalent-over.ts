/** Whether two quasi-affine maps are equal on a set: a proof, or the smallest counterexample. */
import type { AffineMapData, IntegerSetData } from '@sconv/affine';
import { contains, equivalent, evaluateBigInt } from '@sconv/affine';
import { basicSet } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { intersect } from './combine.ts';
import { RowBuilder, fromSet } from './from-affine.ts';
import type { Int } from './int.ts';
import { normalInt } from './int.ts';
import { PresburgerError, isPresburgerError } from './presburger-error.ts';
import type { PresburgerSet } from './presburger-set.ts';
import { presburgerSet } from './presburger-set.ts';
import { symbolsToDims } from './relations.ts';
import { complementRow, negateRow, unitRow } from './row.ts';
import { isEmpty } from './sample.ts';
import { smallestPoint } from './smallest-point.ts';
import { defaultNames, numVariables, setSpace, unusedName } from './space.ts';

/** A point at which two maps differ, and their values there. */
export interface Difference {
  readonly dims: readonly Int[];
  readonly symbols: readonly Int[];
  readonly left: readonly Int[];
  readonly right: readonly Int[];
}

/** Compare `equivalent` with `true`: the third answer says that nothing is known, and why. */
export type EquivalenceOver =
  | { readonly equivalent: true }
  | { readonly equivalent: false; readonly counterexample: Difference }
  | { readonly equivalent: 'undecided'; readonly reason: string };

/**
 * Whether two maps have equal values at all points of a set, or everywhere. Quasi-affine maps are decided; what
 * divides by symbols is proved by normal forms or refuted by samples, else undecided. The counterexample is the first
 * in lexicographic order, dims before symbols; where there is no first one, the first of those with the least
 * magnitude. Errors: `presburger/arity-mismatch`.
 */
export function equivalentOver(
  left: AffineMapData,
  right: AffineMapData,
  over?: PresburgerSet | IntegerSetData,
): EquivalenceOver {
  expectSameArity(left, right, over);
  try {
    return withinSteps(() => decide(left, right, over && (over.kind === 'set' ? fromSet(over) : over)));
  } catch (problem) {
    if (!isPresburgerError(problem)) throw problem;
    if (problem.code === 'presburger/not-affine') return bySamples(left, right, over);
    if (problem.code === 'presburger/undecided') return { equivalent: 'undecided', reason: problem.message };
    throw problem;
  }
}

function expectSameArity(
  left: AffineMapData,
  right: AffineMapData,
  over: PresburgerSet | IntegerSetData | undefined,
): void {
  const arity = ({ numDims, numSymbols, results }: AffineMapData) =>
    `${numDims} dimensions, ${numSymbols} symbols and ${results.length} results`;
  if (arity(left) !== arity(right)) {
    const message = `a map of ${arity(left)} against one of ${arity(right)}`;
    throw new PresburgerError('presburger/arity-mismatch', message);
  }
  if (over === undefined) return;
  const [dims, symbols] =
    over.kind === 'set'
      ? [over.numDims, over.numSymbols]
      : [over.space.dims.length, over.space.symbols.length];
  if (dims === left.numDims && symbols <= left.numSymbols) return;
  const message = `maps of ${arity(left)} over a set of ${dims} dimensions and ${symbols} symbols`;
  throw new PresburgerError('presburger/arity-mismatch', message);
}

function decide(left: AffineMapData, right: AffineMapData, over: PresburgerSet | undefined): EquivalenceOver {
  const dims = over?.space.dims ?? defaultNames('d', left.numDims);
  const named = over?.space.symbols ?? [];
  const taken = new Set(named);
  const others = defaultNames('s', left.numSymbols).slice(named.length);
  const space = setSpace(dims, [...named, ...others.map((name) => unusedName(name, taken))]);
  const rows = new RowBuilder(space);
  const forms = left.results.map((result, i) =>
    rows.minus(rows.formOf(result), rows.formOf(right.results[i]!)),
  );
  const differing = forms
    .map((form) => rows.rowOf(form))
    .flatMap((row) => [complementRow(row), complementRow(negateRow(row))])
    .map((row) => basicSet(numVariables(space), { locals: rows.locals(), inequalities: [row] }));
  const differences = presburgerSet(space, differing);
  const found = smallestPoint(symbolsToDims(over ? intersect(differences, over) : differences));
  if (found === undefined) return { equivalent: true };
  const [at, symbols] = [found.slice(0, dims.length), found.slice(dims.length)];
  const valueOf = (map: AffineMapData) => valuesAt(map, at, symbols);
  const counterexample = { dims: at, symbols, left: valueOf(left), right: valueOf(right) };
  return { equivalent: false, counterexample };
}

const valuesAt = (map: AffineMapData, dims: readonly Int[], symbols: readonly Int[]): readonly Int[] =>
  evaluateBigInt(map, dims.map(BigInt), symbols.map(BigInt)).map(normalInt);

/** What normal forms prove, or samples refute, of maps that divide by symbols. */
function bySamples(
  left: AffineMapData,
  right: AffineMapData,
  over: PresburgerSet | IntegerSetData | undefined,
): EquivalenceOver {
  const answer = equivalent(left, right);
  if (answer.equivalent === true && answer.by === 'normal form') return { equivalent: true };
  if (answer.equivalent === false) {
    const { dims, symbols } = answer.counterexample;
    const isInside =
      over === undefined ||
      (over.kind === 'set'
        ? contains(over, dims, symbols.slice(0, over.numSymbols))
        : hasPoint(over, dims, symbols));
    if (isInside) {
      const values = { left: answer.counterexample.left, right: answer.counterexample.right };
      return {
        equivalent: false,
        counterexample: {
          dims,
          symbols,
          left: values.left.map(normalInt),
          right: values.right.map(normalInt),
        },
      };
    }
  }
  return { equivalent: 'undecided', reason: 'a map divides by a symbol, which has no decision procedure' };
}

function hasPoint(set: PresburgerSet, dims: readonly number[], symbols: readonly number[]): boolean {
  const { space } = set;
  const values = [...dims, ...symbols.slice(0, space.symbols.length)];
  const columns = numVariables(space);
  const equalities = values.map((value, i) => unitRow(columns + 1, i, 1, -value));
  return !isEmpty(intersect(set, presburgerSet(space, [basicSet(columns, { equalities })])));
}
