/** A slice of a carried tensor, carried itself: upstream's `hoistRedundantSubsetExtractInsert` for one slice. */
import { carryAlso, mixedSlice } from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import { forOp } from '@sconv/dialects/scf';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { bodyOf, typeEquals } from '@sconv/ir';

/**
 * If `loop` changes one of its tensors only in the part that `slice` reads, that part is sliced before the loop,
 * carried, and inserted after it. Returns the new loop; undefined if that is not so.
 */
export const hoistSubset = (
  rewriter: Rewriter,
  slice: DraftOperation,
  loop: DraftOperation,
): DraftOperation | undefined => {
  const body = bodyOf(loop);
  const { source } = extractSlice.operands(slice);
  const position = body.arguments.findIndex(({ id }) => id === source.id) - 1;
  const end = body.last!;
  const insertion = position < 0 ? undefined : rewriter.definingOperation(end.operands[position]!);
  if (slice.block !== body || insertion === undefined || !insertSlice.is(insertion)) return undefined;
  const { source: part, dest } = insertSlice.operands(insertion);
  const users = rewriter.users(source);
  const isCarried =
    insertion.block === body &&
    dest.id === source.id &&
    typeEquals(part.type, slice.results[0]!.type) &&
    isSameSlice(slice, insertion) &&
    users.every((user) => user === slice || user === insertion) &&
    users.length === 2 &&
    rewriter.users(insertion.results[0]!).length === 1 &&
    slice.operands.slice(1).every((index) => rewriter.isDefinedOutside(index, loop));
  if (!isCarried) return undefined;
  rewriter.setOperand(slice, 0, forOp.operands(loop).initArgs[position]!);
  rewriter.moveBefore(slice, loop);
  rewriter.setOperand(end, position, source);
  const carrying = carryAlso(rewriter, loop, slice.results[0]!, part);
  const whole = carrying.results[position]!;
  rewriter.setInsertionPointAfter(carrying);
  const after = rewriter.clone(
    insertion,
    new Map([
      [insertSlice.operands(insertion).source.id, carrying.results.at(-1)!],
      [dest.id, whole],
    ]),
  );
  rewriter.replaceUsesIf(whole, after.results[0]!, (user) => user !== after);
  rewriter.eraseOperation(insertion);
  return carrying;
};

const isSameSlice = (a: DraftOperation, b: DraftOperation): boolean => {
  const [one, other] = [mixedSlice(a), mixedSlice(b)];
  return (['offsets', 'sizes', 'strides'] as const).every((list) =>
    one[list].every((index, i) => isSameIndex(index, other[list][i])),
  );
};

/** Whether two indices are the same number or the same value. */
export const isSameIndex = (a: MixedIndex, b: MixedIndex | undefined): boolean =>
  typeof a === 'number' || b === undefined || typeof b === 'number' ? a === b : a.id === b.id;
