/** Where the elements lie that neighbouring points of an iteration space use. */
import { evaluate } from '@sconv/affine';
import type { ContractionDimension, ContractionOperand } from './contraction.ts';

/**
 * How many elements of an operand, which lies in row-major order, are between those of two neighbouring points along a
 * dimension: 0 for one that it does not depend on, or that is missing; 1 for one along which vectors can be loaded.
 */
export const elementStep = (
  dimensions: readonly ContractionDimension[],
  { map, sizes }: ContractionOperand,
  name: string,
): number => {
  const at = dimensions.findIndex((each) => each.name === name);
  if (at < 0) return 0;
  const origin = evaluate(map, Array<number>(dimensions.length).fill(0));
  const next = evaluate(
    map,
    dimensions.map((_, i) => (i === at ? 1 : 0)),
  );
  let stride = 1;
  let step = 0;
  for (let i = sizes.length - 1; i >= 0; i -= 1) {
    step += stride * (next[i]! - origin[i]!);
    stride *= sizes[i]!;
  }
  return step;
};
