/** When the buffers of a function are used, from the first access to the last one. */
import { bufferFlow, lentBuffers, viewLike } from '@sconv/dialects';
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { ancestorInBlock, effectsOf, hasTrait, modelOf } from '@sconv/ir';
import type { Lifetime } from './place-buffers.ts';

/** The lifetime of a buffer that is made in a block. */
export interface BufferLifetime extends Lifetime {
  /**
   * Whether nothing refers to it at the end of its block, but for a `return`. If something may, the lifetime ends with
   * the block, and it depends on what refers to it whether the buffer may then be reused.
   */
  readonly endsInBlock: boolean;
}

/** Positions in a function; they hold as long as nothing is changed in it. */
export interface FunctionLifetimes {
  /** The lifetime of a buffer: the result of an allocation, or of a call that makes it. */
  readonly ofBuffer: (buffer: Value) => BufferLifetime;
  /** An operation with its regions. */
  readonly during: (operation: DraftOperation) => Lifetime;
}

/** `FunctionLifetimes` by function. */
export type LifetimesOf = (root: DraftOperation) => FunctionLifetimes;

/**
 * Lifetimes in a module's functions. A buffer lives from the first operation of its block that accesses it, directly or
 * in regions, through views, branches, loops and calls, to the last one. One that is made before a loop and used in it
 * lives as long as the loop; one that is made in it, as long as an iteration.
 */
export const bufferLifetimes = (rewriter: Rewriter): LifetimesOf => {
  const isLent = lentBuffers(rewriter);
  return (root) => {
    const positions = new Map<Id, number>();
    const ends = new Map<Id, number>();
    const all = rewriter.walk(root);
    for (const [at, { id }] of all.entries()) positions.set(id, at);
    for (const [at, { id, parent }] of [...all.entries()].reverse()) {
      const end = Math.max(at, ends.get(id) ?? 0);
      ends.set(id, end);
      if (parent !== undefined) ends.set(parent.id, Math.max(end, ends.get(parent.id) ?? 0));
    }
    const during = ({ id }: DraftOperation): Lifetime => ({ first: positions.get(id)!, last: ends.get(id)! });
    const ofBuffer = (buffer: Value): BufferLifetime => {
      const made = rewriter.definingOperation(buffer)!;
      const block = made.block!;
      const flow = bufferFlow(rewriter, buffer);
      const uses = flow.values
        .flatMap((value) => rewriter.users(value))
        .filter((user) => mayAccess(rewriter, user))
        .map((user) => ancestorInBlock(block, user));
      const isReturned =
        block.region.operation === root && hasTrait(rewriter.registry, root, 'isolated-from-above');
      const endsInBlock =
        isLent(flow) && uses.every((use) => use !== undefined && (use !== block.last || isReturned));
      if (!endsInBlock) return { first: during(made).first, last: during(block.last!).last, endsInBlock };
      const spans = uses.map((use) => during(use!));
      if (uses.length === 0 || !isOnlyAllocated(rewriter, made)) spans.push(during(made));
      return {
        first: spans.reduce((first, span) => Math.min(first, span.first), Infinity),
        last: spans.reduce((last, span) => Math.max(last, span.last), 0),
        endsInBlock,
      };
    };
    return { ofBuffer, during };
  };
};

/** Whether an operation that takes a buffer may access it, other than to make a view of it, or to free it. */
const mayAccess = ({ registry }: Rewriter, operation: DraftOperation): boolean => {
  const effects = effectsOf(registry, operation);
  if (effects?.length === 0 && modelOf(registry, viewLike, operation) !== undefined) return false;
  return effects === undefined || effects.length === 0 || effects.some(({ kind }) => kind !== 'free');
};

/** Whether an operation makes a buffer without writing to it. */
const isOnlyAllocated = ({ registry }: Rewriter, operation: DraftOperation): boolean =>
  effectsOf(registry, operation)?.every(({ kind }) => kind === 'allocate') === true;
