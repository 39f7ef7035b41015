/** Creates index arithmetic that a handle may refer to. */
import type { AffineMap } from '@sconv/affine';
import { normalApplication } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';

/** A new composed `affine.apply`, even if it would fold (upstream's `makeComposedAffineApply`). */
export const createApply = (
  rewriter: Rewriter,
  map: AffineMap,
  operands: readonly Value[],
): DraftOperation => {
  const composed = normalApplication(rewriter, map, operands, true) ?? { subject: map, operands };
  return rewriter.create(
    apply.state({
      operands: { mapOperands: composed.operands },
      attributes: { map: composed.subject },
      resultTypes: [indexType],
    }),
  );
};
