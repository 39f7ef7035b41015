/** Gives consecutive iterations of a loop different slots of one buffer (upstream's `multiBuffer`). */
import { dim, makeMap, mod, floorDiv, sub, symbol } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import {
  applyFolded,
  createSubview,
  indexValue,
  isSymbol,
  loopLike,
  replaceBuffer,
  unitStrideSlice,
} from '@sconv/dialects';
import { forOp as affineForOp } from '@sconv/dialects/affine';
import { alloc, copy, dealloc } from '@sconv/dialects/memref';
import { forall, forallBounds, forOp, parallel } from '@sconv/dialects/scf';
import type { DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { bodyOf, closestParent, isStaticShape, memrefType, modelOf, Structure } from '@sconv/ir';

/** Whether all users of a buffer, except deallocations, are in loops. */
export const isUsedInLoops = (rewriter: Rewriter, allocation: DraftOperation): boolean =>
  rewriter
    .users(allocation.results[0]!)
    .every((user) => dealloc.is(user) || loopAround(rewriter, user) !== undefined);

const loopAround = ({ registry }: Rewriter, operation: DraftOperation): DraftOperation | undefined =>
  closestParent(operation, (parent) => modelOf(registry, loopLike, parent) !== undefined);

/**
 * Expands a buffer to `factor` slots that the iterations of its loop use round-robin. Each iteration must overwrite
 * the buffer before any other access; `skipAnalysis` assumes so.
 */
export const multibufferOp = (
  rewriter: Rewriter,
  allocation: DraftOperation,
  factor: number,
  skipAnalysis: boolean,
): Diagnosed<DraftOperation> => {
  const type = allocation.results[0]!.type as MemRefType;
  const loop = loopOf(rewriter, allocation, skipAnalysis);
  const range = loop === undefined ? undefined : rangeOf(loop);
  if (loop === undefined || range === undefined || !isStaticShape(type) || type.layout !== undefined) {
    return silenceableError('multibuffer/failed', 'op failed to multibuffer', allocation);
  }
  // 1. The expanded buffer.
  rewriter.setInsertionPointBefore(allocation);
  const whole = memrefType([factor, ...type.shape], type.elementType, undefined, type.memorySpace);
  const created = rewriter.create({
    ...alloc.state({ operands: {}, resultTypes: [whole] }),
    attributes: allocation.attributes,
    location: allocation.location,
  });
  // 2. The slot of this iteration.
  rewriter.setInsertionPointToStart(bodyOf(loop));
  const turn = turnOf(rewriter, range, factor);
  const part = unitStrideSlice({
    offsets: [turn, ...type.shape.map(() => 0)],
    sizes: [1, ...type.shape],
  });
  const view = createSubview(rewriter, created.results[0]!, part, type.shape);
  // 3. Deallocations free the whole buffer; all other users get the slot.
  const buffer = allocation.results[0]!;
  rewriter.replaceUsesIf(buffer, created.results[0]!, (user) => dealloc.is(user));
  replaceBuffer(rewriter, buffer, view);
  rewriter.replaceOperation(allocation, created.results, [created]);
  return success(created);
};

/** The loop whose iterations each overwrite the buffer. */
const loopOf = (
  rewriter: Rewriter,
  allocation: DraftOperation,
  skipAnalysis: boolean,
): DraftOperation | undefined => {
  const users = rewriter.users(allocation.results[0]!);
  const root = allocation.parent;
  if (root === undefined || !isUsedInLoops(rewriter, allocation)) return undefined;
  const structure = new Structure(root);
  const overwrites = (user: DraftOperation): boolean =>
    copy.is(user) &&
    user.operands[1]!.id === allocation.results[0]!.id &&
    users.every((other) => structure.operationDominates(user, other));
  const holdsAll = (loop: DraftOperation): boolean =>
    users.every((other) => dealloc.is(other) || rewriter.isWithin(other, loop));
  for (const user of users) {
    const loop = loopAround(rewriter, user);
    if (loop === undefined || !(skipAnalysis ? holdsAll(loop) : overwrites(user))) continue;
    return structure.operationDominates(allocation, loop) ? loop : undefined;
  }
  return undefined;
};

interface LoopRange {
  readonly variable: Value;
  readonly lower: MixedIndex;
  readonly step: MixedIndex;
}

/** Induction variable, lower bound and step of a loop; undefined unless it has exactly one of each. */
const rangeOf = (loop: DraftOperation): LoopRange | undefined => {
  const variable = loop.regions[0]?.blocks[0]?.arguments[0];
  if (variable?.type.kind !== 'index') return undefined;
  if (forOp.is(loop)) {
    const { lowerBound: lower, step } = forOp.operands(loop);
    return { variable, lower, step };
  }
  if (affineForOp.is(loop)) {
    const { lowerBoundMap, step } = affineForOp.attributes(loop);
    const [bound, ...more] = lowerBoundMap.results;
    return bound?.kind === 'constant' && more.length === 0
      ? { variable, lower: bound.value, step }
      : undefined;
  }
  if (forall.is(loop)) {
    const [bounds, ...more] = forallBounds(loop);
    return bounds === undefined || more.length > 0 ? undefined : { variable, ...bounds };
  }
  if (!parallel.is(loop)) return undefined;
  const { lowerBound, step } = parallel.operands(loop);
  return lowerBound.length === 1 ? { variable, lower: lowerBound[0]!, step: step[0]! } : undefined;
};

/** The slot, of `factor`, that an iteration uses. */
const turnOf = (rewriter: Rewriter, { variable, lower, step }: LoopRange, factor: number): MixedIndex => {
  const [first, by] = [lower, step].map((bound) => indexValue(rewriter, bound)) as [Value, Value];
  // A step that may not be a symbol has none but a semi-affine form all the same.
  const lowerIsDim = !isSymbol(rewriter, first);
  const start = lowerIsDim ? dim(1) : symbol(0);
  const stride = symbol(lowerIsDim ? 0 : 1);
  const map = makeMap(lowerIsDim ? 2 : 1, lowerIsDim ? 1 : 2, [
    mod(floorDiv(sub(dim(0), start), stride), factor),
  ]);
  return applyFolded(rewriter, map, [variable, first, by]);
};
