/** What a scheme covers, as it says itself. */
import { formProblems, structureProblems } from './check-structure.ts';
import { isProductScheme, lettersOf } from './dimensions.ts';
import { nestOf, sizesOf } from './nest.ts';
import type { Scheme } from './scheme.ts';

/** How many points of each dimension a scheme covers. */
export interface SchemeExtents {
  /** Whether it is of a matrix product: `b`, `g`, `i`, `j` and `k`, and not the letters of a convolution. */
  readonly isProduct: boolean;
  /** By the letters of the dimensions; 1 of those that it does not name. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** What a scheme covers; undefined if it has an `R`, whose dimension depends on the contraction, or is malformed. */
export const schemeExtents = (scheme: Scheme): SchemeExtents | undefined => {
  const isWrong =
    [...formProblems(scheme)].length > 0 || structureProblems(scheme, lettersOf(scheme)).length > 0;
  if (isWrong || hasRemaining(scheme)) return undefined;
  const letters = Object.keys(lettersOf(scheme).dimensions);
  const known = sizesOf(nestOf(scheme), {});
  return {
    isProduct: isProductScheme(scheme),
    sizes: Object.fromEntries(letters.map((letter) => [letter, known[letter] ?? 1])),
  };
};

const hasRemaining = (scheme: Scheme): boolean =>
  scheme.some(
    (each) =>
      each.kind === 'R' || (each.kind === 'Seq' && each.parts.some((part) => hasRemaining(part.scheme))),
  );
