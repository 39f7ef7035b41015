/** The predicates of `arith.cmpf`, made of WebAssembly's six comparisons. */

/** Comparisons of some form `C`; only `ne` holds for NaN. */
export interface FloatComparisons<C> {
  readonly eq: C;
  readonly ne: C;
  readonly lt: C;
  readonly gt: C;
  readonly le: C;
  readonly ge: C;
  /** `lt` or `gt`. */
  readonly distinct: C;
  /** Neither operand is NaN. */
  readonly ordered: C;
  readonly not: (comparison: C) => C;
}

/** The comparisons of predicates 1 to 14: oeq … ord, ueq … uno. Those of 0 and 15 are constant. */
export const floatPredicates = <C>({
  eq,
  ne,
  lt,
  gt,
  le,
  ge,
  distinct,
  ordered,
  not,
}: FloatComparisons<C>): readonly C[] => [
  ...[eq, gt, ge, lt, le, distinct, ordered],
  ...[not(distinct), not(le), not(lt), not(ge), not(gt), ne, not(ordered)],
];
