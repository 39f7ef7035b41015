/** Sets and relations: unions of basic sets, frozen plain data. */
import type { BasicSet } from './basic-set.ts';
import { basicSet } from './basic-set.ts';
import { PresburgerError } from './presburger-error.ts';
import type { Space } from './space.ts';
import { numVariables } from './space.ts';

/** A union of basic sets, which may overlap: what most functions take. They return the same kind. */
export interface PresburgerUnion<Kind extends 'presburger-set' | 'relation' = 'presburger-set' | 'relation'> {
  readonly kind: Kind;
  readonly space: Space;
  readonly pieces: readonly BasicSet[];
}

/** Integer points. The space has no inputs. */
export type PresburgerSet = PresburgerUnion<'presburger-set'>;

/** Pairs of integer points. */
export type Relation = PresburgerUnion<'relation'>;

/** The set of the points of these pieces, which have the columns of `space`. */
export function presburgerSet(space: Space, pieces: readonly BasicSet[]): PresburgerSet {
  if (space.inputs.length > 0)
    throw new PresburgerError('presburger/invalid-argument', 'a set has no inputs: relation makes relations');
  return Object.freeze({ kind: 'presburger-set', space, pieces: checkedPieces(space, pieces) });
}

/** The relation of the pairs of these pieces, which have the columns of `space`. */
export const relation = (space: Space, pieces: readonly BasicSet[]): Relation =>
  Object.freeze({ kind: 'relation', space, pieces: checkedPieces(space, pieces) });

/** All points of a space. */
export const universeSet = (space: Space): PresburgerSet =>
  presburgerSet(space, [basicSet(numVariables(space), {})]);

/** No point of a space. */
export const emptySet = (space: Space): PresburgerSet => presburgerSet(space, []);

/** All pairs of a space. */
export const universeRelation = (space: Space): Relation =>
  relation(space, [basicSet(numVariables(space), {})]);

/** No pair of a space. */
export const emptyRelation = (space: Space): Relation => relation(space, []);

/** A set or relation of other pieces and names. */
export const withPieces = <Kind extends PresburgerUnion['kind']>(
  { kind, space }: PresburgerUnion<Kind>,
  pieces: readonly BasicSet[],
  other: Space = space,
): PresburgerUnion<Kind> => Object.freeze({ kind, space: other, pieces: checkedPieces(other, pieces) });

/** Everything in the space of a set or relation. */
export const universeOf = <Kind extends PresburgerUnion['kind']>(
  like: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> => withPieces(like, [basicSet(numVariables(like.space), {})]);

function checkedPieces(space: Space, pieces: readonly BasicSet[]): readonly BasicSet[] {
  const columns = numVariables(space);
  for (const piece of pieces) {
    if (piece.numVariables === columns) continue;
    const message = `a piece of ${piece.numVariables} variables in a space of ${columns}`;
    throw new PresburgerError('presburger/invalid-argument', message);
  }
  return Object.isFrozen(pieces) ? pieces : Object.freeze([...pieces]);
}
