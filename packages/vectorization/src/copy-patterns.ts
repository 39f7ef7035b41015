/**
 * Vectorizes buffer copies, and forwards transfers through a copy: upstream's `vectorizeCopy` and forwarding
 * patterns.
 */
import { definedBy, onOp } from '@sconv/canonicalization/matching';
import {
  createConstantValue,
  createIndex,
  elementTypeOf,
  mayShareMemory,
  mixedSlice,
  zeroOf,
} from '@sconv/dialects';
import { identityMap } from '@sconv/affine';
import { alloc, copy, dealloc, subview, view } from '@sconv/dialects/memref';
import { broadcast, extractelement, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { builder, effectsOf, isStaticShape, vectorType } from '@sconv/ir';

/** A copy of static size as a read and a write of the whole buffer. */
const copyAsTransfers = onOp(copy, 'copy-as-transfers', (rewriter, operation) => {
  const { source, target } = copy.operands(operation);
  if (source.type.kind !== 'memref' || target.type.kind !== 'memref') return;
  if (!isStaticShape(source.type) || !isStaticShape(target.type) || source.type.shape.includes(0)) return;
  const element = elementTypeOf(source.type);
  const padding = zeroOf(element);
  if (padding === undefined) return;
  const { shape } = source.type;
  const type = vectorType(shape, element);
  const zero = createIndex(rewriter, 0);
  const indices = shape.map(() => zero);
  const b = builder(rewriter);
  const way = { indices, permutationMap: identityMap(shape.length), inBounds: shape.map(() => false) };
  let vector = b(
    transferRead,
    { ...way, source, padding: createConstantValue(rewriter, padding, element) },
    { resultTypes: [type] },
  );
  if (shape.length === 0) {
    const scalar = b(extractelement, { vector }, { resultTypes: [element] });
    vector = b(broadcast, { source: scalar }, { resultTypes: [type] });
  }
  b(transferWrite, { ...way, vector, source: target }, { resultTypes: [] });
  rewriter.eraseOperation(operation);
});

/** Whether `operation` precedes `other` in its block. */
const isBefore = (operation: DraftOperation, other: DraftOperation): boolean => {
  if (operation.block !== other.block) return false;
  for (let at = operation.next; at !== undefined; at = at.next) if (at === other) return true;
  return false;
};

/** Whether `first` precedes `last` in one block, with no use of the buffers in between. */
const areAdjacent = (
  rewriter: Rewriter,
  first: DraftOperation,
  last: DraftOperation,
  buffers: readonly Value[],
): boolean =>
  isBefore(first, last) &&
  buffers
    .flatMap((buffer) => rewriter.users(buffer))
    .every((user) => user === first || user === last || isBefore(user, first) || isBefore(last, user));

/** Whether nothing between two operations of a block may write to a buffer, or free it. */
const isKeptBetween = (
  rewriter: Rewriter,
  first: DraftOperation,
  last: DraftOperation,
  buffer: Value,
): boolean => {
  for (let at = first.next; at !== undefined && at !== last; at = at.next) {
    const effects = effectsOf(rewriter.registry, at);
    const isKept = effects?.every(
      ({ kind, value }) =>
        kind === 'read' ||
        kind === 'allocate' ||
        (value !== undefined && !mayShareMemory(rewriter, value, buffer)),
    );
    if (isKept !== true) return false;
  }
  return true;
};

/** The buffer that a value is the only view of; the value itself if it is none, or there are others. */
const onlyViewed = (rewriter: Rewriter, value: Value): Value => {
  const source = definedBy(rewriter, value, view)?.operands[0];
  const users = source === undefined ? [] : rewriter.users(source).filter((user) => !dealloc.is(user));
  return source !== undefined && users.length === 1 ? source : value;
};

/** The only subview of an allocation, or of the only view of one; it must start at offset 0 and have unit strides. */
const onlySubview = (rewriter: Rewriter, buffer: Value): DraftOperation | undefined => {
  if (!definedBy(rewriter, onlyViewed(rewriter, buffer), alloc)) return undefined;
  const [part, ...others] = rewriter.users(buffer).filter((user) => subview.is(user));
  if (part === undefined || others.length > 0) return undefined;
  const { offsets, strides } = mixedSlice(part);
  const isAligned = offsets.every((offset) => offset === 0) && strides.every((stride) => stride === 1);
  return isAligned && offsets.length === rankOf(part.results[0]!) ? part : undefined;
};

const rankOf = ({ type }: Value): number => (type.kind === 'memref' ? type.shape.length : 0);

/** Whether buffers have no users besides `known` and deallocations. */
const areUsedOnlyBy = (
  rewriter: Rewriter,
  buffers: readonly Value[],
  known: readonly (DraftOperation | undefined)[],
): boolean =>
  buffers
    .flatMap((buffer) => rewriter.users(buffer))
    .every((user) => known.includes(user) || dealloc.is(user));

/**
 * A read of a buffer filled with the padding value, then partly overwritten by a copy, reads the copy's source:
 * everything else is padding either way.
 *
 * @deviation Upstream does not check that the copied part starts where the buffer does, nor for other uses, nor that
 * the copy's source is still the same when the buffer is read.
 */
const readBehindCopy: RewritePattern = {
  ...onOp(transferRead, 'read-behind-copy', (rewriter, operation) => {
    const { source: buffer, indices, padding, mask } = transferRead.operands(operation);
    const { permutationMap } = transferRead.attributes(operation);
    const part = onlySubview(rewriter, buffer);
    const [target] = part?.results ?? [];
    if (mask !== undefined || target === undefined) return;
    const copied = rewriter
      .users(target)
      .filter((user) => copy.is(user))
      .find(
        (user) =>
          user.operands[1]?.id === target.id && areAdjacent(rewriter, user, operation, [buffer, target]),
      );
    if (copied === undefined || !isKeptBetween(rewriter, copied, operation, copied.operands[0]!)) return;
    const fills = rewriter
      .users(buffer)
      .filter((user) => user.name === 'linalg.fill' && user.operands[1]?.id === buffer.id);
    if (fills.some(({ operands }) => operands[0]?.id !== padding.id)) return;
    if (!areUsedOnlyBy(rewriter, [buffer, target], [part, copied, operation, ...fills])) return;
    // As upstream, a fill not adjacent to the copy stays.
    const fill = fills.find((user) => areAdjacent(rewriter, user, copied, [buffer, target]));
    const vector = builder(rewriter)(
      transferRead,
      {
        source: copied.operands[0]!,
        indices,
        padding,
        permutationMap,
        inBounds: permutationMap.results.map(({ kind }) => kind === 'constant'),
      },
      { resultTypes: operation.results.map(({ type }) => type) },
    );
    if (fill !== undefined) rewriter.eraseOperation(fill);
    rewriter.eraseOperation(copied);
    rewriter.replaceOperation(operation, [vector]);
  }),
  benefit: 2,
};

/** A write to a buffer that is then partly copied writes to the copy's target; other uses are restricted likewise. */
const writeBeforeCopy: RewritePattern = {
  ...onOp(transferWrite, 'write-before-copy', (rewriter, operation) => {
    const { source: buffer, vector, indices, mask } = transferWrite.operands(operation);
    const { permutationMap } = transferWrite.attributes(operation);
    const part = onlySubview(rewriter, buffer);
    const [from] = part?.results ?? [];
    if (mask !== undefined || from === undefined) return;
    const copied = rewriter
      .users(from)
      .filter((user) => copy.is(user))
      .find(
        (user) => user.operands[0]?.id === from.id && areAdjacent(rewriter, operation, user, [buffer, from]),
      );
    if (copied === undefined || !areUsedOnlyBy(rewriter, [buffer, from], [part, copied, operation])) return;
    rewriter.setInsertionPointBefore(copied);
    builder(rewriter)(
      transferWrite,
      {
        vector: vector,
        source: copied.operands[1]!,
        indices,
        permutationMap,
        inBounds: permutationMap.results.map(() => false),
      },
      { resultTypes: [] },
    );
    rewriter.eraseOperation(copied);
    rewriter.eraseOperation(operation);
  }),
  benefit: 2,
};

export const forwardingPatterns: readonly RewritePattern[] = [readBehindCopy, writeBeforeCopy];
export const copyPatterns: readonly RewritePattern[] = [copyAsTransfers];
