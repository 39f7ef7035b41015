/** What canonicalization does with blocks. */
import type { DraftOperation, Rewriter } from '@sconv/ir';

export const simplifyRegions = (
  _rewriter: Rewriter,
  _operation: DraftOperation,
  _options: { readonly mergeBlocks: boolean },
): void => {};
