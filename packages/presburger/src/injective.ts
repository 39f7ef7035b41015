/** Whether a relation tells its inputs apart, and reaches what it should. */
import { withinSteps } from './budget.ts';
import { intersect } from './combine.ts';
import type { Int } from './int.ts';
import { lexicographicallyBefore } from './lexicographically-before.ts';
import type { PresburgerSet, Relation } from './presburger-set.ts';
import { compose, inverse, range } from './relations.ts';
import { sample } from './sample.ts';
import { isSubset } from './subtract.ts';

/** Two inputs with the same result, for some values of the symbols. */
export interface InputCollision {
  readonly first: readonly Int[];
  readonly second: readonly Int[];
  readonly symbols: readonly Int[];
}

/**
 * Two different inputs that lead to the same point; undefined if there are none: the relation is injective. Errors:
 * `presburger/undecided`.
 */
export const findCollision = (of: Relation): InputCollision | undefined =>
  withinSteps(() => {
    const same = compose(of, inverse(of));
    // By symmetry, the first may be the lexicographically lesser one.
    const found = sample(intersect(same, lexicographicallyBefore(same.space.inputs.length)));
    return found && { first: found.inputs, second: found.dims, symbols: found.symbols };
  });

/** Whether different inputs lead to different points. Errors: `presburger/undecided`. */
export const isInjective = (of: Relation): boolean => findCollision(of) === undefined;

/** Whether every point of the set is reached. Errors: `presburger/arity-mismatch`, `presburger/undecided`. */
export const isSurjective = (of: Relation, onto: PresburgerSet): boolean => isSubset(onto, range(of));

/** Whether every input leads to one point at most, as a map does. Errors: `presburger/undecided`. */
export const isFunction = (of: Relation): boolean => isInjective(inverse(of));
