import type { AffineMap } from '@sconv/affine';
import { evaluate, ifAffine } from '@sconv/affine';

/** The results of a map at a point; undefined on division by zero or overflow. */
export const evaluateMap = (
  map: AffineMap,
  dims: readonly number[],
  symbols: readonly number[] = [],
): readonly number[] | undefined => ifAffine(() => evaluate(map, dims, symbols));
