/**
 * Dependences of loop nests as relations between iterations: pairs that use the same element, one of them at least to
 * write it, in the order in which they run. All such pairs, not only those of the last write.
 */
import { intersect } from '../combine.ts';
import { lexicographicallyBefore } from '../lexicographically-before.ts';
import { PresburgerError } from '../presburger-error.ts';
import type { PresburgerSet, Relation } from '../presburger-set.ts';
import { relation } from '../presburger-set.ts';
import { compose, intersectDomain, inverse } from '../relations.ts';
import { isEmpty } from '../sample.ts';
import { relationSpace } from '../space.ts';
import type { RelationLike, SetLike } from '../text/like.ts';
import { toRelation, toSet } from '../text/like.ts';
import { fusedSchedules } from './schedule.ts';

/** A use of an array: the elements that an iteration reads or writes, as `{ [i, j] -> [i + j] }`. */
export interface Access {
  readonly array: string;
  readonly elements: RelationLike;
}

/** A statement in loops. */
export interface Statement {
  /** The iterations that run: `{ [i, j] : 0 <= i < 8 and 0 <= j < i }`. */
  readonly domain: SetLike;
  readonly reads?: readonly Access[];
  readonly writes?: readonly Access[];
  /**
   * When an iteration runs: times are compared lexicographically, and have as many components for all statements. By
   * default the statements are nests of their own, one after the other, whose loops run as they are nested.
   */
  readonly schedule?: RelationLike;
}

/** A dependence: what the second iteration of a pair needs of the first. */
export interface Dependence {
  /** It reads what was written, writes what was read, or writes what was written. */
  readonly kind: 'flow' | 'anti' | 'output';
  readonly array: string;
  /** The statements' positions. */
  readonly source: number;
  readonly target: number;
  /** `{ source iteration -> target iteration }`. */
  readonly pairs: Relation;
}

/**
 * The dependences of statements that run by their schedules, those without pairs left out.
 *
 *     dependences([{ domain: '{ [i] : 1 <= i < 9 }', reads: [{ array: 'a', elements: '{ [i] -> [i - 1] }' }],
 *       writes: [{ array: 'a', elements: '{ [i] -> [i] }' }] }])
 *     // one of kind 'flow', whose pairs are { [i] -> [i + 1] : 1 <= i <= 7 }
 *
 * Errors: those of the texts; `presburger/arity-mismatch` for accesses and schedules of other numbers of loops than
 * their domain, or times of different lengths; `presburger/undecided`.
 */
export function dependences(statements: readonly Statement[]): readonly Dependence[] {
  const scheduled = withSchedules(statements);
  const length = scheduled[0]?.schedule.space.dims.length ?? 0;
  const before = lexicographicallyBefore(length);
  return scheduled
    .flatMap((source, from) =>
      scheduled.flatMap((target, to) => {
        const inOrder = compose(compose(source.schedule, before), inverse(target.schedule));
        const of = (kind: Dependence['kind'], first: readonly Use[], second: readonly Use[]): Dependence[] =>
          first.flatMap((one) =>
            second
              .filter(({ array }) => array === one.array)
              .map((other) => ({
                kind,
                array: one.array,
                source: from,
                target: to,
                pairs: named(
                  withoutEmptyPieces(intersect(inOrder, samePlace(one.elements, other.elements))),
                  source.names,
                  target.names,
                ),
              })),
          );
        return [
          ...of('flow', source.writes, target.reads),
          ...of('anti', source.reads, target.writes),
          ...of('output', source.writes, target.writes),
        ];
      }),
    )
    .filter(({ pairs }) => pairs.pieces.length > 0);
}

const withoutEmptyPieces = (of: Relation): Relation =>
  relation(
    of.space,
    of.pieces.filter((piece) => !isEmpty(relation(of.space, [piece]))),
  );

/** The relation with the names of the loops of both statements. */
const named = ({ space, pieces }: Relation, inputs: readonly string[], dims: readonly string[]): Relation =>
  relation(relationSpace(inputs, dims, space.symbols), pieces);

/** Pairs of iterations that use the same element. */
const samePlace = (first: Relation, second: Relation): Relation => compose(first, inverse(second));

/** A use within the domain of its statement. */
interface Use {
  readonly array: string;
  readonly elements: Relation;
}

function withSchedules(statements: readonly Statement[]) {
  const domains = statements.map(({ domain }) => toSet(domain));
  const inOrder = domains.length === 0 ? [] : fusedSchedules(domains.map(depthOf), 0);
  const scheduled = statements.map(({ schedule, reads = [], writes = [] }, i) => {
    const domain = domains[i]!;
    const usesOf = (accesses: readonly Access[]): Use[] =>
      accesses.map(({ array, elements }) => ({
        array,
        elements: intersectDomain(toRelation(elements), domain),
      }));
    const given = schedule === undefined ? inOrder[i]! : toRelation(schedule);
    const names = domain.space.dims;
    return { names, schedule: intersectDomain(given, domain), reads: usesOf(reads), writes: usesOf(writes) };
  });
  const lengths = new Set(scheduled.map(({ schedule }) => schedule.space.dims.length));
  if (lengths.size > 1) {
    const message = `times of ${[...lengths].join(' and ')} components: statements need the same number`;
    throw new PresburgerError('presburger/arity-mismatch', message);
  }
  return scheduled;
}

const depthOf = (domain: PresburgerSet): number => domain.space.dims.length;
