/** Whether operations may run where they did not before, such as ahead of a loop. */
import type { DraftOperation, Operation, Rewriter } from '@sconv/ir';
import { DYNAMIC, effectsOf, hasTrait, modelOf } from '@sconv/ir';
import { unlessTraps } from './division.ts';
import { boundsIn, isNeverEmpty } from './index-bounds.ts';
import { loopLike, speculatable } from './interfaces.ts';
import { scalarOp } from './scalar-op.ts';

/**
 * Whether an operation without effects may run where it did not before. One that does not implement `speculatable` may,
 * unless it is declared to trap, or combines elements of tensors whose shapes may differ.
 */
export const isSpeculatable = (rewriter: Rewriter, operation: Operation): boolean =>
  modelOf(rewriter.registry, speculatable, operation)?.(operation, rewriter.constantOf, boundsIn(rewriter)) ??
  !(mayTrap(rewriter, operation) || mayDiffer(rewriter, operation));

const mayTrap = ({ registry, constantOf }: Rewriter, operation: Operation): boolean => {
  const scalar = modelOf(registry, scalarOp, operation);
  if (scalar?.kind !== 'integers' || scalar.traps === undefined) return false;
  return !unlessTraps(scalar.traps)(operation, constantOf);
};

const mayDiffer = ({ registry }: Rewriter, { name, operands }: Operation): boolean => {
  const dynamic = operands.filter(({ type }) => type.kind === 'tensor' && type.shape.includes(DYNAMIC));
  return hasTrait(registry, { name }, 'elementwise') && new Set(dynamic.map(({ id }) => id)).size > 1;
};

/**
 * Whether an operation in a loop may run ahead of it: it may anywhere, or the loop begins with it, after operations
 * that end.
 */
export const mayRunAhead = (rewriter: Rewriter, operation: DraftOperation, loop: DraftOperation): boolean =>
  rewriter.walk(operation).every((each) => isSpeculatable(rewriter, each)) ||
  (operation.parent === loop &&
    isNeverEmpty(rewriter, loop) &&
    before(operation).every((each) => certainlyEnds(rewriter, each)));

const before = (operation: DraftOperation): readonly DraftOperation[] => {
  const operations = operation.block?.operations ?? [];
  return operations.slice(0, operations.indexOf(operation));
};

/** Whether an operation ends, and the next one runs: no call or assertion, and without a loop that may not end. */
const certainlyEnds = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  effectsOf(rewriter.registry, operation) !== undefined &&
  rewriter
    .walk(operation)
    .every((each) => modelOf(rewriter.registry, loopLike, each)?.inductionVariables(each).length !== 0);
