/** Hoists parts of tensors that a loop reads and writes (upstream's `hoistLoopInvariantSubsets`). */
import type { MixedIndex } from '@sconv/dialects';
import { carryAlso, mayRunAhead, mixedSlice } from '@sconv/dialects';
import { forOp as affineFor } from '@sconv/dialects/affine';
import { forOp } from '@sconv/dialects/scf';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import { transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, closestParent, typeEquals } from '@sconv/ir';
import { sameMixed, withConstants } from './match.ts';
import { distanceOf, isMinor, isWhole, sourceOf, transferSpan } from './vector-transfers.ts';

/** An operation that reads or writes part of a tensor. */
interface Subset {
  readonly operation: DraftOperation;
  readonly isRead: boolean;
  /** The operand positions of the tensor, and of the inserted value. */
  readonly tensor: number;
  readonly inserted: number;
  readonly offsets: readonly MixedIndex[];
  readonly sizes: readonly MixedIndex[];
  readonly strides: readonly MixedIndex[];
}

/** A read and a write of the same part. */
interface Pair {
  readonly read: Subset;
  readonly write: Subset;
}

/** Loops that can carry further values. */
export const carriesValues = (operation: DraftOperation): boolean =>
  forOp.is(operation) || affineFor.is(operation);

/**
 * Hoists each loop-invariant read of part of a carried tensor before the loop, and the write to the same part after it;
 * the part becomes an iter arg. Returns the loop that replaces `loop`, or `loop`.
 *
 * @deviation Upstream also hoists a read of what the iteration has written before, which yields old values, and parts
 * that may be out of bounds, out of loops that may never run.
 */
export const hoistSubsets = (rewriter: Rewriter, loop: DraftOperation): DraftOperation => {
  let current = loop;
  for (let i = 0; i < current.results.length; i++) {
    const subsets: Subset[] = [];
    if (!collectSubsets(rewriter, current, i, subsets)) continue;
    const pairs = pairsOf(rewriter, subsets, current);
    for (const pair of pairs) current = hoistPair(rewriter, current, i, pair);
  }
  return current;
};

const subsetOf = (rewriter: Rewriter, operation: DraftOperation): Subset | undefined => {
  if (extractSlice.is(operation) || insertSlice.is(operation)) {
    const isRead = extractSlice.is(operation);
    const { offsets, sizes, strides } = mixedSlice(operation);
    const known = (list: readonly MixedIndex[]): readonly MixedIndex[] => withConstants(rewriter, list);
    return {
      operation,
      isRead,
      tensor: isRead ? 0 : 1,
      inserted: 0,
      offsets: known(offsets),
      sizes: known(sizes),
      strides: known(strides),
    };
  }
  const isRead = transferRead.is(operation);
  if (!isRead && !transferWrite.is(operation)) return undefined;
  if (sourceOf(operation).type.kind !== 'tensor' || !isWhole(operation) || !isMinor(operation))
    return undefined;
  const { indices, type } = transferSpan(operation);
  return {
    operation,
    isRead,
    tensor: isRead ? 0 : 1,
    inserted: 0,
    offsets: withConstants(rewriter, indices),
    sizes: [
      ...Array<number>(indices.length - type.shape.length).fill(1),
      // How long a scalable vector is is not known.
      ...type.shape.map((size, i) => (type.scalable[i] === true ? Infinity : size)),
    ],
    strides: indices.map(() => 1),
  };
};

/**
 * Collects what reads and writes parts of a loop's iter arg, from the argument to the value that the loop yields for
 * it. Returns whether nothing else uses these values.
 */
