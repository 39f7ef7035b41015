/** An index taken apart: upstream's `delinearizeIndex`. */
import { dim, makeMap, symbol } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, createIndex } from '@sconv/dialects';
import type { Rewriter, Value } from '@sconv/ir';

const quotient = makeMap(1, 1, [dim(0).floorDiv(symbol(0))]);
const remainder = makeMap(1, 1, [dim(0).mod(symbol(0))]);

/**
 * The position in an array of these sizes of the element at a row-major index: one value for each size, the outermost
 * first. The sizes become constants, as upstream's, though all but the divisors are used in maps alone.
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
