/** What tiles of a loop nest use, and how far apart uses of an element are. */
import { intersect, union } from '../combine.ts';
import type { Int } from '../int.ts';
import { negInt } from '../int.ts';
import { PresburgerError } from '../presburger-error.ts';
import type { PresburgerSet, Relation } from '../presburger-set.ts';
import { presburgerSet, relation } from '../presburger-set.ts';
import { basicSet } from '../basic-set.ts';
import { lexicographicallyBefore } from '../lexicographically-before.ts';
import { unitRow } from '../row.ts';
import { compose, image, intersectDomain, intersectRange, inverse, pairs } from '../relations.ts';
import { sample } from '../sample.ts';
import { defaultNames, numVariables, relationSpace } from '../space.ts';
import { isSubset } from '../subtract.ts';
import type { RelationLike, SetLike } from '../text/like.ts';
import { toRelation, toSet } from '../text/like.ts';
import { tiledSchedule } from './schedule.ts';

/**
 * The elements of an array that iterations use, by one access or several: `footprint(tile, '{ [i, j] -> [i + j] }')`.
 * Its number of elements is `card` of it. Errors: those of the texts; `presburger/arity-mismatch`.
 */
export function footprint(iterations: SetLike, ...accesses: readonly RelationLike[]): PresburgerSet {
  const [first, ...rest] = accesses.map((access) => image(toSet(iterations), toRelation(access)));
  if (first === undefined) throw new PresburgerError('presburger/invalid-argument', 'no access is given');
  return rest.reduce((all, each) => union(all, each), first);
}

/**
 * The tiles of a domain: `{ tile -> iteration }`, with tiles by number. `tiles('{ [i] : 0 <= i < 10 }', [4])` is
 * `{ [t] -> [i] : t = floor(i / 4) and 0 <= i < 10 }`. All sizes are above 0. Composed with an access it gives the
 * footprint of each tile. Errors: as for `tiledSchedule`; `presburger/arity-mismatch`.
 */
export function tiles(domain: SetLike, sizes: readonly number[]): Relation {
  if (sizes.includes(0)) throw new PresburgerError('presburger/invalid-argument', '0 is no size of a tile');
  const depth = sizes.length;
  const toTimes = tiledSchedule(sizes);
  // The first half of the time is the number of the tile.
  const kept = Array.from({ length: depth }, (_, i) => {
    const row = unitRow(3 * depth + 1, i);
    row[2 * depth + i] = -1;
    return row;
  });
  const first = relation(relationSpace(defaultNames('t', 2 * depth), defaultNames('tile', depth)), [
    basicSet(3 * depth, { equalities: kept }),
  ]);
  return intersectRange(inverse(compose(toTimes, first)), toSet(domain));
}

/** The differences `y - x` of the pairs of a relation between points of equally many dimensions. */
export function differences(of: Relation): PresburgerSet {
  const length = of.space.dims.length;
  if (of.space.inputs.length !== length)
    throw new PresburgerError(
      'presburger/arity-mismatch',
      `points of ${of.space.inputs.length} and of ${length} dimensions`,
    );
  const equalities = Array.from({ length }, (_, i) => {
    const row = unitRow(3 * length + 1, i, -1);
    row[length + i] = 1;
    row[2 * length + i] = -1;
    return row;
  });
  const space = relationSpace(defaultNames('x', 2 * length), defaultNames('d', length));
  return image(pairs(of), relation(space, [basicSet(3 * length, { equalities })]));
}

/**
 * The one difference `y - x` of all pairs of a relation, as of the dependences of a stencil; undefined if there are
 * several, or no pairs. Errors: as for `differences`; `presburger/undecided`.
 */
export function constantDistance(of: Relation): readonly Int[] | undefined {
  const all = differences(of);
  const one = sample(all)?.dims;
  if (one === undefined) return undefined;
  const columns = numVariables(all.space);
  const equalities = one.map((value, i) => unitRow(columns + 1, i, 1, negInt(value)));
  const only = presburgerSet(all.space, [basicSet(columns, { equalities })]);
  return isSubset(all, only) ? one : undefined;
}

/**
 * Pairs of iterations of which the second uses an element that the first used: `{ [i] -> [i'] : … }`. Errors: those
 * of the texts; `presburger/arity-mismatch`.
 */
export function reuses(domain: SetLike, access: RelationLike): Relation {
  const iterations = toSet(domain);
  const { dims } = iterations.space;
  const elements = intersectDomain(toRelation(access), iterations);
  const { space, pieces } = intersect(
    compose(elements, inverse(elements)),
    lexicographicallyBefore(dims.length),
  );
  return relation(relationSpace(dims, dims, space.symbols), pieces);
}
