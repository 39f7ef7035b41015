import type { DraftOperation } from '@sconv/ir';

/** `root` and everything below it, in post-order; safe against changes during iteration. */
export const innerFirst = (root: DraftOperation): readonly DraftOperation[] => {
  const found: DraftOperation[] = [];
  const visit = (operation: DraftOperation): void => {
    for (const { blocks } of operation.regions)
      for (const { operations } of blocks) for (const child of operations) visit(child);
    found.push(operation);
  };
  visit(root);
  return found;
};
