/** The pass `buffer-loop-hoisting`: hoists allocations out of loops. */
import type { BufferFlow } from '@sconv/dialects';
import { bufferFlow, isFreed, loopLike } from '@sconv/dialects';
import { alloc, alloca } from '@sconv/dialects/memref';
import { success } from '@sconv/diagnostics';
import type { DraftBlock, DraftOperation, Rewriter } from '@sconv/ir';
import { defineOperationPass, modelOf } from '@sconv/ir';
import { blockOf, blocksAround } from './enclosing-blocks.ts';

/** The innermost block that encloses all uses of a buffer and its aliases. */
const blockOfAllUses = (rewriter: Rewriter, { values }: BufferFlow): DraftBlock => {
  const used = values.flatMap((value) => [
    blockOf(rewriter, value),
    ...rewriter.users(value).flatMap(({ block }) => block ?? []),
  ]);
  return used.reduce((common, block) => {
    const around = new Set(blocksAround(block));
    const shared = blocksAround(common).find((each) => around.has(each));
    return shared ?? common.region.blocks[0]!;
  });
};

/** The loop to hoist an allocation out of: the outermost that carries none of its memory to the next iteration. */
const loopToLeave = (rewriter: Rewriter, operation: DraftOperation): DraftOperation | undefined => {
  const flow = bufferFlow(rewriter, operation.results[0]!);
  if (flow.escapes || isFreed(rewriter, flow)) return undefined;
  const needed = new Set(operation.operands.map((operand) => blockOf(rewriter, operand)));
  const used = new Set(blocksAround(blockOfAllUses(rewriter, flow)));
  let found: DraftOperation | undefined;
  for (let { block } = operation; block !== undefined && !needed.has(block); block = found.block) {
    const loop = block.region.operation;
    if (modelOf(rewriter.registry, loopLike, loop)?.isSequential !== true || loop.block === undefined) break;
    // Some use is outside the loop, or an iteration yields the buffer.
    if (!used.has(block)) break;
    found = loop;
  }
  return found;
};

/**
 * Hoists allocations out of loops.
 *
 * @deviation Upstream also hoists out of parallel loops, whose iterations would then share one buffer, and hoists what
 * each iteration frees, or may keep elsewhere.
 */
export const hoistBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    if (!alloc.is(operation) && !alloca.is(operation)) continue;
    const loop = loopToLeave(rewriter, operation);
    if (loop !== undefined && rewriter.isWithin(loop, root)) rewriter.moveBefore(operation, loop);
  }
};

export const bufferLoopHoistingPass = defineOperationPass({
  name: 'buffer-loop-hoisting',
  title: 'BufferLoopHoisting',
  summary: 'hoist allocations out of loops',
  runOn: (rewriter, operation) => {
    hoistBuffers(rewriter, operation);
    return success(undefined);
  },
});
