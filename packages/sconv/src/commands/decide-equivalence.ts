/**
 * Whether two affine maps are equal, or two sets: normal forms prove most, integer sets decide what these leave open.
 */
import type { AffineMap, Equivalence, IntegerSet, NamedBox } from '@sconv/affine';
import { equivalent, evaluateBigInt, makeMap } from '@sconv/affine';
import type { Int, PresburgerSet } from '@sconv/presburger';
import {
  equivalentOver,
  fromSet,
  intersect,
  isPresburgerError,
  parseUnion,
  pointsOver,
  setSpace,
  smallestPoint,
  subtract,
  symbolsToDims,
  union,
  universeSet,
  withinSteps,
} from '@sconv/presburger';

/** A map or a set with its text, which has the names of its dimensions. */
export interface Subject {
  readonly text: string;
  readonly value: AffineMap | IntegerSet;
}

/** The answer of `equivalent`, or a proof; the counterexample of a proof is the smallest. */
export type EquivalenceAnswer =
  | Equivalence
  | { readonly equivalent: true; readonly by: 'proof' }
  | { readonly equivalent: false; readonly by: 'proof'; readonly counterexample: Difference }
  | { readonly equivalent: 'undecided'; readonly by: 'proof'; readonly reason: string };

/** A point that tells two apart, and their values there; of sets 1 where they contain it, 0 where they do not. */
interface Difference {
  readonly dims: readonly Int[];
  readonly symbols: readonly Int[];
  readonly left: readonly Int[];
  readonly right: readonly Int[];
}

/** The points to compare at: bounds, or the text of a set. */
export type Over = NamedBox | string;

/**
 * Whether the two are equal at these points. Errors: `AffineError`s of `equivalent`, `PresburgerError`s of the text of
 * a set.
 */
export function decideEquivalence(
  left: Subject,
  right: Subject,
  over: Over,
  seed: number,
): EquivalenceAnswer {
  const isSet = typeof over === 'string';
  const found = equivalent(left.value, right.value, { domain: isSet ? {} : over, seed });
  // Equal everywhere is equal on a set.
  if (found.by === 'normal form' || (found.by === 'exhaustion' && !isSet)) return found;
  const proof = prove(left, right, over);
  return proof.equivalent === 'undecided' && !isSet ? found : proof;
}

function prove(left: Subject, right: Subject, over: Over): EquivalenceAnswer {
  try {
    return withinSteps(() => proveOver(left, right, over));
  } catch (problem) {
    if (!isPresburgerError(problem) || !openCodes.has(problem.code)) throw problem;
    return { equivalent: 'undecided', by: 'proof', reason: problem.message };
  }
}

/** The codes of questions without an answer. */
const openCodes: ReadonlySet<string> = new Set(['presburger/not-affine', 'presburger/undecided']);

function proveOver(left: Subject, right: Subject, over: Over): EquivalenceAnswer {
  const { inputs, dims, symbols } = parseUnion(left.text).space;
  const space = setSpace(left.value.kind === 'map' ? inputs : dims, symbols);
  const points = intersect(universeSet(space), pointsOver(over, space));
  if (left.value.kind === 'map' && right.value.kind === 'map')
    return { ...equivalentOver(left.value, right.value, points), by: 'proof' };
  if (left.value.kind === 'set' && right.value.kind === 'set')
    return proveSets(left.value, right.value, points);
  throw new Error('a map is compared with a set');
}

function proveSets(left: IntegerSet, right: IntegerSet, points: PresburgerSet): EquivalenceAnswer {
  const [a, b] = [fromSet(left, points.space), fromSet(right, points.space)];
  const differing = intersect(points, union(subtract(a, b), subtract(b, a)));
  const point = smallestPoint(symbolsToDims(differing));
  if (point === undefined) return { equivalent: true, by: 'proof' };
  const [dims, symbols] = [point.slice(0, left.numDims), point.slice(left.numDims)];
  const of = (set: IntegerSet): readonly Int[] => [hasPoint(set, dims, symbols) ? 1 : 0];
  const counterexample = { dims, symbols, left: of(left), right: of(right) };
  return { equivalent: false, by: 'proof', counterexample };
}

/** Whether the set contains the point, whose coordinates may be of any size. */
const hasPoint = (
  { numDims, numSymbols, constraints }: IntegerSet,
  dims: readonly Int[],
  symbols: readonly Int[],
): boolean => {
  const forms = makeMap(
    numDims,
    numSymbols,
    constraints.map(({ expr }) => expr),
  );
  const values = evaluateBigInt(forms, dims.map(BigInt), symbols.map(BigInt));
  return constraints.every(({ kind }, i) => (kind === 'eq' ? values[i] === 0n : values[i]! >= 0n));
};
