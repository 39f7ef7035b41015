/** `memref.alloca_scope`: inlines scopes that end together with the enclosing one, and hoists their allocations. */
import { alloca, allocaScope } from '@sconv/dialects/memref';
import type { DraftOperation, Operation, Registry, RewritePattern, Rewriter } from '@sconv/ir';
import { hasTrait, memoryEffects, modelOf } from '@sconv/ir';
import { blockOf, inlineInPlace } from '../bodies.ts';
import { onOp } from '../match.ts';

const isScope = (registry: Registry, operation: Operation): boolean =>
  hasTrait(registry, operation, 'automatic-allocation-scope');

/** Whether an operation may allocate on the stack: it does, or its effects are unknown. */
const mayAllocate = (registry: Registry, operation: Operation): boolean => {
  if (hasTrait(registry, operation, 'recursive-effects')) return false;
  if (alloca.is(operation)) return true;
  return (
    !hasTrait(registry, operation, 'pure') &&
    modelOf(registry, memoryEffects, operation)?.(operation, registry) === undefined
  );
};

/** Whether an operation's regions may allocate directly in its scope, not in a nested one. */
const allocatesBelow = (registry: Registry, operation: Operation): boolean =>
  operation.regions.some(({ blocks }) =>
    blocks.some(({ operations }) =>
      operations.some(
        (inner) =>
          mayAllocate(registry, inner) || (!isScope(registry, inner) && allocatesBelow(registry, inner)),
      ),
    ),
  );

/** Whether only a terminator follows an operation in its region. */
const isLast = ({ block, next }: DraftOperation): boolean =>
  block?.region.blocks.length === 1 && next !== undefined && next === block.last;

const inlinedScope = onOp(allocaScope, 'inlined-scope', (rewriter, operation) => {
  const { registry } = rewriter;
  const { parent } = operation;
  const block = blockOf(operation);
  if (block === undefined) return;
  if (allocatesBelow(registry, operation)) {
    // Elsewhere the allocations would live longer.
    if (parent === undefined || !isScope(registry, parent) || !isLast(operation)) return;
  }
  inlineInPlace(rewriter, operation, block, []);
});

/**
 * The outermost operation to hoist a scope's allocations before: still in the enclosing scope, if both end together.
 */
const outermostUnscoped = (registry: Registry, scope: DraftOperation): DraftOperation | undefined => {
  let at = scope;
  for (;;) {
    const { parent } = at;
    if (parent === undefined || !isLast(at)) return undefined;
    if (isScope(registry, parent)) return at === scope ? undefined : at;
    at = parent;
  }
};

const hoistedAllocations = onOp(allocaScope, 'hoisted-allocations', (rewriter, operation) => {
  const outer = outermostUnscoped(rewriter.registry, operation);
  if (outer === undefined) return;
  for (const allocation of allocationsIn(rewriter, operation)) {
    const isFree = allocation.operands.every((operand) => rewriter.isDefinedOutside(operand, outer));
    if (isFree) rewriter.moveBefore(allocation, outer);
  }
});

/** The allocations in a scope, without those of scopes within. */
const allocationsIn = (rewriter: Rewriter, operation: DraftOperation): readonly DraftOperation[] =>
  operation.regions.flatMap(({ blocks }) =>
    blocks.flatMap(({ operations }) =>
      operations.flatMap((inner) =>
        alloca.is(inner) ? [inner] : isScope(rewriter.registry, inner) ? [] : allocationsIn(rewriter, inner),
      ),
    ),
  );

export const memrefScopePatterns: readonly RewritePattern[] = [inlinedScope, hoistedAllocations];
