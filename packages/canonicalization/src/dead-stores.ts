/** Forwards stored vectors and erases dead stores (upstream's `transferOpflowOpt` and `eraseDeadAllocAndStores`). */
import type { Accessing } from '@sconv/dialects';
import { accessesIn, accessingOf, isBufferValue, mayConflict } from '@sconv/dialects';
import { alloc, dealloc, subview } from '@sconv/dialects/memref';
import { isTransfer, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { ancestorInBlock, effectsOf, hasTrait, Structure } from '@sconv/ir';
import {
  areDisjoint,
  haveSameIndices,
  haveSameMask,
  isApartWithin,
  isWhole,
  sourceOf,
} from './vector-transfers.ts';

/**
 * Forwards written vectors to reads, and erases writes that are overwritten before they are read.
 *
 * @deviation Upstream looks at the users of the buffer and its views only: other accesses may be of the same memory.
 */
export const forwardTransfers = (rewriter: Rewriter, root: DraftOperation): void => {
  const structure = new Structure(rewriter.root);
  const transfersWhere = (test: (transfer: DraftOperation, near: readonly DraftOperation[]) => boolean) => {
    const accesses = accessesIn(rewriter, root);
    return rewriter
      .walk(root)
      .filter((each) => isTransfer(each) && isBufferValue(sourceOf(each)))
      .filter((each) => test(each, accessesNear(rewriter, accesses, each)));
  };
  const dead = transfersWhere(
    (each, near) => transferRead.is(each) && forward(rewriter, structure, each, near),
  );
  for (const each of dead) rewriter.eraseOperation(each);
  const overwritten = transfersWhere(
    (each, near) => transferWrite.is(each) && isOverwritten(structure, each, near),
  );
  for (const each of overwritten) rewriter.eraseOperation(each);
};

/** The operations that may access the same elements as a transfer; for a read, those that may write them. */
const accessesNear = (
  rewriter: Rewriter,
  accesses: readonly Accessing[],
  transfer: DraftOperation,
): readonly DraftOperation[] => {
  const own = accessingOf(rewriter, transfer);
  const isNear = (other: Accessing): boolean =>
    other.operation !== transfer &&
    !(isTransfer(other.operation) && areDisjoint(rewriter, transfer, other.operation)) &&
    mayConflict(rewriter, own, other);
  return accesses.filter(isNear).map(({ operation }) => operation);
};

/**
 * Replaces a read by the vector of the last write before it.
 *
 * @deviation Upstream looks through the blocks of a region; here write, read and all in between share a block. It takes
 * a transfer under a `vector.mask` for one of the whole vector.
 */
const forward = (
  rewriter: Rewriter,
  structure: Structure,
  read: DraftOperation,
  accesses: readonly DraftOperation[],
): boolean => {
  if (!isWhole(read) || !isApartWithin(rewriter, read)) return false;
  const isSameWrite = (each: DraftOperation): boolean =>
    transferWrite.is(each) &&
    sourceOf(each).id === sourceOf(read).id &&
    isWhole(each) &&
    haveSameIndices(each, read) &&
    structure.operationDominates(each, read);
  const last = accesses
    .filter(isSameWrite)
    .reduce<DraftOperation | undefined>(
      (known, each) => (known === undefined || structure.operationDominates(known, each) ? each : known),
      undefined,
    );
  if (last === undefined) return false;
  const end = ancestorInBlock(last.block, read);
  if (end === undefined) return false;
  const isBlocked = accesses.some((each) => {
    if (each === last || isSameWrite(each)) return false;
    const at = ancestorInBlock(last.block, each);
    return at !== undefined && isBetween(structure, last, at, end);
  });
  if (isBlocked) return false;
  rewriter.replaceAllUsesWith(read.results[0]!, transferWrite.operands(last).vector);
  return true;
};

/** Whether `at` is after `first` and not after `end`, all in one block. */
const isBetween = (
  structure: Structure,
  first: DraftOperation,
  at: DraftOperation,
  end: DraftOperation,
): boolean => structure.operationDominates(first, at) && structure.operationDominates(at, end);

/** Whether a later write always covers a write, with no read in between. */
const isOverwritten = (
  structure: Structure,
  write: DraftOperation,
  accesses: readonly DraftOperation[],
): boolean => {
  const isBefore = (a: DraftOperation, b: DraftOperation): boolean => {
    const at = ancestorInBlock(b.block, a);
    return at !== undefined && at !== b && structure.operationDominates(at, b);
  };
  const covers = (each: DraftOperation): boolean =>
    transferWrite.is(each) &&
    sourceOf(each).id === sourceOf(write).id &&
    haveSameIndices(each, write) &&
    haveSameMask(each, write) &&
    isBefore(write, each);
  const next = accesses
    .filter(covers)
    .reduce<DraftOperation | undefined>(
      (known, each) => (known === undefined || isBefore(each, known) ? each : known),
      undefined,
    );
  const start = next && ancestorInBlock(next.block, write);
  return (
    next !== undefined &&
    start !== undefined &&
    accesses.every((each) => {
      const at = ancestorInBlock(next.block, each);
      return each === next || at === undefined || !isBetween(structure, start, at, next);
    })
  );
};

/** Erases buffers that are never read, with the writes to them. */
export const eraseDeadAllocations = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const allocation of rewriter.walk(root).filter((each) => alloc.is(each))) {
    const users = usersOfUnread(rewriter, allocation);
    if (users === undefined) continue;
    for (const user of users) rewriter.eraseOperation(user);
    rewriter.eraseOperation(allocation);
  }
};

/**
 * The users of a buffer that can be erased with it, each after its own users: views, and what only writes it.
 * Undefined if there are others.
 *
 * @deviation Upstream ignores terminators, and so erases a buffer that is returned.
 */
const usersOfUnread = (
  rewriter: Rewriter,
  definition: DraftOperation,
): readonly DraftOperation[] | undefined => {
  const { registry } = rewriter;
  const found: DraftOperation[] = [];
  const [buffer] = definition.results as [Value];
  for (const user of rewriter.users(buffer)) {
    if (subview.is(user)) {
      const below = usersOfUnread(rewriter, user);
      if (below === undefined) return undefined;
      found.push(...below, user);
    } else if (dealloc.is(user)) {
      found.push(user);
    } else {
      const effects = effectsOf(registry, user);
      const onlyWrites =
        effects?.every(({ kind, value }) => kind === 'write' && value?.id === buffer.id) === true;
      const mayGo =
        user.results.length === 0 && user.regions.length === 0 && !hasTrait(registry, user, 'terminator');
      if (!onlyWrites || !mayGo) return undefined;
      found.push(user);
    }
  }
  return found;
};
