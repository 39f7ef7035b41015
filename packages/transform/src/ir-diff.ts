/** The operations that one or more edits changed, derived from `forward`: renumbered values are no change. */
import { describeValue } from '@sconv/diagnostics';
import type { Forward, Id, Module, Operation } from '@sconv/ir';
import { children, expectModule } from '@sconv/ir';

/** Operations before and after; operations nested in removed or added ones are not listed separately. */
export interface IrDiff {
  /** Erased or replaced, as they were. */
  readonly removed: readonly Operation[];
  readonly added: readonly Operation[];
  /** With different operands, attributes or blocks. */
  readonly changed: readonly OperationChange[];
  /** Moved to another parent. */
  readonly moved: readonly Operation[];
}

export interface OperationChange {
  readonly before: Operation;
  readonly after: Operation;
}

/** The difference between `before` and `after`, given the `forward` of the edits in between. */
export const irDiff = (before: Module, after: Module, forward: Forward): IrDiff => {
  expectModule('before', before);
  expectModule('after', after);
  if (typeof (forward as unknown) !== 'object' || (forward as unknown) === null || !('created' in forward))
    throw new TypeError(`expected the forward of an edit, not ${describeValue(forward)}`);
  const { created, operations, changed, moved } = forward;
  const diff = {
    removed: [] as Operation[],
    added: [] as Operation[],
    changed: [] as OperationChange[],
    moved: [] as Operation[],
  };
  const sources = new Map<Id, Operation>();
  const visitBefore = (operation: Operation, isGone: boolean): void => {
    if (changed.has(operation.id)) sources.set(operation.id, operation);
    const goes = operations.has(operation.id);
    if (goes && !isGone) diff.removed.push(operation);
    for (const child of children(operation)) visitBefore(child, goes);
  };
  const visitAfter = (operation: Operation, isNew: boolean): void => {
    const { id } = operation;
    const source = sources.get(id);
    if (source !== undefined) diff.changed.push({ before: source, after: operation });
    if (moved.has(id)) diff.moved.push(operation);
    const comes = created !== undefined && id >= created.from && id < created.to;
    if (comes && !isNew) diff.added.push(operation);
    for (const child of children(operation)) visitAfter(child, comes);
  };
  visitBefore(before.root, false);
  visitAfter(after.root, false);
  return diff;
};
