/** Moves broadcasts of loop-carried vectors after the loop (upstream's `hoistRedundantVectorBroadcasts`). */
import { runsAtLeastOnce } from '@sconv/dialects';
import { forBounds, forOp } from '@sconv/dialects/scf';
import { broadcast, extract } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, typeEquals } from '@sconv/ir';
import { constantOf, definedBy, hasOneUse, integerConstant, recreate } from './match.ts';

/**
 * A loop that only extracts a part of a carried vector, and yields the broadcast of such a part, carries the part
 * instead; the broadcast follows the loop.
 *
 * @deviation Upstream also rewrites loops that may have a trip count of zero, whose result is then not a broadcast, and
 * lets all iterations use the initial part. Here an iteration uses the part that the previous one yields, and if the
 * trip count may be zero, the initial vector must be a broadcast.
 */
export const hoistBroadcasts = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) if (extract.is(operation)) hoistBroadcast(rewriter, operation);
};

const hoistBroadcast = (rewriter: Rewriter, part: DraftOperation): void => {
  const [vector, ...positions] = part.operands as [Value, ...Value[]];
  const block = rewriter.owningBlock(vector);
  const loop = block?.region.operation;
  if (loop === undefined || !forOp.is(loop) || !hasOneUse(rewriter, vector)) return;
  const index = block!.arguments.findIndex(({ id }) => id === vector.id) - 1;
  const yielded = bodyOf(loop).last?.operands[index];
  if (index < 0 || yielded === undefined) return;
  const spread = definedBy(rewriter, yielded, broadcast);
  const { type } = part.results[0]!;
  if (spread === undefined || spread.block !== block || !hasOneUse(rewriter, yielded)) return;
  if (!typeEquals(spread.operands[0]!.type, type)) return;
  if (!positions.every((position) => rewriter.isDefinedOutside(position, loop))) return;
  const init = loop.operands[3 + index]!;
  const runs = runsAtLeastOnce(forBounds(loop), (bound) => integerConstant(rewriter, bound));
  if (!runs && !isSpread(rewriter, init, part)) return;
  // 1. The part of the initial vector is carried instead.
  rewriter.setOperand(part, 0, init);
  rewriter.moveBefore(part, loop);
  const [first] = part.results as [Value];
  const swap = <T>(list: readonly T[], at: number, value: T): readonly T[] =>
    list.map((each, i) => (i === at ? value : each));
  rewriter.setInsertionPointBefore(loop);
  const carried = recreate(rewriter, loop, {
    operands: swap(loop.operands, 3 + index, first),
    resultTypes: swap(
      loop.results.map((result) => result.type),
      index,
      type,
    ),
  });
  const body = bodyOf(carried);
  const end = body.last!;
  rewriter.setOperands(end, swap(end.operands, index, spread.operands[0]!));
  const argument = rewriter.changeArgumentType(body, 1 + index, type);
  rewriter.replaceUsesIf(first, argument, (user) => user !== carried && rewriter.isWithin(user, carried));
  // 2. Its broadcast follows the loop.
  rewriter.moveBefore(spread, carried.next!);
  rewriter.setOperand(spread, 0, carried.results[index]!);
  rewriter.replaceOperation(loop, swap(carried.results, index, yielded), [carried]);
};

/** Whether a vector is the broadcast of each of its parts. */
const isSpread = (rewriter: Rewriter, vector: Value, part: DraftOperation): boolean => {
  const constant = constantOf(rewriter, vector);
  if (constant?.kind === 'dense-elements') return constant.values.length === 1;
  const source = definedBy(rewriter, vector, broadcast)?.operands[0];
  return source !== undefined && typeEquals(source.type, part.results[0]!.type);
};
