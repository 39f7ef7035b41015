/** What an edit, or several, changed in a module, as operations: read off `forward`, so a value's new number is no change. */
import type { Forward, Id, Module, Operation } from '@sconv/ir';
import { children } from '@sconv/ir';

/** Operations before and after; those of functions, loops and bodies that went or came are not listed besides them. */
export interface IrDiff {
  /** Erased or replaced; as they were. */
  readonly removed: readonly Operation[];
  readonly added: readonly Operation[];
  /** With other operands, attributes or blocks. */
  readonly changed: readonly OperationChange[];
  /** Now in another operation. */
  readonly moved: readonly Operation[];
}

export interface OperationChange {
  readonly before: Operation;
  readonly after: Operation;
}

/** What became of the operations of `before`, of which `forward` made `after`. */
export const irDiff = (before: Module, after: Module, forward: Forward): IrDiff => {
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
