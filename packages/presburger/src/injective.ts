/** Whether a relation tells its inputs apart, and reaches what it should. */
import type { BasicSet } from './basic-set.ts';
import { basicSet } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { intersect } from './combine.ts';
import type { Int } from './int.ts';
import type { PresburgerSet, Relation } from './presburger-set.ts';
import { relation } from './presburger-set.ts';
import { compose, inverse, range } from './relations.ts';
import type { Row } from './row.ts';
import { unitRow } from './row.ts';
import { sample } from './sample.ts';
import { numVariables } from './space.ts';
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
    const { inputs } = same.space;
    const columns = numVariables(same.space);
    // By symmetry, the first may be the lexicographically lesser one.
    const difference = (i: number, constant: Int): Row =>
      unitRow(columns + 1, inputs.length + i, 1, constant).with(i, -1);
    const before = inputs.map((_, i): BasicSet =>
      basicSet(columns, {
        equalities: inputs.slice(0, i).map((_, j) => difference(j, 0)),
        inequalities: [difference(i, -1)],
      }),
    );
    const found = sample(intersect(same, relation(same.space, before)));
    return found && { first: found.inputs, second: found.dims, symbols: found.symbols };
  });

/** Whether different inputs lead to different points. Errors: `presburger/undecided`. */
export const isInjective = (of: Relation): boolean => findCollision(of) === undefined;

/** Whether every point of the set is reached. Errors: `presburger/arity-mismatch`, `presburger/undecided`. */
export const isSurjective = (of: Relation, onto: PresburgerSet): boolean => isSubset(onto, range(of));

/** Whether every input leads to one point at most, as a map does. Errors: `presburger/undecided`. */
export const isFunction = (of: Relation): boolean => isInjective(inverse(of));
