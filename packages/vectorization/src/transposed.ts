/** Transposed vectors. */
import { transpose } from '@sconv/dialects/vector';
import type { Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';

/**
 * A vector whose dimension `i` is dimension `permutation[i]` of `vector`; without a permutation, a transposed matrix.
 */
export const transposed = (
  rewriter: Rewriter,
  vector: Value<VectorType>,
  permutation: readonly number[] = [1, 0],
): Value<VectorType> => {
  const { shape, elementType, scalable } = vector.type;
  const type = vectorType(
    permutation.map((from) => shape[from]!),
    elementType,
    permutation.map((from) => scalable[from]!),
  );
  return builder(rewriter)(transpose, { vector, permutation }, { resultTypes: [type] });
};
