/** The operations of a text that cannot be verified. */
import type { Id } from './operation.ts';
import type { SourceOperation } from './source-map.ts';

/**
 * Those that have errors, in their regions too, or use values without a definition. `isMarked` tells of further ones,
 * in whose regions an error is in none of the operations.
 */
export const brokenOperations = (
  operations: readonly SourceOperation[],
  undefinedIds: ReadonlySet<Id>,
  isMarked: (operation: SourceOperation) => boolean,
): ReadonlySet<SourceOperation> => {
  const broken = new Set<SourceOperation>();
  const visit = (node: SourceOperation): boolean => {
    const { operation, children } = node;
    let isBroken = operation === undefined || isMarked(node);
    isBroken ||= operation?.operands.some(({ id }) => undefinedIds.has(id)) === true;
    for (const child of children) if (visit(child)) isBroken = true;
    if (isBroken) broken.add(node);
    return isBroken;
  };
  operations.forEach(visit);
  return broken;
};
