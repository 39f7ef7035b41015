/** What is told of a rewriter's changes. */
import type { DraftBlock, DraftOperation } from './draft.ts';
import type { Value } from './operation.ts';

/** Notified of changes as they are made: upstream's `RewriterBase::Listener`. */
export interface RewriteListener {
  /** An operation was created or moved; cloning one with regions also notifies for its contents. */
  readonly inserted?: (operation: DraftOperation) => void;
  /** The operands, attributes or blocks of an operation changed. */
  readonly changed?: (operation: DraftOperation) => void;
  /** An operation is about to be erased; parents before their contents. */
  readonly erasing?: (operation: DraftOperation) => void;
  /** An operation is about to be replaced by values, one per result, and then erased. */
  readonly replacing?: (operation: DraftOperation, values: readonly Value[]) => void;
}

/** The listeners of a rewriter, each told of every change. */
export class RewriteListeners {
  private readonly all: RewriteListener[] = [];

  /** Runs `rewrite` while `listener` is one of them. */
  with<T>(listener: RewriteListener, rewrite: () => T): T {
    this.all.push(listener);
    try {
      return rewrite();
    } finally {
      this.all.splice(this.all.lastIndexOf(listener), 1);
    }
  }

  inserted(operation: DraftOperation): void {
    for (const listener of this.all) listener.inserted?.(operation);
  }

  /** All operations of the blocks were inserted, and those in their regions. */
  insertedBelow(blocks: readonly DraftBlock[]): void {
    if (this.all.length === 0) return;
    for (const { operations } of blocks) {
      for (const operation of operations) {
        this.inserted(operation);
        for (const region of operation.regions) this.insertedBelow(region.blocks);
      }
    }
  }

  changed(operation: DraftOperation): void {
    for (const listener of this.all) listener.changed?.(operation);
  }

  erasing(operation: DraftOperation): void {
    for (const listener of this.all) listener.erasing?.(operation);
  }

  replacing(operation: DraftOperation, values: readonly Value[]): void {
    for (const listener of this.all) listener.replacing?.(operation, values);
  }
}
