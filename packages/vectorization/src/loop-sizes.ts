/** Iteration sizes as values. */
import { isProjectedPermutation } from '@sconv/affine';
import { createDim, createIndex } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import type { Rewriter, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';

/** A constant for each static dimension; for the others, the size of the first operand that has it. */
export const createLoopSizes = (rewriter: Rewriter, view: StructuredOp): readonly Value[] =>
  view.loopRanges.map((size, position) =>
    size === DYNAMIC ? createSizeOf(rewriter, view, position) : createIndex(rewriter, size),
  );

const createSizeOf = (
  rewriter: Rewriter,
  { inputs, outputs, indexingMaps }: StructuredOp,
  position: number,
): Value => {
  for (const [i, source] of [...inputs, ...outputs].entries()) {
    const map = indexingMaps[i]!;
    const at = isProjectedPermutation(map, { allowZero: true })
      ? map.results.findIndex((result) => result.kind === 'dim' && result.position === position)
      : -1;
    if (at >= 0) return createDim(rewriter, source, at);
  }
  throw new Error(`no operand has dimension ${position}`);
};
