/** Delinearizes an index: upstream's `delinearizeIndex`. */
import { dim, makeMap, symbol } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, createIndex } from '@sconv/dialects';
import type { Rewriter, Value } from '@sconv/ir';

const quotient = makeMap(1, 1, [dim(0).floorDiv(symbol(0))]);
const remainder = makeMap(1, 1, [dim(0).mod(symbol(0))]);

/**
 * The position of a row-major index in an array of these sizes: one value per size, outermost first. Creates
 * constants for the sizes, as upstream, although only the divisors are used outside of maps.
 */
export const delinearized = (
  rewriter: Rewriter,
  index: Value,
  sizes: readonly number[],
): readonly MixedIndex[] => {
  const basis = sizes.map((size) => createIndex(rewriter, size));
  const divisors = sizes.slice(1).map((size, i) => {
    const inner = sizes.slice(i + 2);
    return inner.length === 0
      ? basis[i + 1]!
      : createIndex(
          rewriter,
          inner.reduce((product, each) => product * each, size),
        );
  });
  let rest: MixedIndex = index;
  const positions = divisors.map((divisor) => {
    const whole: MixedIndex = rest;
    rest = index;
    const position = applyFolded(rewriter, quotient, [whole, divisor]);
    rest = applyFolded(rewriter, remainder, [whole, divisor]);
    return position;
  });
  return [...positions, rest];
};
