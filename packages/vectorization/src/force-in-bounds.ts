/** Declares transfers in bounds, as the strategy `force-in-bounds` of upstream's `splitFullAndPartialTransfer`. */
import { onOps } from '@sconv/canonicalization/matching';
import { ifOp } from '@sconv/dialects/scf';
import { isMinorIdentity, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { RewritePattern } from '@sconv/ir';
import { arrayAttribute, booleanAttribute } from '@sconv/ir';

/** For minor identities that are not in a branch. Whoever applies them asserts that the transfers are in bounds. */
export const forceInBoundsPatterns: readonly RewritePattern[] = onOps(
  [transferRead, transferWrite],
  'force-in-bounds',
  (rewriter, operation) => {
    const of = transferRead.is(operation) ? transferRead : transferWrite;
    const { permutationMap, inBounds } = of.attributes(operation);
    if (!inBounds.includes(false) || !isMinorIdentity(permutationMap)) return;
    if (operation.parent !== undefined && ifOp.is(operation.parent)) return;
    rewriter.setAttribute(operation, 'in_bounds', arrayAttribute(inBounds.map(() => booleanAttribute(true))));
  },
);
