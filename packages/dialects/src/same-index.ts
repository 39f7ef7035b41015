/** Whether indices and slices are provably equal. */
import { equals as mapEquals } from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { apply } from './affine.ts';
import type { MixedIndex, MixedSlice } from './mixed-indices.ts';
import { indexNumber } from './mixed-values.ts';

/** More pairs than this are not compared. */
const mostPairs = 256;

/** `compared`: the pairs that are equal, or are being compared. */
const sameValue = (rewriter: Rewriter, a: Value, b: Value, compared: Set<string>): boolean => {
  const pair = `${a.id} ${b.id}`;
  if (a.id === b.id || compared.has(pair)) return true;
  if (compared.size >= mostPairs) return false;
  compared.add(pair);
  const [x, y] = [rewriter.definingOperation(a), rewriter.definingOperation(b)];
  if (x === undefined || y === undefined || !apply.is(x) || !apply.is(y)) return false;
  return (
    mapEquals(apply.attributes(x).map, apply.attributes(y).map) &&
    x.operands.every((operand, i) => sameNumberOrValue(rewriter, operand, y.operands[i]!, compared))
  );
};

const sameNumberOrValue = (
  rewriter: Rewriter,
  a: MixedIndex,
  b: MixedIndex,
  compared: Set<string>,
): boolean => {
  const [x, y] = [indexNumber(rewriter, a), indexNumber(rewriter, b)];
  if (x !== undefined || y !== undefined) return x === y;
  return typeof a !== 'number' && typeof b !== 'number' && sameValue(rewriter, a, b, compared);
};

/** Whether two indices are the same value, the same constant, or the same map applied to the same indices. */
export const sameIndex = (rewriter: Rewriter, a: MixedIndex, b: MixedIndex): boolean =>
  sameNumberOrValue(rewriter, a, b, new Set());

/** Whether two slices cover the same part, given the same source. */
export const sameSlice = (rewriter: Rewriter, a: MixedSlice, b: MixedSlice): boolean =>
  (['offsets', 'sizes', 'strides'] as const).every(
    (list) =>
      a[list].length === b[list].length &&
      a[list].every((index, i) => sameIndex(rewriter, index, b[list][i]!)),
  );