const collectSubsets = (
  rewriter: Rewriter,
  loop: DraftOperation,
  index: number,
  subsets: Subset[],
): boolean => {
  const body = bodyOf(loop);
  for (let value: Value | undefined = body.arguments[1 + index]; value !== undefined;) {
    let next: Value | undefined;
    let isYielded = false;
    for (const user of rewriter.users(value)) {
      const positions = user.operands.flatMap(({ id }, i) => (id === value!.id ? [i] : []));
      if (positions.length !== 1) return false;
      const [position] = positions;
      if (user === body.last) {
        if (position !== index) return false;
        isYielded = true;
        continue;
      }
      let continued: Value | undefined;
      if (carriesValues(user)) {
        const at = position! - (user.operands.length - user.results.length);
        if (at < 0 || !collectSubsets(rewriter, user, at, subsets)) return false;
        continued = user.results[at];
      } else {
        const subset = subsetOf(rewriter, user);
        if (subset === undefined || position !== subset.tensor) return false;
        subsets.push(subset);
        if (!subset.isRead) continued = user.results[0];
      }
      if (continued === undefined) continue;
      if (next !== undefined) return false;
      next = continued;
    }
    if (isYielded) return next === undefined;
    value = next;
  }
  return false;
};

/** The pairs that access the same part, while no other operation accesses some of it. */
const pairsOf = (rewriter: Rewriter, subsets: readonly Subset[], loop: DraftOperation): readonly Pair[] =>
  subsets.flatMap((read, at) => {
    if (!read.isRead || !isInvariant(rewriter, read, loop)) return [];
    // 1. The write must follow the read: a read after it would read the written part.
    const write = subsets.find(
      (other, i) =>
        i > at && !other.isRead && areEqual(rewriter, read, other) && isInvariant(rewriter, other, loop),
    );
    if (write === undefined) return [];
    if (![read, write].every(({ operation }) => mayRunAhead(rewriter, operation, loop))) return [];
    const isAlone = subsets.every(
      (other) => other === read || other === write || areApart(rewriter, read, other),
    );
    return isAlone ? [{ read, write }] : [];
  });

/**
 * Whether an operation is directly in a loop's body, and its operands, besides the tensor and the inserted value, are
 * loop-invariant.
 */
const isInvariant = (
  rewriter: Rewriter,
  { operation, isRead, tensor, inserted }: Subset,
  loop: DraftOperation,
): boolean =>
  closestParent(operation, carriesValues) === loop &&
  operation.operands.every(
    (operand, i) => i === tensor || (!isRead && i === inserted) || rewriter.isDefinedOutside(operand, loop),
  );

const areEqual = (rewriter: Rewriter, read: Subset, write: Subset): boolean =>
  typeEquals(read.operation.results[0]!.type, write.operation.operands[write.inserted]!.type) &&
  sameMixed(read.sizes, write.sizes) &&
  sameMixed(read.strides, write.strides) &&
  read.offsets.every((offset, i) => distanceOf(rewriter, offset, write.offsets[i]!) === 0);

/** Whether two parts are provably disjoint: apart along one dimension. */
const areApart = (rewriter: Rewriter, a: Subset, b: Subset): boolean =>
  a.offsets.some((offset, i) => {
    const distance = distanceOf(rewriter, b.offsets[i]!, offset);
    const [first, second] = [extentOf(a, i), extentOf(b, i)];
    if (distance === undefined) return false;
    return distance >= 0
      ? first !== undefined && distance >= first
      : second !== undefined && -distance >= second;
  });

/** The length of the span from the first to the last element, included; undefined if unknown. */
const extentOf = ({ sizes, strides }: Subset, dimension: number): number | undefined => {
  const [size, stride] = [sizes[dimension], strides[dimension]];
  return typeof size === 'number' && typeof stride === 'number' && stride > 0
    ? (size - 1) * stride + 1
    : undefined;
};

const hoistPair = (
  rewriter: Rewriter,
  loop: DraftOperation,
  index: number,
  { read, write }: Pair,
): DraftOperation => {
  const init = loop.operands[loop.operands.length - loop.results.length + index]!;
  rewriter.moveBefore(read.operation, loop);
  rewriter.setOperand(read.operation, read.tensor, init);
  const [part] = read.operation.results as [Value];
  const carried = carryAlso(rewriter, loop, part, write.operation.operands[write.inserted]!);
  const [written] = write.operation.results as [Value];
  rewriter.replaceAllUsesWith(written, write.operation.operands[write.tensor]!);
  const result = carried.results[index]!;
  rewriter.moveBefore(write.operation, carried.next!);
  rewriter.replaceAllUsesWith(result, written);
  rewriter.setOperand(write.operation, write.inserted, carried.results.at(-1)!);
  rewriter.setOperand(write.operation, write.tensor, result);
  return carried;
};
