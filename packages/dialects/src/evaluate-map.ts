import type { AffineMap } from '@sconv/affine';
import { evaluate, isAffineError } from '@sconv/affine';

/** The results of a map at a point; undefined on division by zero or overflow. */
export const evaluateMap = (
  map: AffineMap,
  dims: readonly number[],
  symbols: readonly number[] = [],
): readonly number[] | undefined => {
  try {
    return evaluate(map, dims, symbols);
  } catch (error) {
    if (isAffineError(error)) return undefined;
    throw error;
  }
};
