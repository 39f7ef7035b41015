/**
 * Sets and relations in the forms in which people have them: values of this package or of `@sconv/affine`, and text.
 */
import type { AffineMapData, IntegerSetData } from '@sconv/affine';
import { fromMap, fromSet } from '../from-affine.ts';
import { isPresburgerError, PresburgerError } from '../presburger-error.ts';
import type { PresburgerSet, Relation } from '../presburger-set.ts';
import { parseRelation, parseSet, withCaret } from './parse.ts';

/** A set, an affine set, or the text of one in isl's or in MLIR's syntax. */
export type SetLike = PresburgerSet | IntegerSetData | string;

/** A relation, an affine map, or the text of one in isl's or in MLIR's syntax. */
export type RelationLike = Relation | AffineMapData | string;

/** A set, a relation, or a list of sets: what is tested. */
export type Likeness = SetLike | RelationLike | readonly SetLike[];

/** Whether this is a list of sets. */
export const isList = (like: Likeness): like is readonly SetLike[] => Array.isArray(like);

/** The set. Errors: those of `parseSet`, with the text and a caret below the mistake; of `fromSet`. */
export function toSet(like: Likeness): PresburgerSet {
  if (typeof like === 'string') return showingText(like, parseSet);
  if (isList(like)) throw notA('set', like);
  if (like.kind === 'presburger-set') return like;
  if (like.kind === 'set') return fromSet(like);
  throw notA('set', like);
}

/** The relation. Errors: those of `parseRelation`, with the text and a caret below the mistake; of `fromMap`. */
export function toRelation(like: Likeness): Relation {
  if (typeof like === 'string') return showingText(like, parseRelation);
  if (isList(like)) throw notA('relation or map', like);
  if (like.kind === 'relation') return like;
  if (like.kind === 'map') return fromMap(like);
  throw notA('relation or map', like);
}

/** Whether this is a relation, a map, or text with an arrow between tuples; anything else is to be a set. */
export function isRelationLike(like: unknown): like is RelationLike {
  if (typeof like === 'string')
    return /\]\s*->\s*\[|\)\s*(?:\[[^\]]*\])?\s*->/.test(like.replace(/^[^{]*->\s*\{/, '{'));
  return (
    typeof like === 'object' &&
    like !== null &&
    'kind' in like &&
    (like.kind === 'relation' || like.kind === 'map')
  );
}

function showingText<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (!isPresburgerError(error) || error.offset === undefined) throw error;
    throw new PresburgerError(error.code, withCaret(error, text), error.offset);
  }
}

function notA(what: string, given: object): PresburgerError {
  const kind = 'kind' in given ? `a value of kind ${String(given.kind)}` : 'a list';
  return new PresburgerError('presburger/invalid-argument', `${kind} where a ${what} was expected`);
}
