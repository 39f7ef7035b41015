/** Whether new schedules keep the dependences of a loop nest. */
import { defaultSteps, ifDecided } from '../budget.ts';
import { intersect, union } from '../combine.ts';
import type { Int } from '../int.ts';
import { lexicographicallyBefore } from '../lexicographically-before.ts';
import { PresburgerError } from '../presburger-error.ts';
import type { Relation } from '../presburger-set.ts';
import { universeSet } from '../presburger-set.ts';
import { compose, identityOn, inverse, symbolsToDims } from '../relations.ts';
import type { Point } from '../sample.ts';
import { pointOf, sample } from '../sample.ts';
import { smallestPoint } from '../smallest-point.ts';
import { defaultNames, setSpace } from '../space.ts';
import type { RelationLike } from '../text/like.ts';
import { toRelation } from '../text/like.ts';
import type { Dependence } from './dependences.ts';

/** The answer: if not legal, a dependence and a pair of iterations that would not run in its order. */
export type Legality =
  | { readonly legal: true }
  | {
      readonly legal: false;
      readonly dependence: Dependence;
      /** The iteration that has to run first, and the one that has to follow. */
      readonly source: readonly Int[];
      readonly target: readonly Int[];
      readonly symbols: readonly Int[];
    };

/**
 * Whether the dependences hold if statement `i` runs by `schedules[i]`: the target of each pair runs after its source.
 * Loops are permuted, tiled and fused by `permutedSchedule`, `tiledSchedule` and `fusedSchedules`.
 *
 *     const [flow] = dependences([stencil]); // { [i, j] -> [i + 1, j - 1] }
 *     legality([flow], [permutedSchedule([1, 0])]) // { legal: false, source: [0, 1], target: [1, 0], … }
 *
 * Errors: `presburger/arity-mismatch` for a schedule of other loops than its statement, or times of different lengths;
 * `presburger/invalid-argument` for a statement without a schedule; `presburger/undecided`.
 */
export function legality(dependences: readonly Dependence[], schedules: readonly RelationLike[]): Legality {
  const times = schedules.map(toRelation);
  for (const dependence of dependences) {
    const wrong = violations(dependence, timeOf(times, dependence.source), timeOf(times, dependence.target));
    const pair = firstPair(wrong);
    if (pair === undefined) continue;
    const { inputs: source, dims: target, symbols } = pair;
    return { legal: false, dependence, source, target, symbols };
  }
  return { legal: true };
}

/** The first pair in lexicographic order, which is the easiest to look at; some pair where that takes too long. */
function firstPair(of: Relation): Point | undefined {
  const first = ifDecided(() => [smallestPoint(symbolsToDims(of))], defaultSteps / 2);
  if (first === undefined) return sample(of);
  const [values] = first;
  return values && pointOf(of, values);
}

/** The pairs of a dependence whose target does not run after its source. Errors: as for `legality`. */
export function violations({ pairs }: Dependence, source: Relation, target: Relation): Relation {
  const length = source.space.dims.length;
  const sameTime = identityOn(universeSet(setSpace(defaultNames('t', length))));
  const notBefore = union(inverse(lexicographicallyBefore(length)), sameTime);
  return intersect(pairs, compose(compose(source, notBefore), inverse(target)));
}

function timeOf(times: readonly Relation[], statement: number): Relation {
  const time = times[statement];
  if (time !== undefined) return time;
  throw new PresburgerError('presburger/invalid-argument', `statement ${statement} has no schedule`);
}
