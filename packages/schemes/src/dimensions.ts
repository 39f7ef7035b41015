/** The dimensions of schemes, and where the loops that sum up stand. */
import type { Scheme } from './scheme.ts';

/** Those of a convolution that are summed over; of a product, `k` is. */
const reduced: readonly string[] = ['c', 'r', 's'];

/** Whether a scheme is of a matrix product, or of a convolution as one: `k` is then what is summed over. */
export const isProductScheme = (scheme: Scheme): boolean =>
  scheme.some(
    (each) =>
      ('dimension' in each && (each.dimension === 'i' || each.dimension === 'j')) ||
      (each.kind === 'Seq' && each.parts.some((part) => isProductScheme(part.scheme))),
  );

/** Whether results do not depend on a dimension. */
export const isReduced = (dimension: string, isProduct: boolean): boolean =>
  isProduct ? dimension === 'k' : reduced.includes(dimension);

/**
 * The loops that a microkernel contains, as positions in the list: those that sum up, directly above what is unrolled.
 * Sums are in registers over them.
 */
export const loopsAboveKernel = (
  scheme: Scheme,
  isProduct = isProductScheme(scheme),
): { readonly from: number; readonly to: number } => {
  const kernel = scheme.findIndex(({ kind }) => kind === 'U' || kind === 'V');
  const to = kernel < 0 ? scheme.length : kernel;
  let from = to;
  while (from > 0 && isLoopOfSums(scheme[from - 1]!, isProduct)) from -= 1;
  return { from, to };
};

const isLoopOfSums = (specifier: Scheme[number], isProduct: boolean): boolean =>
  (specifier.kind === 'T' || specifier.kind === 'R') && isReduced(specifier.dimension, isProduct);
