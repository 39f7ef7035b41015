/** Forwards stored vectors and erases dead stores (upstream's `transferOpflowOpt` and `eraseDeadAllocAndStores`). */
import { isBufferValue } from '@sconv/dialects';
import { alloc, dealloc, subview } from '@sconv/dialects/memref';
import { isTransfer, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { ancestorInBlock, effectsOf, hasTrait, Structure } from '@sconv/ir';
import {
  areDisjoint,
  haveSameIndices,
  haveSameMask,
  isWhole,
  sourceOf,
  usersThroughViews,
  viewedBuffer,
} from './vector-transfers.ts';

/** Forwards written vectors to reads, and erases writes that are overwritten before they are read. */
export const forwardTransfers = (rewriter: Rewriter, root: DraftOperation): void => {
  const structure = new Structure(rewriter.root);
  const onBuffers = rewriter.walk(root).filter((each) => isTransfer(each) && isBufferValue(sourceOf(each)));
  const dead = onBuffers.filter((each) => transferRead.is(each) && forward(rewriter, structure, each));
  for (const each of dead) rewriter.eraseOperation(each);
  const overwritten = onBuffers.filter(
    (each) => transferWrite.is(each) && isOverwritten(rewriter, structure, each),
  );
  for (const each of overwritten) rewriter.eraseOperation(each);
};

/** The operations that may access the same elements as a transfer. */
const accessesNear = (rewriter: Rewriter, transfer: DraftOperation): readonly DraftOperation[] =>
  usersThroughViews(rewriter, viewedBuffer(rewriter, sourceOf(transfer))).filter(
    (user) =>
      user !== transfer &&
      effectsOf(rewriter.registry, user)?.length !== 0 &&
      !(isTransfer(user) && areDisjoint(rewriter, transfer, user)),
  );

/**
 * Replaces a read by the vector of the last write before it.
 *
 * @deviation Upstream looks through the blocks of a region; here write, read and all in between share a block.
 */
const forward = (rewriter: Rewriter, structure: Structure, read: DraftOperation): boolean => {
  if (!isWhole(read)) return false;
  const accesses = accessesNear(rewriter, read).filter((each) => !transferRead.is(each));
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
const isOverwritten = (rewriter: Rewriter, structure: Structure, write: DraftOperation): boolean => {
  const accesses = accessesNear(rewriter, write);
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
 * The users of a buffer that can be erased with it, each after its own users; undefined if one may read it.
 *
 * @deviation Upstream ignores terminators, and so erases a buffer that is returned.
 */
const usersOfUnread = (
  rewriter: Rewriter,
  definition: DraftOperation,
): readonly DraftOperation[] | undefined => {
  const { registry } = rewriter;
  const found: DraftOperation[] = [];
  for (const user of rewriter.users(definition.results[0]!)) {
    if (subview.is(user)) {
      const below = usersOfUnread(rewriter, user);
      if (below === undefined) return undefined;
      found.push(...below, user);
    } else if (dealloc.is(user)) {
      found.push(user);
    } else {
      const effects = effectsOf(registry, user);
      const onlyWrites = effects?.every(({ kind }) => kind !== 'read') === true;
      const mayGo =
        user.results.length === 0 && user.regions.length === 0 && !hasTrait(registry, user, 'terminator');
      if (!onlyWrites || !mayGo) return undefined;
      found.push(user);
    }
  }
  return found;
};
