export { PresburgerError, isPresburgerError } from './presburger-error.ts';
export type { PresburgerErrorCode } from './presburger-error.ts';
export { defaultSteps, withinSteps } from './budget.ts';
export type { Int } from './int.ts';
export type { Row } from './row.ts';

export { relationSpace, setSpace } from './space.ts';
export type { Space } from './space.ts';
export { basicSet } from './basic-set.ts';
export type { BasicSet, BasicSetParts, Division, Local } from './basic-set.ts';
export {
  emptyRelation,
  emptySet,
  presburgerSet,
  relation,
  universeRelation,
  universeSet,
} from './presburger-set.ts';
export type { PresburgerSet, PresburgerUnion, Relation } from './presburger-set.ts';
export { fromMap, fromSet } from './from-affine.ts';
export type { AffineNames } from './from-affine.ts';
export { intersect, union } from './combine.ts';
export {
  compose,
  domain,
  identityOn,
  image,
  intersectDomain,
  intersectRange,
  inverse,
  pairs,
  preimage,
  project,
  range,
  symbolsToDims,
} from './relations.ts';
export { parseRelation, parseSet, parseUnion, withCaret } from './text/parse.ts';
export { print } from './text/print.ts';
export { isEmpty, sample } from './sample.ts';
export type { Point } from './sample.ts';
export { complement, isDisjoint, isEqual, isSubset, subtract } from './subtract.ts';
export { withDivisions } from './with-divisions.ts';
export { lexmax, lexmaxPoint, lexmin, lexminPoint } from './lexmin.ts';
export { card } from './card.ts';
export { points } from './points.ts';
export { gist, removeRedundant } from './gist.ts';
export { coalesce } from './coalesce.ts';
export { equivalentOver } from './equivalent-over.ts';
export { simplifyOver } from './simplify-over.ts';
export { smallestPoint } from './smallest-point.ts';
export type { Difference, EquivalenceOver } from './equivalent-over.ts';
export { findCollision, isFunction, isInjective, isSurjective } from './injective.ts';
export type { InputCollision } from './injective.ts';
export { pointsOver } from './matchers/over.ts';
export type { Over } from './matchers/over.ts';
export { toRelation, toSet } from './text/like.ts';
export type { RelationLike, SetLike } from './text/like.ts';
