/** Iteration sizes as values. */
import { isProjectedPermutation } from '@sconv/affine';
import { createIndex } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { dim as memrefDim } from '@sconv/dialects/memref';
import { dim as tensorDim } from '@sconv/dialects/tensor';
import type { Rewriter, Value } from '@sconv/ir';
import { builder, DYNAMIC } from '@sconv/ir';

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
  const b = builder(rewriter);
  for (const [i, source] of [...inputs, ...outputs].entries()) {
    const map = indexingMaps[i]!;
    const at = isProjectedPermutation(map, { allowZero: true })
      ? map.results.findIndex((result) => result.kind === 'dim' && result.position === position)
      : -1;
    if (at < 0) continue;
    const index = createIndex(rewriter, at);
    if (source.type.kind === 'memref') return b(memrefDim, { source, index });
    return b(tensorDim, { source, index });
  }
  throw new Error(`no operand has dimension ${position}`);
};
