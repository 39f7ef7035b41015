/** Hoists vector reads and matching writes out of loops (upstream's `hoistRedundantVectorTransfers`). */
import {
  accessesIn,
  accessingOf,
  carryAlso,
  loopLike,
  mayConflict,
  mayRunAhead,
  viewLike,
} from '@sconv/dialects';
import { forOp as affineFor } from '@sconv/dialects/affine';
import { forOp } from '@sconv/dialects/scf';
import { isTransfer, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
import { hoistInvariants } from './passes/loop-invariant-code-motion.ts';
import { areDisjoint, haveSameIndices, isApartWithin, movesAll, sourceOf } from './vector-transfers.ts';

/**
 * Hoists a loop-invariant `vector.transfer_read` of a buffer before the loop, and the `vector.transfer_write` to the
 * same elements after it; the vector becomes an iter arg.
 *
 * @deviation Upstream looks at the users of the buffer only: other accesses in the loop may be of the same memory. It
 * also hoists transfers that promise to be in bounds out of loops that may never run, and pairs that do not move their
 * whole vectors: the next iteration would get what the write has left out, instead of what is there, or the padding.
 */
export const hoistTransfers = (rewriter: Rewriter, root: DraftOperation): void => {
  do {
    for (const operation of rewriter.walk(root).toReversed()) {
      if (modelOf(rewriter.registry, loopLike, operation) !== undefined) hoistInvariants(rewriter, operation);
    }
  } while (rewriter.walk(root).some((operation) => hoistPair(rewriter, operation)));
};

/** Hoists a read, and a write with it if there is one; returns whether there was. */
const hoistPair = (rewriter: Rewriter, read: DraftOperation): boolean => {
  const loop = read.parent;
  if (!transferRead.is(read) || sourceOf(read).type.kind !== 'memref') return false;
  if (loop === undefined || !(forOp.is(loop) || affineFor.is(loop))) return false;
  const write = writeAfter(rewriter, read);
  if (!read.operands.every((operand) => rewriter.isDefinedOutside(operand, loop))) return false;
  if (write === undefined) {
    if (isAlone(rewriter, loop, [read]) && mayRunAhead(rewriter, read, loop)) rewriter.moveBefore(read, loop);
    return false;
  }
  // What the write leaves would be carried on, not read again.
  if (!movesAll(rewriter, read) || !movesAll(rewriter, write)) return false;
  if (!haveSameIndices(read, write) || isView(rewriter, sourceOf(read))) return false;
  if (write.block !== read.block || !isApartWithin(rewriter, read)) return false;
  if (!isAlone(rewriter, loop, [write, read])) return false;
  if (![read, write].every((each) => mayRunAhead(rewriter, each, loop))) return false;
  rewriter.moveBefore(read, loop);
  const { vector } = transferWrite.operands(write);
  const carried = carryAlso(rewriter, loop, read.results[0]!, vector);
  rewriter.setInsertionPointAfter(carried);
  const mapping = new Map([[vector.id, carried.results.at(-1)!]]);
  rewriter.clone(write, mapping);
  rewriter.eraseOperation(write);
  return true;
};

const isView = (rewriter: Rewriter, value: Value): boolean => {
  const definition = rewriter.definingOperation(value);
  return definition !== undefined && modelOf(rewriter.registry, viewLike, definition) !== undefined;
};

/** Whether nothing else in a loop may conflict with the first of these transfers. */
const isAlone = (rewriter: Rewriter, loop: DraftOperation, transfers: readonly DraftOperation[]): boolean => {
  const own = accessingOf(rewriter, transfers[0]!);
  return accessesIn(rewriter, loop).every(
    (other) =>
      transfers.includes(other.operation) ||
      (isTransfer(other.operation) && areDisjoint(rewriter, transfers[0]!, other.operation)) ||
      !mayConflict(rewriter, own, other),
  );
};

/** The first write to a read's buffer on its def-use chain; tries later users only if earlier ones lead to none. */
const writeAfter = (rewriter: Rewriter, read: DraftOperation): DraftOperation | undefined => {
  const seen = new Set<DraftOperation>();
  const find = (operation: DraftOperation): DraftOperation | undefined => {
    seen.add(operation);
    let found: DraftOperation | undefined;
    const visit = (next: DraftOperation): void => {
      if (!seen.has(next)) found = find(next) ?? found;
    };
    for (const { blocks } of operation.regions)
      for (const inner of blocks.flatMap(({ operations }) => operations)) visit(inner);
    for (const result of operation.results)
      for (const user of rewriter.users(result).toReversed()) visit(user);
    return transferWrite.is(operation) && sourceOf(operation).id === sourceOf(read).id ? operation : found;
  };
  return find(read);
};
